import './texts.js';

import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';

import { localeOf, translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { SuccessReply, MAX_IDS, NoInput, Operation, readIdList, RawReply, WholeNumber } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';

/** Lines deleted by one statement: nobody waits long for the table. */
const BATCH = 1_000;

class LineInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

class LinesInput {
  /** A JSON array, or a list with commas; at most 500 ids. */
  @IsString() @MaxLength(20_000) idsz!: string;
}

/** Deleting lines of the operation log; who did it stands in the log afterwards. Source: docs/panel-api.md "Operation log". */
@Injectable()
export class LogDeletionOperations {
  private readonly remove;
  private readonly removeFirst;
  private readonly newest;

  constructor(database: Database) {
    this.remove = database.statement('DELETE FROM {OperationLog} WHERE {OperationLog.id} = ?');
    this.removeFirst = database.statement(
      `DELETE FROM {OperationLog} WHERE {OperationLog.id} <= ? ORDER BY {OperationLog.id} LIMIT ${BATCH}`,
    );
    this.newest = database.statement<{ id: number | null }>('SELECT MAX({OperationLog.id}) AS id FROM {OperationLog}');
  }

  @Operation({ side: 'admin', gn: 'logsc', auth: 'admin', input: LineInput, audit: 'account.audit.log_delete', rate: 'write' })
  async deleteOne({ id }: LineInput): Promise<SuccessReply> {
    if ((await this.remove.run(id)).affected === 0) throw new AccountError('LOG_LINE_MISSING');
    return new SuccessReply('account.log_deleted', { id });
  }

  @Operation({ side: 'admin', gn: 'logscxz', auth: 'admin', input: LinesInput, audit: 'account.audit.log_delete_many', rate: 'write' })
  async deleteMany({ idsz }: LinesInput, ctx: CallContext): Promise<RawReply> {
    const { ids, invalid } = readIdList(idsz);
    const count = ids.length + invalid.length;
    if (count === 0) throw new AccountError('LOG_LINES_NONE');
    if (count > MAX_IDS) throw new AccountError('LOG_LINES_MANY');
    let code = 0;
    for (const id of ids) code += (await this.remove.run(id)).affected;
    const codr = count - code;
    const ok = code > 0;
    const msg = translate(localeOf(ctx.locale), codr === 0 ? 'account.log_deleted' : 'account.log_deleted_some', {
      done: code,
      failed: codr,
    });
    return new RawReply({ success: ok, qk: ok ? 1 : 4, code, codr, msg, data: { code, codr } }, {}, { done: code });
  }

  /** Everything that stands in it now; what is written meanwhile stays. */
  @Operation({ side: 'admin', gn: 'logclear', auth: 'admin', input: NoInput, audit: 'account.audit.log_clear', rate: 'write' })
  async clear(): Promise<SuccessReply> {
    const newest = Number((await this.newest.get())?.id ?? 0);
    let done = 0;
    for (let affected = BATCH; affected === BATCH;) {
      affected = (await this.removeFirst.run(newest)).affected;
      done += affected;
      await nextTurn();
    }
    return new SuccessReply('account.log_cleared', { count: done }, { done });
  }
}
