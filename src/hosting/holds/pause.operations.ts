import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';

import { localeOf, type TextRef } from '../../common/index.js';
import { Operation, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext, HostRecord } from '../../sdk/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { ADMIN_REASON, HostIdInput, HostOperationError, HostRows, LONGEST_REASON, PauseNotices, reasonWords } from '../operations/index.js';

/** Fields of `zjzt` and `zjjc`. */
export class PauseInput extends HostIdInput {
  /** The administrator's reason, for the log, the history of the host, and the notice. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(LONGEST_REASON) yy = '';
  /** Whether the owner is notified. */
  @IsOptional() @Switch() @IsBoolean() tzyh = false;
}

/** Pauses and resumes hosts manually. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class PauseOperations {
  constructor(
    private readonly hosting: HostingService,
    private readonly rows: HostRows,
    private readonly notices: PauseNotices,
  ) {}

  /** Notifies the owner, if requested, only if the host actually stops, not if it was already paused. */
  @Operation({
    side: 'admin',
    gn: 'zjzt',
    auth: 'admin',
    input: PauseInput,
    audit: 'hosting.audit_pause',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async pause(input: PauseInput): Promise<SuccessReply> {
    const host = await this.hosting.pause(input.id, ADMIN_REASON, 'admin', (after) => this.notify('pause', input, after));
    return this.answer('hosting.paused', host, input);
  }

  /** Ends only the administrators' pause; the response lists remaining pauses. The owner is notified once the host runs again. */
  @Operation({
    side: 'admin',
    gn: 'zjjc',
    auth: 'admin',
    input: PauseInput,
    audit: 'hosting.audit_resume',
    rate: 'write',
    servers: { of: 'host', field: 'id' },
  })
  async resume(input: PauseInput, ctx: CallContext): Promise<SuccessReply> {
    const before = await this.hosting.get(input.id);
    if (!before) throw new HostingError('ACCOUNT_NOT_FOUND');
    const host = await this.hosting.unpause(input.id, ADMIN_REASON, 'admin', (after) => this.notify('resume', input, after));
    if (host.pauseReasons.length === 0) return this.answer('hosting.resumed', host, input);
    const reasons = reasonWords(host.pauseReasons, localeOf(ctx.locale));
    if (before.pauseReasons.length === host.pauseReasons.length) throw new HostOperationError('NOT_PAUSED_BY_ADMIN', { reasons });
    return this.answer('hosting.still_paused', host, input, { reasons });
  }

  private async notify(action: 'pause' | 'resume', { yy, tzyh }: PauseInput, host: HostingAccount): Promise<void> {
    if (tzyh) await this.notices.send(action, yy, host);
  }

  private async answer(text: string, host: HostRecord, { yy }: PauseInput, params: Record<string, string> = {}): Promise<SuccessReply> {
    const user: string | TextRef = yy === '' ? host.user : { key: 'hosting.host_because', params: { user: host.user, yy } };
    return new SuccessReply(text, await this.rows.row(host.id), { user, ...params });
  }
}
