import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { accessOf } from '../../auth/index.js';
import { localeOf, translate, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { TaskView } from '../../jobs/index.js';
import { ListInput, ListReply, Operation, SecondProof, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { LONGEST_REASON, readIds, reasonWords } from '../operations/index.js';

import { BulkError } from './bulk-errors.js';
import { HOST_BULK_ACTIONS, readRenewal, SINGLE_OPERATION, type BulkOrder } from './bulk-order.js';
import type { BulkReport } from './bulk-report.js';
import { HostBulk } from './host-bulk.js';

/** Fields of `zjpl`. */
export class BulkInput {
  /** A JSON array or a comma-separated list of at most 500 ids. */
  @IsString() @MaxLength(20_000) idsz!: string;
  /** The action. */
  @Trimmed() @IsIn(Object.keys(HOST_BULK_ACTIONS)) cz!: string;
  /** For `renew`: JSON, `{"days":30}` or `{"datae":"2027-01-31"}`. */
  @IsOptional() @IsString() @MaxLength(500) cs?: string;
  /** For `pause` and `resume`: the reason, as in `zjzt`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(LONGEST_REASON) yy = '';
  /** For `pause` and `resume`: whether the owners are notified. */
  @IsOptional() @Switch() @IsBoolean() tzyh = false;
}

/** Fields of `listzjpl`. */
export class BulkListInput extends ListInput {
  /** Task id; by default the caller's newest task. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) rw?: string;
}

/** A host of an order on the wire: every value is text. */
interface BulkRow {
  id: string;
  user: string;
  /** `waiting`, `done`, `failed`, or `unknown` when the task ended without a complete report. */
  zt: string;
  /** Reason of the failure, translated. */
  yy: string;
}

/** Bulk actions on hosts. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class HostBulkOperations {
  constructor(
    private readonly bulk: HostBulk,
    private readonly proof: SecondProof,
    private readonly config: AppConfig,
  ) {}

  /** @throws BulkError; OperationError SECOND_PROOF before sites are deleted */
  @Operation({
    side: 'admin',
    gn: 'zjpl',
    auth: 'admin',
    input: BulkInput,
    audit: 'hosting.audit_bulk',
    rate: 'write',
    servers: { of: 'host', field: 'idsz', many: true },
  })
  async begin({ idsz, cz, cs, yy, tzyh }: BulkInput, ctx: CallContext): Promise<SuccessReply> {
    const action = HOST_BULK_ACTIONS[cz]!;
    if (!accessOf(ctx.admin).allows(SINGLE_OPERATION[action])) throw new BulkError('NOT_ALLOWED');
    const { ids, invalid } = readIds(idsz);
    // Hosts on servers the caller may not see are reported as not found.
    const all = [...ids, ...invalid.map(() => 0)];
    const renewal = action === 'renew' ? readRenewal(cs, this.config.timezone) : null;
    const isPause = action === 'pause' || action === 'resume';
    if (!isPause && yy !== '') throw new BulkError('INVALID_FIELDS', {}, { yy: 'hosting.bulk_pause_only' });
    if (!isPause && tzyh) throw new BulkError('INVALID_FIELDS', {}, { tzyh: 'hosting.bulk_pause_only' });
    if (action === 'delete') await this.proof.require('admin', ctx);
    const task = await this.bulk.order(action, all, renewal, ctx.admin!.username, { why: yy, tells: tzyh });
    return new SuccessReply(
      'hosting.bulk_begun',
      { task_id: task, n: all.length, redirect: `/admin/host-bulk?rw=${encodeURIComponent(task)}` },
      { n: all.length, deed: { key: `hosting.bulk_deed_${action}` } },
    );
  }

  /** Lists the results of the caller's newest order, or of another of the caller's orders. */
  @Operation({ side: 'admin', gn: 'listzjpl', auth: 'admin', input: BulkListInput, audit: null, rate: 'read', servers: 'listed' })
  async list({ rw, page, limit }: BulkListInput, ctx: CallContext): Promise<ListReply<BulkRow>> {
    const task = await this.bulk.find(ctx.admin!.username, rw || undefined);
    const rows = task ? rowsOf(task, localeOf(ctx.locale)) : [];
    return new ListReply(rows.length, rows.slice((page - 1) * limit, page * limit));
  }
}

function rowsOf(task: TaskView, locale: Locale): BulkRow[] {
  const { items } = task.payload as BulkOrder;
  const report = task.state === 'done' ? (task.result as BulkReport | null) : null;
  const isOpen = task.state === 'waiting' || task.state === 'running';
  return items.map(([id, user], at) => {
    const outcome = report?.outcomes[at];
    const reason = outcome ? report!.reasons[outcome - 1] : undefined;
    return {
      id: String(id),
      user: user || (id > 0 ? `#${id}` : '—'),
      zt: isOpen ? 'waiting' : outcome === undefined ? 'unknown' : outcome === 0 ? 'done' : 'failed',
      yy: reason ? translate(locale, reason.key, withReasonWords(reason.params ?? {}, locale)) : '',
    };
  });
}

/** Translates pause reasons, which are stored by key. */
function withReasonWords(params: NonNullable<Parameters<typeof translate>[2]>, locale: Locale): typeof params {
  const { reasons } = params;
  return typeof reasons === 'string' ? { ...params, reasons: reasonWords(reasons.split(', '), locale) } : params;
}
