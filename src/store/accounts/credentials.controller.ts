import { Delete, Get, Post } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { StoreError } from '../errors.js';
import { Answer, Body, Caller, Describe, Id, shape, StoreAccess, StoreController, type StoreCaller } from '../http/index.js';
import type { StoreToken } from '../entities/index.js';

import { TokenForm } from './account-forms.js';
import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

const SESSION = shape.named('Session', shape.record({
  id: shape.id(),
  ip: shape.text(),
  user_agent: shape.text(),
  created_at: shape.time(),
  seen_at: shape.time(),
  current: shape.flag('Whether this request came with it'),
}));

const TOKEN_FIELDS = {
  id: shape.id(),
  name: shape.text(undefined, { maxLength: 60 }),
  scopes: shape.list(shape.oneOf('read', 'publish')),
  expires_at: shape.time(),
  last_used_at: shape.nullable(shape.time()),
  created_at: shape.time(),
};
const TOKEN = shape.named('Token', shape.record(TOKEN_FIELDS));
const NEW_TOKEN = shape.named('NewToken', shape.record({ ...TOKEN_FIELDS, token: shape.text('The token itself', { pattern: '^svcs_[A-Za-z0-9_-]{43}$' }) }));

/** With what somebody is signed in: sessions of browsers and tokens of programs. */
@StoreController('auth')
export class CredentialsController {
  constructor(
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
  ) {}

  @Get('sessions')
  @Rate('read')
  @StoreAccess('user')
  @Describe({ summary: 'Own sessions, newest first, at most 200', answers: shape.list(SESSION, { maxItems: 200 }) })
  async listSessions(@Caller() caller: StoreCaller): Promise<object[]> {
    const sessions = await this.sessions.listOf(caller.id);
    return sessions.map(({ id, ip, userAgent, createdAt, seenAt }) => ({
      id,
      ip,
      user_agent: userAgent,
      created_at: createdAt.toISOString(),
      seen_at: seenAt.toISOString(),
      current: id === caller.sessionId,
    }));
  }

  @Delete('sessions/:id')
  @Rate('write')
  @StoreAccess('user')
  @Describe({ summary: 'Ends one of the own sessions', answers: shape.nothing() })
  async endSession(@Id() id: number, @Caller() caller: StoreCaller): Promise<Answer> {
    if (!(await this.sessions.endOne(caller.id, id))) throw new StoreError('NOT_FOUND', {}, 'store.session_missing');
    return new Answer('store.session_ended');
  }

  @Get('tokens')
  @Rate('read')
  @StoreAccess('developer')
  @Describe({ summary: 'Own tokens for programs, newest first', answers: shape.list(TOKEN, { maxItems: 20 }) })
  async listTokens(@Caller() { id }: StoreCaller): Promise<object[]> {
    return (await this.tokens.listOf(id)).map(tokenWire);
  }

  @Post('tokens')
  @Rate('write')
  @StoreAccess('developer')
  @Describe({
    summary: 'Makes a token for programs',
    details: 'Sent as `Authorization: Bearer svcs_…`. `token` is shown this once. At most 20; 90 days unless `days` says otherwise.',
    answers: NEW_TOKEN,
  })
  async createToken(@Body(TokenForm) { name, scopes, days }: TokenForm, @Caller() { id }: StoreCaller): Promise<Answer> {
    if (scopes.length === 0) throw StoreError.invalid('store.token_scopes');
    const { token, row } = await this.tokens.create(id, name, scopes, days);
    return new Answer('store.token_created', { ...tokenWire(row), token });
  }

  @Delete('tokens/:id')
  @Rate('write')
  @StoreAccess('developer')
  @Describe({ summary: 'Revokes one of the own tokens', answers: shape.nothing() })
  async revokeToken(@Id() id: number, @Caller() caller: StoreCaller): Promise<Answer> {
    if (!(await this.tokens.revoke(caller.id, id))) throw new StoreError('NOT_FOUND', {}, 'store.token_missing');
    return new Answer('store.token_revoked');
  }
}

function tokenWire({ id, name, scopes, expiresAt, lastUsedAt, createdAt }: StoreToken): object {
  return { id, name, scopes, expires_at: expiresAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null, created_at: createdAt.toISOString() };
}
