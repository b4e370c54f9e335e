import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { DAY_MS, Clock, localeOf, translate, type TextParams } from '../common/index.js';
import { Database } from '../database/index.js';
import { checkVersion, type FormValues, nextVersion, VersionField } from '../http/index.js';
import { Job } from '../jobs/index.js';
import {
  AuditLog,
  MAX_IDS,
  Operation,
  OperationLog,
  RawReply,
  SuccessReply,
  WholeNumber,
  auditLine,
  lineOfCall,
  readIdList,
} from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { AccountError } from './errors.js';
import { LogLineInput } from './log.operations.js';

/** Lines deleted per statement, so that the table is not locked for long. */
const BATCH = 1_000;
/** Minimum age of deleted lines, in days. */
export const UNTOUCHED_DAYS = 30;
/** Log lines about deletions are never deleted. */
const DELETIONS = "('logsc', 'logscxz', 'logclear', 'logsz')";

class LinesInput {
  /** A JSON array, or separated by commas; at most 500 ids. */
  @IsString() @MaxLength(20_000) idsz!: string;
}

class ClearInput {
  /** Deletes lines older than so many days. */
  @IsOptional() @WholeNumber() @IsInt() @Min(UNTOUCHED_DAYS) @Max(3_650) days = UNTOUCHED_DAYS;
}

class RetentionInput {
  /** Retention in days, 30 to 3650; 0 keeps lines forever. */
  @WholeNumber() @IsInt() @Min(0) @Max(3_650) days!: number;
  @VersionField() row_version?: string;
}

/** Form values of {@link LogDeletionOperations.keep}, by field name. */
export const retentionForm = ({ logDays }: SiteSettings['current']): FormValues => ({ days: logDays });

/**
 * Deletes lines of the operation log that are at least {@link UNTOUCHED_DAYS} days old; the deletion itself is logged permanently.
 * Source: docs/panel-api.md "Operation log".
 */
@Injectable()
export class LogDeletionOperations {
  private readonly remove;
  private readonly removeFirst;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: SiteSettings,
    private readonly audit: AuditLog,
  ) {
    const old = `{OperationLog.createdAt} < ? AND {OperationLog.category} NOT IN ${DELETIONS}`;
    this.remove = database.statement(`DELETE FROM {OperationLog} WHERE {OperationLog.id} = ? AND ${old}`);
    this.removeFirst = database.statement(
      `DELETE FROM {OperationLog} WHERE {OperationLog.id} IN (SELECT id FROM (SELECT {OperationLog.id} AS id FROM {OperationLog}
        WHERE ${old} ORDER BY {OperationLog.createdAt}, {OperationLog.id} LIMIT ${BATCH}) AS old)`,
    );
  }

  @Operation({
    side: 'admin',
    gn: 'logsc',
    auth: 'admin',
    input: LogLineInput,
    audit: 'account.audit.log_delete',
    writesLine: true,
    rate: 'write',
  })
  async deleteOne({ id }: LogLineInput, ctx: CallContext): Promise<SuccessReply> {
    const deleted = await this.database.transaction(async () => {
      if ((await this.remove.run(id, this.daysAgo(UNTOUCHED_DAYS))).affected === 0) return false;
      await this.writeLine('logsc', 'account.audit.log_delete', { id }, ctx);
      return true;
    });
    if (!deleted) {
      const isThere = await this.database.repository(OperationLog).existsBy({ id });
      throw isThere ? new AccountError('LOG_LINE_STAYS', { days: UNTOUCHED_DAYS }) : new AccountError('LOG_LINE_MISSING');
    }
    return new SuccessReply('account.log_deleted', { id });
  }

  @Operation({
    side: 'admin',
    gn: 'logscxz',
    auth: 'admin',
    input: LinesInput,
    audit: 'account.audit.log_delete_many',
    writesLine: true,
    rate: 'write',
  })
  async deleteMany({ idsz }: LinesInput, ctx: CallContext): Promise<RawReply> {
    const { ids, invalid } = readIdList(idsz);
    const count = ids.length + invalid.length;
    if (count === 0) throw new AccountError('LOG_LINES_NONE');
    if (count > MAX_IDS) throw new AccountError('LOG_LINES_MANY');
    const code = await this.database.transaction(async () => {
      let done = 0;
      const before = this.daysAgo(UNTOUCHED_DAYS);
      for (const id of ids) done += (await this.remove.run(id, before)).affected;
      if (done > 0) await this.writeLine('logscxz', 'account.audit.log_delete_many', { done }, ctx);
      return done;
    });
    const codr = count - code;
    const ok = code > 0;
    const msg = translate(localeOf(ctx.locale), codr === 0 ? 'account.log_deleted' : 'account.log_deleted_some', {
      done: code,
      failed: codr,
    });
    return new RawReply({ success: ok, qk: ok ? 1 : 4, code, codr, msg, data: { code, codr } });
  }

  /** Deletes all older lines. The log line is written first, and updated after every batch with the number deleted so far. */
  @Operation({
    side: 'admin',
    gn: 'logclear',
    auth: 'admin',
    input: ClearInput,
    audit: 'account.audit.log_clear',
    writesLine: true,
    rate: 'write',
  })
  async clear({ days }: ClearInput, ctx: CallContext): Promise<SuccessReply> {
    const line = await this.writeLine('logclear', 'account.audit.log_clear', { done: 0 }, ctx);
    const done = await this.removeOlder(days, (soFar) => this.audit.retell(line, auditLine('account.audit.log_clear', { done: soFar })));
    return new SuccessReply('account.log_cleared', { count: done });
  }

  /** Sets the retention. @throws StaleForm */
  @Operation({ side: 'admin', gn: 'logsz', auth: 'admin', input: RetentionInput, audit: 'account.audit.log_days', rate: 'write' })
  async keep({ days, row_version }: RetentionInput): Promise<SuccessReply> {
    if (days > 0 && days < UNTOUCHED_DAYS) throw new AccountError('LOG_DAYS', {}, { days: 'account.log_days_rule' });
    await this.settings.change({ logDays: days }, (row) => checkVersion(row_version, retentionForm(row)));
    return new SuccessReply('account.log_days_saved', nextVersion(row_version, retentionForm(this.settings.current)));
  }

  /** Deletes lines older than the retention. @returns the number deleted */
  @Job({ name: 'log-retention', everyMinutes: 60, catchUp: true })
  async removeOld(): Promise<number> {
    const { logDays } = this.settings.current;
    return logDays === 0 ? 0 : this.removeOlder(Math.max(logDays, UNTOUCHED_DAYS));
  }

  /** @param report records the number deleted so far, in the transaction of the batch */
  private async removeOlder(days: number, report: (soFar: number) => Promise<void> = () => Promise.resolve()): Promise<number> {
    const before = this.daysAgo(days);
    let done = 0;
    for (let affected = BATCH; affected === BATCH;) {
      affected = await this.database.transaction(async () => {
        const batch = await this.removeFirst.run(before);
        if (batch.affected > 0) await report(done + batch.affected);
        return batch.affected;
      });
      done += affected;
      await nextTurn();
    }
    return done;
  }

  /** Writes the permanent log line. @returns its id */
  private writeLine(gn: string, key: string, params: TextParams, ctx: CallContext): Promise<number> {
    return this.audit.add(lineOfCall({ side: 'admin', gn }, auditLine(key, params), ctx));
  }

  private daysAgo(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
  }
}
