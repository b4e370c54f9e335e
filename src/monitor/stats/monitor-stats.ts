import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';

import type { StatUnit } from '../entities/index.js';

import { RANGES, UNIT_MS, beginOf, type Range } from './units.js';

/** Part of a time that is looked back over. */
export interface StatPoint {
  readonly at: Date;
  readonly checks: number;
  readonly oks: number;
  /** Mean of the answers, in milliseconds; null where none was timed. */
  readonly ms: number | null;
}

/** Checks of a piece of time, added up. */
interface Sum {
  checks: number;
  oks: number;
  timed: number;
  msTotal: number;
}

type StatRow = Sum & { at: string };

/** Last checks of a monitor, the newest last. */
export interface Beat {
  readonly ok: boolean;
  readonly at: Date;
  readonly ms: number | null;
}

/** From the widest unit to the finest: what one has not added up yet is told by the next. */
const UNITS = ['d', 'h', 'm'] as const;
/** Single checks that may lie behind the last minute that was added up: more than come in the two minutes that takes. */
const MOST_SINGLE = 100;

/** Looks back at monitors: by what was added up, and by single checks for the minutes since then. */
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

  /** Uptime of each range in percent, two digits; null where nothing was checked. */
  async uptimes(taskId: number): Promise<Record<Range, number | null>> {
    const last = await this.beats(taskId, MOST_SINGLE);
    const entries = (Object.keys(RANGES) as Range[]).map(async (range) => [range, await this.uptimeOf(taskId, range, last)] as const);
    return Object.fromEntries(await Promise.all(entries)) as Record<Range, number | null>;
  }

  /** Uptime of a range in percent, two digits, the last check counted; null where nothing was checked. */
  async uptime(taskId: number, range: Range): Promise<number | null> {
    return this.uptimeOf(taskId, range, await this.beats(taskId, MOST_SINGLE));
  }

  /** A range in equal parts, those without a check left out. */
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
    for (const { ok, at, ms: took } of await this.beats(taskId, MOST_SINGLE)) {
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

  /** The last checks, at most `count`. */
  async beats(taskId: number, count: number): Promise<Beat[]> {
    const rows = await this.last.all(taskId, count);
    return rows.reverse().map(({ status, at, ms }) => ({ ok: status === 'ok', at: fromSqlTime(at), ms }));
  }

  /** @param last the newest single checks: those that came after what was added up count as well */
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
    // Those nothing was added up of yet.
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

/** The unit of a range and the finer ones. */
const unitsOf = (range: Range): readonly StatUnit[] => UNITS.slice(UNITS.indexOf(RANGES[range].unit));

/** When a piece of time ends; nothing for none. */
function endOf(unit: StatUnit, at: string | null | undefined): Date | undefined {
  const begin = fromSqlTime(at ?? null);
  return begin ? new Date(begin.getTime() + UNIT_MS[unit]) : undefined;
}
