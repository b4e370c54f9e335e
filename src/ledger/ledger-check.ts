import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { Job, type JobTurn } from '../jobs/index.js';

import { CheckQueries, type Found } from './check-queries.js';
import { Credit, CreditCheck, CreditDifference, CreditTransfer } from './entities/index.js';
import { LedgerNotices } from './ledger-notices.js';

/** Number of checks kept. */
const KEPT_CHECKS = 90;
/** How long a paid top-up may wait for its delivery before it counts as missing, in milliseconds. */
const DELIVERY_MS = 60 * 60_000;

/**
 * Compares the ledger with itself and with the orders, every night and on request; only the list of
 * differences is changed.
 */
@Injectable()
export class LedgerCheck {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly queries: CheckQueries,
    private readonly notices: LedgerNotices,
  ) {}

  /** @returns the number of differences */
  @Job({ name: 'ledger-check', dailyAt: '03:10', timeoutMinutes: 30 })
  async run(turn?: JobTurn): Promise<number> {
    const now = this.clock.now();
    const found: Found[] = [];
    for (const check of this.queries.all(new Date(now.getTime() - DELIVERY_MS))) {
      turn?.signal.throwIfAborted();
      found.push(...(await check()));
    }
    const [credits, transfers] = await Promise.all([
      this.database.repository(Credit).count(),
      this.database.repository(CreditTransfer).count(),
    ]);
    await this.database.transaction(async () => {
      const rows = this.database.repository(CreditDifference);
      const before = new Map((await rows.find()).map((row) => [keyOf(row), row]));
      await rows.createQueryBuilder().delete().execute();
      for (const one of found) await rows.insert({ ...one, foundAt: before.get(keyOf(one))?.foundAt ?? now });
      const checks = this.database.repository(CreditCheck);
      const { identifiers } = await checks.insert({ credits, transfers, differences: found.length, checkedAt: now });
      const last = Number(identifiers[0]!.id);
      await checks
        .createQueryBuilder()
        .delete()
        .where('id <= :old', { old: last - KEPT_CHECKS })
        .execute();
      const fresh = found.filter((one) => !before.has(keyOf(one)));
      if (fresh.length > 0) await this.notices.differs(last, fresh.length);
    });
    return found.length;
  }

  /** Returns the last check. */
  async last(): Promise<CreditCheck | null> {
    const [check] = await this.database.repository(CreditCheck).find({ order: { id: 'DESC' }, take: 1 });
    return check ?? null;
  }
}

const keyOf = ({ kind, subject }: Pick<Found, 'kind' | 'subject'>): string => `${kind} ${subject}`;
