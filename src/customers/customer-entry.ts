import { Injectable } from '@nestjs/common';

import {
  DEVICE_COOKIES,
  KnownDevices,
  SESSION_COOKIES,
  SessionService,
  deviceCookie,
  endedSessionCookie,
  sessionCookie,
} from '../auth/index.js';
import { Clock, localeOf } from '../common/index.js';
import { Database } from '../database/index.js';
import { Preferences } from '../notify/index.js';
import type { CallContext } from '../sdk/index.js';

import { Customer } from './entities/index.js';

const SIDE = 'customer';

/** Opens and ends customers' sessions: seven days each, stored as rows, with known devices. Returns `Set-Cookie` lines. */
@Injectable()
export class CustomerEntry {
  constructor(
    private readonly sessions: SessionService,
    private readonly devices: KnownDevices,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly preferences: Preferences,
  ) {}

  /**
   * Opens a session under a new id; the browser's previous one ends.
   *
   * @returns null if the password was changed meanwhile, or the account is locked
   */
  async open({ id, passwordHash }: Pick<Customer, 'id' | 'passwordHash'>, call: CallContext, proven = false): Promise<string[] | null> {
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const token = await this.sessions.openWithPassword(SIDE, id, passwordHash, visitor, proven);
    if (token === null) return null;
    const before = call.cookies[SESSION_COOKIES[SIDE]];
    if (before) await this.sessions.end(before);
    await this.database.repository(Customer).update({ id }, { signedInAt: this.clock.now() });
    // Later mails use the language of the last sign-in.
    await this.preferences.noteLocale(SIDE, id, localeOf(call.locale));
    return this.cookies(id, token, call);
  }

  /** After a password change: ends every session and known device, and opens a new session for the caller. */
  async renew(id: number, call: CallContext): Promise<string[]> {
    const token = await this.sessions.rotate(SIDE, id, { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') });
    await this.devices.forgetEvery(SIDE, id);
    return this.cookies(id, token, call);
  }

  /** Ends the session of the request, if it has one. */
  async close(call: CallContext): Promise<string[]> {
    const token = call.cookies[SESSION_COOKIES[SIDE]];
    if (token) await this.sessions.end(token);
    return [endedSessionCookie(SIDE, isSecure(call))];
  }

  /** Ends every session and forgets every device. */
  async closeAll(id: number): Promise<void> {
    await this.sessions.endEvery(SIDE, id);
    await this.devices.forgetEvery(SIDE, id);
  }

  private async cookies(id: number, token: string, call: CallContext): Promise<string[]> {
    const device = await this.devices.remember(SIDE, id, call.cookies[DEVICE_COOKIES[SIDE]]);
    return [sessionCookie(SIDE, token, isSecure(call)), deviceCookie(SIDE, device, isSecure(call))];
  }
}

const isSecure = (call: CallContext): boolean => call.baseUrl.startsWith('https:');
