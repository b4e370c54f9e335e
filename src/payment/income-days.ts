import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, legacyDay, startOfDay } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';

const NOON_MS = DAY_MS / 2;

/** Income of one day. */
export interface IncomeDay {
  /** `YYYY-MM-DD` in the panel's zone. */
  readonly day: string;
  /** Orders that were paid. */
  readonly orders: number;
  /** Fen. */
  readonly income: number;
}

/** Income and refunds of one day. */
export interface NetDay extends IncomeDay {
  /** Fen that were given back, of whatever day's orders. */
  readonly refunded: number;
  /** When it begins. */
  readonly since: Date;
}

/** Sums up income and refunds by day, in the panel's time zone. */
@Injectable()
export class IncomeDays {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** The last days, with today at the end, with what was given back; days without a payment are there too. @param count 1 to 366 */
  async net(count: number): Promise<NetDay[]> {
    const bounds = this.boundsOf(count);
    // The state is not asked for in the condition: its index would be taken, with all refunds there ever were.
    const ofDay = `SELECT ? AS at, SUM(CASE WHEN {Refund.state} = 'done' THEN ROUND({Refund.amount} * 100) ELSE 0 END) AS refunded
      FROM {Refund}
      WHERE {Refund.doneAt} >= ? AND {Refund.doneAt} < ?`;
    const [days, rows] = await Promise.all([this.between(bounds), this.eachDay<{ at: number; refunded: number | null }>(ofDay, bounds)]);
    const refunded = new Map(rows.map((row) => [Number(row.at), Number(row.refunded ?? 0)]));
    return days.map((day, at) => ({ ...day, refunded: refunded.get(at) ?? 0, since: bounds[at]! }));
  }

  /** Day by day. @param bounds when each day begins, and the end of the last one; at most 400 */
  async between(bounds: readonly Date[]): Promise<IncomeDay[]> {
    const { timezone } = this.config;
    const starts = bounds.slice(0, -1);
    // Fen before the sum: yuan added up as floats would lose some. One range of the index for each day.
    const ofDay = `SELECT ? AS at, COUNT(*) AS orders, SUM(ROUND({PaymentTransaction.amount} * 100)) AS income FROM {PaymentTransaction}
      WHERE {PaymentTransaction.createdAt} >= ? AND {PaymentTransaction.createdAt} < ?`;
    const rows = await this.eachDay<{ at: number; orders: number; income: number | null }>(ofDay, bounds);
    const days = starts.map((start) => ({ day: legacyDay(start, timezone), orders: 0, income: 0 }));
    for (const { at, orders, income } of rows) Object.assign(days[Number(at)]!, { orders: Number(orders), income: Number(income ?? 0) });
    return days;
  }

  /** One statement for all days, with the number of each, its begin and its end. */
  private eachDay<Row>(ofDay: string, bounds: readonly Date[]): Promise<Row[]> {
    const starts = bounds.slice(0, -1);
    return this.database
      .statement<Row>(starts.map(() => ofDay).join(' UNION ALL '))
      .all(...starts.flatMap((start, at) => [at, start, bounds[at + 1]!]));
  }

  private boundsOf(count: number): Date[] {
    const { timezone } = this.config;
    const today = startOfDay(this.clock.now(), timezone);
    // From noon to noon: days on which clocks change have 23 or 25 hours.
    const starts = Array.from({ length: count }, (_, at) =>
      startOfDay(new Date(today.getTime() + NOON_MS - (count - 1 - at) * DAY_MS), timezone),
    );
    return [...starts, new Date(today.getTime() + 2 * DAY_MS)];
  }
}
