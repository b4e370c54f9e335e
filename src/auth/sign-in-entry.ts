import { Injectable } from '@nestjs/common';

import type { CallContext, Scope } from '../sdk/index.js';

import { wrongCredentials, type Subject } from './credentials.js';
import { DEVICE_COOKIES, KnownDevices } from './known-devices.js';
import { SessionService } from './session-service.js';

/** The tokens for the cookies of somebody who signed in. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: number;
  /** Of the device, which is known from now on. */
  readonly device: string;
}

/** Opens the session of somebody who has shown what is asked for. */
@Injectable()
export class SignInEntry {
  constructor(
    private readonly sessions: SessionService,
    private readonly devices: KnownDevices,
  ) {}

  /**
   * Under a new id; whatever session the browser had before ends.
   *
   * @param proven whether he showed a code of his second factor
   * @throws LoginError where the password was changed meanwhile
   */
  async enter(scope: Scope, subject: Subject, call: CallContext, oldToken: string | undefined, proven = false): Promise<SignedIn> {
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const token = await this.sessions.openWithPassword(scope, subject.id, subject.passwordHash, visitor, proven);
    if (token === null) throw wrongCredentials(scope);
    if (oldToken) await this.sessions.end(oldToken);
    return { token, accountId: subject.id, device: await this.devices.remember(scope, subject.id, call.cookies[DEVICE_COOKIES[scope]]) };
  }
}
