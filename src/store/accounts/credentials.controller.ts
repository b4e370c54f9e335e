import { Delete, Get, Post } from '@nestjs/common';

import { FailedSignIns, Rate } from '../../auth/index.js';
import { actorOf, Audited, AuditedWithin, ofCaller } from '../audit/index.js';
import { StoreError } from '../errors.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { Body, Describe, Id, shape, StoreAccess, StoreController } from '../http/index.js';
import type { StoreToken } from '../entities/index.js';

import { TokenForm } from './account-forms.js';
import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

const SESSION = shape.named(
  'Session',
  shape.record({
    id: shape.id(),
    ip: shape.text(),
    user_agent: shape.text(),
    created_at: shape.time(),
    seen_at: shape.time(),
    current: shape.flag('Whether this request came with it'),
  }),
);

const FAILED_SIGN_INS = shape.named(
  'FailedSignIns',
  shape.record({
    network: shape.text('An IPv4 address or an IPv6 network; empty for those beyond the first 200'),
    failures: shape.integer('Wrong passwords since first_at', { minimum: 1 }),
    first_at: shape.time(),
    last_at: shape.time(),
    seen: shape.flag('Whether they were marked as seen'),
  }),
);

const TOKEN_FIELDS = {
  id: shape.id(),
  name: shape.text(undefined, { maxLength: 60 }),
  scopes: shape.list(shape.oneOf('read', 'publish')),
  expires_at: shape.time(),
  last_used_at: shape.nullable(shape.time()),
  created_at: shape.time(),
};
const TOKEN = shape.named('Token', shape.record(TOKEN_FIELDS));
const NEW_TOKEN = shape.named(
  'NewToken',
  shape.record({ ...TOKEN_FIELDS, token: shape.text('The token itself', { pattern: '^svcs_[A-Za-z0-9_-]{43}$' }) }),
);

/** With what somebody is signed in: sessions of browsers and tokens of programs. */
@StoreController('auth')
export class CredentialsController {
  constructor(
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
    private readonly failures: FailedSignIns,
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
  @Audited('auth.session_end', ofCaller)
  @Describe({ summary: 'Ends one of the own sessions', answers: shape.nothing() })
  async endSession(@Id() id: number, @Caller() caller: StoreCaller): Promise<Answer> {
    if (!(await this.sessions.endOne(caller.id, id))) throw new StoreError('NOT_FOUND', {}, 'store.session_missing');
    return new Answer('store.session_ended');
  }

  @Get('failed-sign-ins')
  @Rate('read')
  @StoreAccess('user')
  @Describe({
    summary: 'Wrong passwords for the own account by network, newest first, at most 50',
    details: 'Of the last 90 days. Those from devices that signed in before are left out.',
    answers: shape.list(FAILED_SIGN_INS, { maxItems: 50 }),
  })
  async listFailures(@Caller() { id }: StoreCaller): Promise<object[]> {
    const rows = await this.failures.list('store', id);
    return rows.map(({ network, failures, firstAt, lastAt, seen }) => ({
      network,
      failures,
      first_at: firstAt.toISOString(),
      last_at: lastAt.toISOString(),
      seen,
    }));
  }

  @Post('failed-sign-ins/seen')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.failures_seen', ofCaller)
  @Describe({
    summary: 'Says that the wrong passwords listed were seen',
    details: 'The pages tell of them until then.',
    answers: shape.nothing(),
  })
  async markFailuresSeen(@Caller() { id }: StoreCaller): Promise<Answer> {
    await this.failures.seen('store', id);
    return new Answer('store.updated');
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
  @AuditedWithin('token.create')
  @Describe({
    summary: 'Makes a token for programs',
    details: 'Sent as `Authorization: Bearer svcs_…`. `token` is shown this once. At most 20; 90 days unless `days` says otherwise.',
    answers: NEW_TOKEN,
  })
  async createToken(@Body(TokenForm) { name, scopes, days }: TokenForm, @Call() call: StoreCall): Promise<Answer> {
    if (scopes.length === 0) throw StoreError.invalid('store.token_scopes');
    const { token, row } = await this.tokens.create(actorOf(call), name, scopes, days);
    return new Answer('store.token_created', { ...tokenWire(row), token });
  }

  @Delete('tokens/:id')
  @Rate('write')
  @StoreAccess('developer')
  @AuditedWithin('token.revoke')
  @Describe({ summary: 'Revokes one of the own tokens', answers: shape.nothing() })
  async revokeToken(@Id() id: number, @Call() call: StoreCall): Promise<Answer> {
    if (!(await this.tokens.revoke(actorOf(call), id))) throw new StoreError('NOT_FOUND', {}, 'store.token_missing');
    return new Answer('store.token_revoked');
  }
}

function tokenWire({ id, name, scopes, expiresAt, lastUsedAt, createdAt }: StoreToken): object {
  return {
    id,
    name,
    scopes,
    expires_at: expiresAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
