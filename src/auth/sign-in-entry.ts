import { Injectable } from '@nestjs/common';

import type { CallContext, Scope } from '../sdk/index.js';

import { wrongCredentials, type Subject } from './credentials.js';
import { DEVICE_COOKIES, KnownDevices } from './known-devices.js';
import { SessionService } from './session-service.js';

/** Cookie tokens of a successful sign-in. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: number;
  /** Token of the device, which is known from now on. */
  readonly device: string;
}

/** Opens the session after all checks. */
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
   * @throws LoginError if the password was changed meanwhile
   */
  async enter(scope: Scope, subject: Subject, call: CallContext, oldToken: string | undefined, proven = false): Promise<SignedIn> {
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const token = await this.sessions.openWithPassword(scope, subject.id, subject.passwordHash, visitor, proven);
    if (token === null) throw wrongCredentials(scope);
    if (oldToken) await this.sessions.end(oldToken);
    return { token, accountId: subject.id, device: await this.devices.remember(scope, subject.id, call.cookies[DEVICE_COOKIES[scope]]) };
  }
}
