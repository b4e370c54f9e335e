import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';

import type { StatUnit } from '../entities/index.js';

import { RANGES, UNIT_MS, beginOf, type Range } from './units.js';

/** A data point of a range. */
export interface StatPoint {
  readonly at: Date;
  readonly checks: number;
  readonly oks: number;
  /** Mean response time in milliseconds; null if none was measured. */
  readonly ms: number | null;
}

/** Aggregated checks of a period. */
interface Sum {
  checks: number;
  oks: number;
  timed: number;
  msTotal: number;
}

type StatRow = Sum & { at: string };

/** A single check. */
export interface Beat {
  readonly ok: boolean;
  readonly at: Date;
  readonly ms: number | null;
}

/** From coarse to fine: periods not yet aggregated in one unit are taken from the next. */
const UNITS = ['d', 'h', 'm'] as const;
/** Maximum number of single checks after the last aggregated minute; more than two minutes can contain. */
const MAX_SINGLE_CHECKS = 100;

/** Statistics of monitors from aggregates, and from single checks for the most recent minutes. */
@Injectable()
export class MonitorStats {
  private readonly rows;
  private readonly totals;
  private readonly last;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    const of = 'FROM {MonitorStat} WHERE {MonitorStat.taskId} = ? AND {MonitorStat.unit} = ? AND {MonitorStat.at} >= ?';
    this.rows = database.statement<StatRow>(
      `SELECT {MonitorStat.at} AS at, {MonitorStat.checks} AS checks, {MonitorStat.oks} AS oks, {MonitorStat.timed} AS timed,
       {MonitorStat.msTotal} AS msTotal ${of} ORDER BY {MonitorStat.at}`,
    );
    this.totals = database.statement<{ at: string | null; checks: number | null; oks: number | null }>(
      `SELECT MAX({MonitorStat.at}) AS at, SUM({MonitorStat.checks}) AS checks, SUM({MonitorStat.oks}) AS oks ${of}`,
    );
    this.last = database.statement<{ status: string; at: string; ms: number | null }>(
      `SELECT {MonitorCheck.status} AS status, {MonitorCheck.createdAt} AS at, {MonitorCheck.responseTime} AS ms FROM {MonitorCheck}
       WHERE {MonitorCheck.taskId} = ? ORDER BY {MonitorCheck.id} DESC LIMIT ?`,
    );
  }

  /** Returns the uptime of each range in percent with two decimals; null without checks. */
  async uptimes(taskId: number): Promise<Record<Range, number | null>> {
    const last = await this.beats(taskId, MAX_SINGLE_CHECKS);
    const entries = (Object.keys(RANGES) as Range[]).map(async (range) => [range, await this.uptimeOf(taskId, range, last)] as const);
    return Object.fromEntries(await Promise.all(entries)) as Record<Range, number | null>;
  }

  /** Returns the uptime of a range in percent with two decimals, including the latest check; null without checks. */
  async uptime(taskId: number, range: Range): Promise<number | null> {
    return this.uptimeOf(taskId, range, await this.beats(taskId, MAX_SINGLE_CHECKS));
  }

  /** Returns a range in equal parts; parts without checks are omitted. */
  async points(taskId: number, range: Range): Promise<StatPoint[]> {
    const { ms, points, unit } = RANGES[range];
    const length = Math.max(UNIT_MS[unit], ms / points);
    const parts = new Map<number, Sum>();
    const add = (at: Date, sum: Sum): void => {
      const begin = Math.floor(at.getTime() / length) * length;
      const part = parts.get(begin) ?? { checks: 0, oks: 0, timed: 0, msTotal: 0 };
      for (const field of ['checks', 'oks', 'timed', 'msTotal'] as const) part[field] += Number(sum[field]);
      parts.set(begin, part);
    };
    let since = this.beginOf(range);
    for (const finer of unitsOf(range)) {
      const rows = await this.rows.all(taskId, finer, toSqlTime(since));
      for (const row of rows) add(fromSqlTime(row.at), row);
      since = endOf(finer, rows.at(-1)?.at) ?? since;
    }
    for (const { ok, at, ms: took } of await this.beats(taskId, MAX_SINGLE_CHECKS)) {
      if (at < since) continue;
      const timed = ok && took !== null;
      add(at, { checks: 1, oks: ok ? 1 : 0, timed: timed ? 1 : 0, msTotal: timed ? took : 0 });
    }
    return [...parts].map(([at, { checks, oks, timed, msTotal }]) => ({
      at: new Date(at),
      checks,
      oks,
      ms: timed > 0 ? Math.round(msTotal / timed) : null,
    }));
  }

  /** Returns the last checks, at most `count`, newest last. */
  async beats(taskId: number, count: number): Promise<Beat[]> {
    const rows = await this.last.all(taskId, count);
    return rows.reverse().map(({ status, at, ms }) => ({ ok: status === 'ok', at: fromSqlTime(at), ms }));
  }

  /** @param last latest single checks, to include those not yet aggregated */
  private async uptimeOf(taskId: number, range: Range, last: readonly Beat[]): Promise<number | null> {
    let checks = 0;
    let oks = 0;
    let since = this.beginOf(range);
    for (const unit of unitsOf(range)) {
      const sum = await this.totals.get(taskId, unit, toSqlTime(since));
      checks += Number(sum?.checks ?? 0);
      oks += Number(sum?.oks ?? 0);
      since = endOf(unit, sum?.at) ?? since;
    }
    // Checks that are not aggregated yet.
    const single = last.filter(({ at }) => at >= since);
    checks += single.length;
    oks += single.filter(({ ok }) => ok).length;
    return checks > 0 ? Math.floor((oks / checks) * 10_000) / 100 : null;
  }

  private beginOf(range: Range): Date {
    const { ms, unit } = RANGES[range];
    return beginOf(unit, new Date(this.clock.now().getTime() - ms));
  }
}

/** Returns the unit of a range and the finer ones. */
const unitsOf = (range: Range): readonly StatUnit[] => UNITS.slice(UNITS.indexOf(RANGES[range].unit));

/** Returns the end of a period; undefined for none. */
function endOf(unit: StatUnit, at: string | null | undefined): Date | undefined {
  const begin = fromSqlTime(at ?? null);
  return begin ? new Date(begin.getTime() + UNIT_MS[unit]) : undefined;
}
