import { Injectable } from '@nestjs/common';

import { ApiKeys, SessionService, withAccess } from '../../auth/index.js';
import type { AdminIdentity, UserIdentity } from '../../sdk/index.js';

/** Resolves the session cookie or API key of a request to its account. */
@Injectable()
export class Identities {
  constructor(
    private readonly sessions: SessionService,
    private readonly keys: ApiKeys,
  ) {}

  /** Returns the administrator of this `admin_token`; null if the session is invalid. */
  async admin(token: string): Promise<AdminIdentity | null> {
    const session = await this.sessions.resolve('admin', token);
    return session && withAccess({ id: session.subjectId, username: session.username }, session.access);
  }

  /** Returns the program with this API key; null for an invalid key. */
  program(secret: string, ip: string): Promise<AdminIdentity | null> {
    return this.keys.admit(secret, ip);
  }

  /** Returns the user of this `user_token`; null if the session is invalid or the account may no longer sign in. */
  async user(token: string): Promise<UserIdentity | null> {
    const session = await this.sessions.resolve('user', token);
    return session && { id: session.subjectId, username: session.username };
  }
}
