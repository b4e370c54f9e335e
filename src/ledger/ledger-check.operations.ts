import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, toYuan, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { ListInput, ListReply, NoInput, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CreditDifference } from './entities/index.js';
import { LedgerCheck } from './ledger-check.js';

/** The ledger check, for administrators. Source: docs/panel-api.md "Credit". */
@Injectable()
export class LedgerCheckOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly check: LedgerCheck,
  ) {}

  /** Lists the differences found by the last check. */
  @Operation({ side: 'admin', gn: 'listyecy', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async differences({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const [rows, total] = await this.database
      .repository(CreditDifference)
      .findAndCount({ order: { id: 'ASC' }, skip: (page - 1) * limit, take: limit });
    return new ListReply(
      total,
      rows.map(({ id, kind, subject, orderId, creditId, expected, found, foundAt }) => ({
        id,
        lx: kind,
        lr: translate(locale, `ledger.difference.${kind}`),
        dx: subject,
        dd_id: orderId,
        ye_id: creditId,
        yj: toYuan(expected),
        sj: toYuan(found),
        date: legacyTime(foundAt, this.config.timezone),
      })),
    );
  }

  /** Runs the check now; the job runs it every night. */
  @Operation({ side: 'admin', gn: 'yejc', auth: 'admin', input: NoInput, audit: 'ledger.audit_checked', rate: 'expensive' })
  async checkNow(): Promise<SuccessReply> {
    const n = await this.check.run();
    return new SuccessReply(n === 0 ? 'ledger.check_right' : 'ledger.check_differs', { n }, { n });
  }
}
