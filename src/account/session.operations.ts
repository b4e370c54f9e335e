import { Injectable } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';

import { SESSION_COOKIES, SessionService, SignInEntry } from '../auth/index.js';
import { legacyTime, localeOf, visitorWords } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { SuccessReply, NoInput, Operation, ListReply } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

import { AccountError } from './errors.js';

class EndInput {
  /** Id of a session, or `all` for all except the caller's. */
  @IsString() @Matches(/^(all|\d{1,10})$/, { message: 'account.session_missing' }) id!: string;
}

/** Lists and ends the caller's own sessions. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class SessionOperations {
  constructor(
    private readonly sessions: SessionService,
    private readonly entry: SignInEntry,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listhh', auth: 'admin', input: NoInput, audit: null, rate: 'read', own: true })
  listOfAdmin(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    return this.list('admin', ctx.admin!.id, ctx);
  }

  @Operation({ side: 'user', gn: 'listhh', auth: 'user', input: NoInput, audit: null, rate: 'read', own: true })
  listOfUser(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    return this.list('user', ctx.user!.id, ctx);
  }

  @Operation({ side: 'admin', gn: 'hhsc', auth: 'admin', input: EndInput, audit: 'account.audit.sessions', rate: 'write', own: true })
  endOfAdmin({ id }: EndInput, ctx: CallContext): Promise<SuccessReply> {
    return this.end('admin', ctx.admin!.id, id, ctx);
  }

  @Operation({ side: 'user', gn: 'hhsc', auth: 'user', input: EndInput, audit: 'account.audit.sessions', rate: 'write', own: true })
  endOfUser({ id }: EndInput, ctx: CallContext): Promise<SuccessReply> {
    return this.end('user', ctx.user!.id, id, ctx);
  }

  private async list(scope: Scope, subjectId: number, ctx: CallContext): Promise<ListReply> {
    const current = await this.sessions.resolve(scope, ctx.cookies[SESSION_COOKIES[scope]] ?? '');
    const rows = await this.sessions.list(scope, subjectId);
    return new ListReply(
      rows.length,
      rows.map((row) => ({
        id: row.id,
        ua: row.userAgent,
        uamc: visitorWords(row.userAgent, localeOf(ctx.locale)),
        ip: row.ip,
        date: legacyTime(row.createdAt, this.config.timezone),
        last: legacyTime(row.seenAt, this.config.timezone),
        current: row.id === current?.sessionId,
      })),
    );
  }

  private async end(scope: Scope, subjectId: number, id: string, ctx: CallContext): Promise<SuccessReply> {
    if (!(await this.entry.end(scope, subjectId, id === 'all' ? id : Number(id), ctx))) throw new AccountError('SESSION_MISSING');
    return new SuccessReply('account.session_ended');
  }
}
