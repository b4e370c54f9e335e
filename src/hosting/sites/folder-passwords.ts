import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MemoryWindows } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import type { FolderPassword } from '../driver/index.js';

/**
 * Weaker than the 16 MB and p = 5 of the OWASP Password Storage Cheat Sheet for scrypt, which would take too long on every first request of
 * a visitor.
 */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
/** Maximum attempts at a site, per network and in total. */
const OF_ONE = { limit: 20, windowSeconds: 60 };
const OF_ALL = { limit: 300, windowSeconds: 60 };
/** Cache of recently verified passwords, because browsers send them with every request. */
const REMEMBERED = 2_000;
const REMEMBER_MS = 10 * 60_000;

/** Alphabet of salts: the one of crypt(3), so that the web servers of other machines can verify the same hash. */
const LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Hashes a folder's password: `scrypt$<salt>$<key>`, both in base64url; the salt is a text of 22 characters. */
export async function hashFolderPassword(password: string): Promise<string> {
  const salt = Buffer.from([...randomBytes(22)].map((byte) => LETTERS.charCodeAt(byte & 63)));
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Parses credentials as in RFC 7617; null if there are none. */
function credentials(header: string | undefined): { user: string; password: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]{1,1400}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Returns whether a path is in a folder. @param path from the web root, without a leading slash */
export function liesIn(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Checks the passwords of protected folders. */
@Injectable()
export class FolderPasswords {
  private readonly right = new Map<string, number>();
  private readonly ofOne = new MemoryWindows(OF_ONE);
  private readonly ofAll = new MemoryWindows(OF_ALL);

  constructor(private readonly clock: Clock) {}

  /**
   * @param rules accepted passwords of the folder; each user may have their own
   * @param header the `Authorization` header
   * @param network address range of the client, for the limit of attempts
   * @returns `in` if allowed; `ask` to request credentials; seconds to wait after too many failures
   */
  async check(
    siteId: number,
    rules: readonly FolderPassword[],
    header: string | undefined,
    network: string,
  ): Promise<'in' | 'ask' | number> {
    const given = credentials(header);
    if (!given) return 'ask';
    const now = this.clock.now().getTime();
    for (const { user, hash } of rules) if (this.isRemembered(keyOf(hash, user, given), now)) return 'in';
    const wait = Math.max(this.ofOne.hit(`${siteId}:${network}`, now), this.ofAll.hit(String(siteId), now));
    if (wait > 0) return wait;
    // Always compares a hash, so that timing does not reveal whether the user name exists.
    let found: FolderPassword | null = null;
    for (const rule of rules) if (isSame(rule.user, given.user)) found = rule;
    const checked = found ?? rules[0]!;
    const isRight = await matches(given.password, checked.hash);
    if (!isRight || found === null) return 'ask';
    this.remember(keyOf(found.hash, found.user, given), now);
    return 'in';
  }

  private isRemembered(key: string, now: number): boolean {
    return (this.right.get(key) ?? 0) > now;
  }

  private remember(key: string, now: number): void {
    if (this.right.size >= REMEMBERED) this.right.delete(this.right.keys().next().value!);
    this.right.set(key, now + REMEMBER_MS);
  }
}

/** Key of a verified password in the cache, without the password itself. */
function keyOf(hash: string, user: string, given: { user: string; password: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([hash, user, given.user, given.password]))
    .digest('base64');
}

async function matches(password: string, hash: string): Promise<boolean> {
  const [kind, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || !salt || !key) return false;
  const wanted = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  return wanted.length === derived.length && timingSafeEqual(wanted, derived);
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
