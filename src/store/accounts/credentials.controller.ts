import { Delete, Get, Post } from '@nestjs/common';

import { FailedSignIns, Rate } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { actorOf, Audited, AuditedWithin, ofCaller } from '../audit/index.js';
import { StoreError } from '../errors.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { Body, ApiData, ApiList, Id, StoreAccess, StoreController } from '../http/index.js';
import type { StoreToken } from '../entities/index.js';

import { FailedSignInsDto, NewToken, SessionDto, Token } from './credentials.dto.js';
import { TokenForm } from './account-forms.js';
import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

/** The caller's credentials: browser sessions and API tokens. */
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
  @ApiOperation({ summary: 'Sessions of the own account, newest first, at most 200' })
  @ApiList(SessionDto, { maxItems: 200 })
  async listSessions(@Caller() caller: StoreCaller): Promise<SessionDto[]> {
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
  @ApiOperation({ summary: 'Ends a session of the own account' })
  @ApiData(null)
  async endSession(@Id() id: number, @Caller() caller: StoreCaller): Promise<Answer> {
    if (!(await this.sessions.endOne(caller.id, id))) throw new StoreError('SESSION_MISSING');
    return new Answer('store.session_ended');
  }

  @Get('failed-sign-ins')
  @Rate('read')
  @StoreAccess('user')
  @ApiOperation({
    summary: 'Failed sign-ins to the own account by network, newest first, at most 50',
    description: 'Covers the last 90 days, without attempts from known devices.',
  })
  @ApiList(FailedSignInsDto, { maxItems: 50 })
  async listFailures(@Caller() { id }: StoreCaller): Promise<FailedSignInsDto[]> {
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
  @ApiOperation({ summary: 'Marks the listed failed sign-ins as seen', description: 'The pages show a notice until then.' })
  @ApiData(null)
  async markFailuresSeen(@Caller() { id }: StoreCaller): Promise<Answer> {
    await this.failures.seen('store', id);
    return new Answer('store.updated');
  }

  @Get('tokens')
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'API tokens of the own account, newest first' })
  @ApiList(Token, { maxItems: 20 })
  async listTokens(@Caller() { id }: StoreCaller): Promise<Token[]> {
    return (await this.tokens.listOf(id)).map(tokenWire);
  }

  @Post('tokens')
  @Rate('write')
  @StoreAccess('developer')
  @AuditedWithin('token.create')
  @ApiOperation({
    summary: 'Creates an API token',
    description:
      'Sent as `Authorization: Bearer svcs_…`. `token` is returned only once. At most 20 tokens; valid for 90 days ' +
      'unless `days` is set.',
  })
  @ApiData(NewToken)
  async createToken(@Body() { name, scopes, days, item_id: itemId = 0 }: TokenForm, @Call() call: StoreCall): Promise<Answer> {
    if (scopes.length === 0) throw new StoreError('TOKEN_SCOPES');
    const { token, row } = await this.tokens.create(actorOf(call), { name, scopes, days, itemId: itemId || null });
    return new Answer('store.token_created', { ...tokenWire(row), token } satisfies NewToken);
  }

  @Delete('tokens/:id')
  @Rate('write')
  @StoreAccess('developer')
  @AuditedWithin('token.revoke')
  @ApiOperation({ summary: 'Revokes an API token' })
  @ApiData(null)
  async revokeToken(@Id() id: number, @Call() call: StoreCall): Promise<Answer> {
    if (!(await this.tokens.revoke(actorOf(call), id))) throw new StoreError('TOKEN_MISSING');
    return new Answer('store.token_revoked');
  }
}

function tokenWire({ id, name, scopes, itemId, expiresAt, lastUsedAt, createdAt }: StoreToken): Token {
  return {
    id,
    name,
    scopes,
    item_id: itemId,
    expires_at: expiresAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
