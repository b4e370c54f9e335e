import { Injectable } from '@nestjs/common';

import { type StoreCaller, StoreCallers } from '../call/index.js';

import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

/** Resolves the sender of a request: by API token if one was sent, else by browser session. */
@Injectable()
export class StoreIdentities extends StoreCallers {
  constructor(
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
  ) {
    super();
  }

  /** With an API token in the request, cookies are ignored: an invalid token means no caller. */
  async find(sessionToken: string | undefined, authorization: string | undefined): Promise<StoreCaller | null> {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (bearer !== undefined) {
      const live = await this.tokens.resolve(bearer);
      return (
        live && { id: live.userId, username: live.username, role: live.role, sessionId: null, scopes: live.scopes, itemId: live.itemId }
      );
    }
    const session = sessionToken === undefined ? null : await this.sessions.resolve(sessionToken);
    return session && { id: session.userId, username: session.username, role: session.role, sessionId: session.id, scopes: null };
  }
}
