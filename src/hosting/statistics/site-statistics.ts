import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { type LogEntry, readLogLine } from './log-entry.js';
import { type Range, timesOf } from './ranges.js';
import { type Counted, StatisticRepository } from './statistic-repository.js';
import { COUNTS, type CountName, type Tally } from './tally.js';
import type { TopList } from './top-list.js';

/** An entry of a top list: its count, and its share of the total in percent. */
export interface Ranked {
  readonly name: string;
  readonly count: number;
  readonly percent: number;
}

/** Visitor statistics of a site for a range. */
export interface SiteNumbers {
  readonly all: Tally;
  /** Every time of the range, including those without visits. */
  readonly times: readonly Counted[];
}

const NO_COUNTS = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;

/** Reads the statistics of a site. */
@Injectable()
export class SiteStatistics {
  constructor(
    private readonly repository: StatisticRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Returns the statistics of a range. */
  async of(accountId: number, range: Range): Promise<SiteNumbers> {
    const { unit, times } = timesOf(range, this.clock, this.config.timezone);
    const found = await this.repository.between(accountId, unit, times[0]!, times.at(-1)!);
    const known = new Map(found.times.map((time) => [time.at, time]));
    const all = range === 'yesterday' ? await this.day(accountId, times[0]!.slice(0, 10)) : found.all;
    return { all, times: times.map((at) => known.get(at) ?? { at, counts: NO_COUNTS, visitors: 0 }) };
  }

  /** Returns the last requests to a site, newest first. @throws HostingError as {@link OpenSite.ask} */
  async recent(site: OpenSite, count: number): Promise<LogEntry[]> {
    const lines = await site.ask('statistics', (port, account, deadline) => port.last(account, count, deadline));
    return lines
      .map((line) => readLogLine(line, this.config.timezone))
      .filter((entry) => entry !== null)
      .reverse();
  }

  /** The hourly lists of yesterday may already be removed, so those of the day are used. */
  private async day(accountId: number, day: string): Promise<Tally> {
    return (await this.repository.between(accountId, 'd', day, day)).all;
  }
}

/** Returns the entries of a list, the most frequent first. */
export function ranked({ total, counts }: TopList): Ranked[] {
  return Object.entries(counts)
    .map(([name, count]) => ({ name, count, percent: total > 0 ? Math.round((count * 1_000) / total) / 10 : 0 }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

/** Returns the count of a list that is not attributed to a name, including the error of the approximation. */
export function othersOf({ total, counts }: TopList): number {
  return total - Object.values(counts).reduce((sum, count) => sum + count, 0);
}
