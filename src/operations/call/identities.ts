import { Injectable } from '@nestjs/common';

import { ApiKeys, SessionService, withAccess } from '../../auth/index.js';
import type { AdminIdentity, UserIdentity } from '../../sdk/index.js';

/** Resolves the session cookies or the API key of a request to the account they belong to. */
@Injectable()
export class Identities {
  constructor(
    private readonly sessions: SessionService,
    private readonly keys: ApiKeys,
  ) {}

  /** The administrator signed in by this `admin_token`; null for none. */
  async admin(token: string): Promise<AdminIdentity | null> {
    const session = await this.sessions.resolve('admin', token);
    return session && withAccess({ id: session.subjectId, username: session.username }, session.access);
  }

  /** The program that shows this key; null for a key that does not work. */
  program(secret: string, ip: string): Promise<AdminIdentity | null> {
    return this.keys.admit(secret, ip);
  }

  /** The user signed in by this `user_token`; null for none, and for one who may not stay. */
  async user(token: string): Promise<UserIdentity | null> {
    const session = await this.sessions.resolve('user', token);
    return session && { id: session.subjectId, username: session.username };
  }
}
