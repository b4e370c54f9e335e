import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, hashToken } from '../common/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';

import { cookieLine } from './cookies.js';
import { TOKEN_PATTERN } from './session-tokens.js';
import type { SignInSide, TriedSide } from './sign-in-side.js';

/** How long a device is remembered after its last sign-in, in seconds: 180 days. */
export const DEVICE_SECONDS = 180 * 24 * 3600;
/** Name of each side's device cookie. Source: docs/operating.md "Sign-ins". */
export const DEVICE_COOKIES: Readonly<Record<SignInSide, string>> = {
  admin: 'admin_device',
  user: 'user_device',
  customer: 'account_device',
  store: 'store_device',
};

/** Maximum devices per account; the oldest is forgotten for a new one. */
const MAX_DEVICES = 20;

/**
 * Browsers that have signed in before. Their failures are counted separately, so that attackers cannot lock the owner out.
 * A known device is not authenticated and skips nothing: captcha and password are still required.
 */
@Injectable()
export class KnownDevices {
  private readonly select;
  private readonly renew;
  private readonly prolong;
  private readonly insert;
  private readonly surplus;
  private readonly remove;
  private readonly removeAll;
  private readonly removeOthers;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const own = '{KnownDevice.side} = ? AND {KnownDevice.accountId} = ?';
    this.select = database.statement<{ id: number }>(
      `SELECT {KnownDevice.id} AS id FROM {KnownDevice} WHERE {KnownDevice.tokenHash} = ? AND ${own} AND {KnownDevice.expiresAt} > ?`,
    );
    this.renew = database.statement(
      'UPDATE {KnownDevice} SET {KnownDevice.tokenHash} = ? WHERE {KnownDevice.tokenHash} = ? AND {KnownDevice.side} = ?',
    );
    this.prolong = database.statement(`UPDATE {KnownDevice} SET {KnownDevice.expiresAt} = ? WHERE {KnownDevice.tokenHash} = ? AND ${own}`);
    this.insert = database.statement(
      'INSERT INTO {KnownDevice} ({KnownDevice.tokenHash}, {KnownDevice.side}, {KnownDevice.accountId}, ' +
        '{KnownDevice.expiresAt}) VALUES (?, ?, ?, ?)',
    );
    this.surplus = database.statement<{ id: number }>(
      `SELECT {KnownDevice.id} AS id FROM {KnownDevice} WHERE ${own} ORDER BY {KnownDevice.id} DESC LIMIT 100 OFFSET ${MAX_DEVICES}`,
    );
    this.remove = database.statement('DELETE FROM {KnownDevice} WHERE {KnownDevice.id} = ?');
    this.removeAll = database.statement(`DELETE FROM {KnownDevice} WHERE ${own}`);
    this.removeOthers = database.statement(`DELETE FROM {KnownDevice} WHERE ${own} AND {KnownDevice.tokenHash} <> ?`);
    this.sweep = database.statement('DELETE FROM {KnownDevice} WHERE {KnownDevice.expiresAt} <= ?');
  }

  /** Returns the id of the device with this token if it has signed in to this account; otherwise null. */
  async find(side: TriedSide, accountId: number, token: string | undefined): Promise<number | null> {
    if (token === undefined || !TOKEN_PATTERN.test(token)) return null;
    return (await this.select.get(hashToken(token), side, accountId, this.clock.now()))?.id ?? null;
  }

  /**
   * Remembers a device after a sign-in.
   *
   * @param token its current token; it is replaced, also for the other accounts the device has signed in to
   * @returns the token for the cookie
   */
  async remember(side: SignInSide, accountId: number, token: string | undefined): Promise<string> {
    const next = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + DEVICE_SECONDS * 1_000);
    await this.database.transaction(async () => {
      if (token !== undefined && TOKEN_PATTERN.test(token)) await this.renew.run(hashToken(next), hashToken(token), side);
      if ((await this.prolong.run(expiresAt, hashToken(next), side, accountId)).affected > 0) return;
      await this.insert.run(hashToken(next), side, accountId, expiresAt);
      for (const { id } of await this.surplus.all(side, accountId)) await this.remove.run(id);
    });
    return next;
  }

  /** Forgets the devices of an account, except the one with `exceptToken`. */
  async forgetEvery(side: SignInSide, accountId: number, exceptToken?: string): Promise<void> {
    if (exceptToken === undefined) await this.removeAll.run(side, accountId);
    else await this.removeOthers.run(side, accountId, hashToken(exceptToken));
  }

  /** Removes devices that were not seen for too long; run by the cron tick. */
  @Job({ name: 'known-devices', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}

/** `Set-Cookie` line that remembers a device. */
export function deviceCookie(side: SignInSide, token: string, secure: boolean): string {
  return cookieLine(DEVICE_COOKIES[side], token, DEVICE_SECONDS, secure);
}
