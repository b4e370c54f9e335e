import { Injectable } from '@nestjs/common';

import { DAY_MS, legacyDay, startOfDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';

const NOON_MS = DAY_MS / 2;

/** Income of one day. */
export interface IncomeDay {
  /** `YYYY-MM-DD` in the panel's zone. */
  readonly day: string;
  /** Number of paid orders. */
  readonly orders: number;
  /** Income in fen. */
  readonly income: number;
}

/** Income and refunds of one day. */
export interface NetDay extends IncomeDay {
  /** Refunds made on that day in fen, whatever the day of their orders. */
  readonly refunded: number;
  /** Start of the day. */
  readonly since: Date;
}

/** Sums up income and refunds by day, in the panel's time zone. */
@Injectable()
export class IncomeDays {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns the last days up to today with income and refunds, including days without payments. @param count 1 to 366 */
  async net(count: number): Promise<NetDay[]> {
    const bounds = this.boundsOf(count);
    // The state is not part of the condition, because the database would use its index, which covers all refunds ever made.
    const ofDay = `SELECT ? AS at, SUM(CASE WHEN {Refund.state} = 'done' THEN ROUND({Refund.amount} * 100) ELSE 0 END) AS refunded
      FROM {Refund}
      WHERE {Refund.doneAt} >= ? AND {Refund.doneAt} < ?`;
    const [days, rows] = await Promise.all([this.between(bounds), this.eachDay<{ at: number; refunded: number | null }>(ofDay, bounds)]);
    const refunded = new Map(rows.map((row) => [Number(row.at), Number(row.refunded ?? 0)]));
    return days.map((day, at) => ({ ...day, refunded: refunded.get(at) ?? 0, since: bounds[at]! }));
  }

  /** Returns the income by day. @param bounds start of each day, and the end of the last one; at most 400 */
  async between(bounds: readonly Date[]): Promise<IncomeDay[]> {
    const { timezone } = this.clock;
    const starts = bounds.slice(0, -1);
    // Converted to fen before summing: sums of floating-point yuan lose precision. One index range per day.
    const ofDay = `SELECT ? AS at, COUNT(*) AS orders, SUM(ROUND({PaymentTransaction.amount} * 100)) AS income FROM {PaymentTransaction}
      WHERE {PaymentTransaction.createdAt} >= ? AND {PaymentTransaction.createdAt} < ?`;
    const rows = await this.eachDay<{ at: number; orders: number; income: number | null }>(ofDay, bounds);
    const days = starts.map((start) => ({ day: legacyDay(start, timezone), orders: 0, income: 0 }));
    for (const { at, orders, income } of rows) Object.assign(days[Number(at)]!, { orders: Number(orders), income: Number(income ?? 0) });
    return days;
  }

  /** Runs one statement for all days, with the number, start and end of each. */
  private eachDay<Row>(ofDay: string, bounds: readonly Date[]): Promise<Row[]> {
    const starts = bounds.slice(0, -1);
    return this.database
      .statement<Row>(starts.map(() => ofDay).join(' UNION ALL '))
      .all(...starts.flatMap((start, at) => [at, start, bounds[at + 1]!]));
  }

  private boundsOf(count: number): Date[] {
    const { timezone } = this.clock;
    const today = startOfDay(this.clock.now(), timezone);
    // Computed from noon to noon, because days with a clock change have 23 or 25 hours.
    const starts = Array.from({ length: count }, (_, at) =>
      startOfDay(new Date(today.getTime() + NOON_MS - (count - 1 - at) * DAY_MS), timezone),
    );
    return [...starts, new Date(today.getTime() + 2 * DAY_MS)];
  }
}
