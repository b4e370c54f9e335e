import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';

import { RANGES, UNIT_MS, beginOf, type Range } from './units.js';

/** Part of a time that is looked back over. */
export interface StatPoint {
  readonly at: Date;
  readonly checks: number;
  readonly oks: number;
  /** Mean of the answers, in milliseconds; null where none was timed. */
  readonly ms: number | null;
}

interface StatRow {
  at: string;
  checks: number;
  oks: number;
  timed: number;
  msTotal: number;
}

/** Last checks of a monitor, the newest last. */
export interface Beat {
  readonly ok: boolean;
  readonly at: Date;
  readonly ms: number | null;
}

/** Looks back at monitors, by what was added up. */
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
    this.totals = database.statement<{ checks: number | null; oks: number | null }>(
      `SELECT SUM({MonitorStat.checks}) AS checks, SUM({MonitorStat.oks}) AS oks ${of}`,
    );
    this.last = database.statement<{ status: string; at: string; ms: number | null }>(
      `SELECT {MonitorCheck.status} AS status, {MonitorCheck.createdAt} AS at, {MonitorCheck.responseTime} AS ms FROM {MonitorCheck}
       WHERE {MonitorCheck.taskId} = ? ORDER BY {MonitorCheck.id} DESC LIMIT ?`,
    );
  }

  /** Uptime of each range in percent, two digits; null where nothing was added up yet. */
  async uptimes(taskId: number): Promise<Record<Range, number | null>> {
    const entries = (Object.keys(RANGES) as Range[]).map(async (range) => {
      const { unit } = RANGES[range];
      const row = await this.totals.get(taskId, unit, toSqlTime(this.beginOf(range)));
      const checks = Number(row?.checks ?? 0);
      return [range, checks > 0 ? Math.floor((Number(row!.oks) / checks) * 10_000) / 100 : null] as const;
    });
    return Object.fromEntries(await Promise.all(entries)) as Record<Range, number | null>;
  }

  /** A range in equal parts, those without a check left out. */
  async points(taskId: number, range: Range): Promise<StatPoint[]> {
    const { ms, unit, points } = RANGES[range];
    const length = Math.max(UNIT_MS[unit], ms / points);
    const parts = new Map<number, { checks: number; oks: number; timed: number; msTotal: number }>();
    for (const row of await this.rows.all(taskId, unit, toSqlTime(this.beginOf(range)))) {
      const at = Math.floor(fromSqlTime(row.at).getTime() / length) * length;
      const part = parts.get(at) ?? { checks: 0, oks: 0, timed: 0, msTotal: 0 };
      for (const field of ['checks', 'oks', 'timed', 'msTotal'] as const) part[field] += Number(row[field]);
      parts.set(at, part);
    }
    return [...parts].map(([at, { checks, oks, timed, msTotal }]) => ({
      at: new Date(at),
      checks,
      oks,
      ms: timed > 0 ? Math.round(msTotal / timed) : null,
    }));
  }

  /** The last checks, at most `count`. */
  async beats(taskId: number, count: number): Promise<Beat[]> {
    const rows = await this.last.all(taskId, count);
    return rows.reverse().map(({ status, at, ms }) => ({ ok: status === 'ok', at: fromSqlTime(at), ms }));
  }

  private beginOf(range: Range): Date {
    const { ms, unit } = RANGES[range];
    return beginOf(unit, new Date(this.clock.now().getTime() - ms));
  }
}
