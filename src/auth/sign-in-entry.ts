import { Injectable } from '@nestjs/common';

import type { CallContext } from '../sdk/index.js';

import { SESSION_COOKIES, endedSessionCookie, isSecure, sessionCookie } from './cookies.js';
import type { Subject } from './credentials.js';
import { DEVICE_COOKIES, KnownDevices, deviceCookie } from './known-devices.js';
import { SessionService, type Visitor } from './session-service.js';
import type { AccountSide } from './sign-in-side.js';

/** Cookie tokens of a browser that is signed in. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: number;
  /** Token of the device, which is known from now on. */
  readonly device: string;
}

/** Opens and ends the sessions of browsers, with their devices, on every side of the panel. Everything has been checked before. */
@Injectable()
export class SignInEntry {
  constructor(
    private readonly sessions: SessionService,
    private readonly devices: KnownDevices,
  ) {}

  /**
   * Opens a session under a new id; the browser's previous session ends.
   *
   * @param proven whether a second factor code was verified
   * @returns null if the password was changed meanwhile, or the account locked
   */
  async enter(side: AccountSide, account: Omit<Subject, 'username'>, call: CallContext, proven = false): Promise<SignedIn | null> {
    const { id, passwordHash } = account;
    const token = await this.sessions.openWithPassword(side, id, passwordHash, visitorOf(call), proven);
    if (token === null) return null;
    await this.endSession(side, call);
    return this.withDevice(side, id, token, call);
  }

  /** After a password change: ends every session, forgets every device, and opens a new session for the caller. */
  async renew(side: AccountSide, id: number, call: CallContext): Promise<SignedIn> {
    const token = await this.sessions.rotate(side, id, visitorOf(call));
    await this.devices.forgetEvery(side, id);
    return this.withDevice(side, id, token, call);
  }

  /** Ends the session of the request, if it has one. @returns the `Set-Cookie` line */
  async leave(side: AccountSide, call: CallContext): Promise<string> {
    await this.endSession(side, call);
    return endedSessionCookie(side, isSecure(call));
  }

  /**
   * Ends one session of the caller's account, or all except the caller's, whose device stays known.
   *
   * @returns false if the account has no session with that id
   */
  async end(side: AccountSide, id: number, session: number | 'all', { cookies }: Pick<CallContext, 'cookies'>): Promise<boolean> {
    if (session !== 'all') return this.sessions.endOne(side, id, session);
    await this.sessions.endEvery(side, id, cookies[SESSION_COOKIES[side]]);
    await this.devices.forgetEvery(side, id, cookies[DEVICE_COOKIES[side]]);
    return true;
  }

  /** Ends every session of an account and forgets every device. */
  async endEvery(side: AccountSide, id: number): Promise<void> {
    await this.sessions.endEvery(side, id);
    await this.devices.forgetEvery(side, id);
  }

  private async endSession(side: AccountSide, { cookies }: CallContext): Promise<void> {
    const token = cookies[SESSION_COOKIES[side]];
    if (token) await this.sessions.end(token);
  }

  private async withDevice(side: AccountSide, accountId: number, token: string, { cookies }: CallContext): Promise<SignedIn> {
    return { token, accountId, device: await this.devices.remember(side, accountId, cookies[DEVICE_COOKIES[side]]) };
  }
}

/** `Set-Cookie` lines of a browser that is signed in. */
export function signedInCookies(side: AccountSide, { token, device }: SignedIn, call: CallContext): string[] {
  const secure = isSecure(call);
  return [sessionCookie(side, token, secure), deviceCookie(side, device, secure)];
}

/** Returns the client of a call. */
export function visitorOf({ ip, headers }: CallContext): Visitor {
  return { ip, userAgent: String(headers['user-agent'] ?? '') };
}
