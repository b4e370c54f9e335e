import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MemoryWindows } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import type { FolderPassword } from '../driver/index.js';

/** Source: OWASP Password Storage Cheat Sheet, scrypt with 16 MB and p = 5 would take too long at every first request of a visitor. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
/** Tries of one network at one site, and of all at one site. */
const OF_ONE = { limit: 20, windowSeconds: 60 };
const OF_ALL = { limit: 300, windowSeconds: 60 };
/** Passwords that were right lately: browsers send them with every request. */
const REMEMBERED = 2_000;
const REMEMBER_MS = 10 * 60_000;

/** Letters of salts: those crypt(3) knows, so that the web servers of other machines can check the same hash. */
const LETTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Hash of a folder's password: `scrypt$<salt>$<key>`, both in base64url; the salt is a text of 22 letters. */
export async function hashFolderPassword(password: string): Promise<string> {
  const salt = Buffer.from([...randomBytes(22)].map((byte) => LETTERS.charCodeAt(byte & 63)));
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** What a visitor sends, as RFC 7617 has it; null where there is nothing of that kind. */
function credentials(header: string | undefined): { user: string; password: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]{1,1400}) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Tells whether a path lies in a folder. @param path from the web root, without a slash in front */
export function liesIn(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Lets visitors into folders that ask for a password. */
@Injectable()
export class FolderPasswords {
  private readonly right = new Map<string, number>();
  private readonly ofOne = new MemoryWindows(OF_ONE);
  private readonly ofAll = new MemoryWindows(OF_ALL);

  constructor(private readonly clock: Clock) {}

  /**
   * @param rules the passwords that open the folder; several people may have their own
   * @param header `Authorization` as it came
   * @param network who asks, for the limit of tries
   * @returns `in`; `ask` for them; seconds to wait after too many wrong ones
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
    // Whether the name exists takes as long to learn as whether the password is right.
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

/** Names a right password without holding it. */
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
