import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

import { CachedAggregate } from './cached-aggregate.js';

/** How long sums of past days are cached, in milliseconds; they change only when an item is deleted. */
const MAX_AGE_MS = HOUR_MS;

/** Downloads of the whole store on one day. */
export interface DownloadDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly downloads: number;
  /** Visitors per item: a visitor who downloaded two items counts twice. */
  readonly visitors: number;
}

/** Downloads per day. A busy day has a row per item, so the sums of past days are cached. */
@Injectable()
export class DownloadDays {
  private readonly sums;
  private readonly past;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.sums = database.statement<{ day: string; downloads: number; visitors: number }>(
      `SELECT {StoreDownloadDay.day} AS day, SUM({StoreDownloadDay.downloads}) AS downloads, SUM({StoreDownloadDay.visitors}) AS visitors
       FROM {StoreDownloadDay} WHERE {StoreDownloadDay.day} >= ? AND {StoreDownloadDay.day} < ? GROUP BY {StoreDownloadDay.day}
       ORDER BY {StoreDownloadDay.day}`,
    );
    this.past = new CachedAggregate(database, [{ entity: 'StoreItem', kinds: ['deleted'] }], MAX_AGE_MS, (from: string, before: string) =>
      this.dayByDay(from, before),
    );
  }

  /** Returns the last days with downloads, oldest first. @param days number of days including today; 2 or more */
  async last(days: number): Promise<DownloadDay[]> {
    // Yesterday is not cached: a download of its last moments may commit today.
    const open = this.dayOf(1);
    const [past, present] = await Promise.all([this.past.get(this.dayOf(days - 1), open), this.between(open, this.dayOf(-1))]);
    return [...past, ...present];
  }

  /** Queries one day at a time and yields between them, because SQLite blocks the event loop. */
  private async dayByDay(from: string, before: string): Promise<DownloadDay[]> {
    const days: DownloadDay[] = [];
    for (let day = from; day < before; day = dayAfter(day)) {
      days.push(...(await this.between(day, dayAfter(day))));
      await nextTurn();
    }
    return days;
  }

  private async between(from: string, before: string): Promise<DownloadDay[]> {
    const rows = await this.sums.all(from, before);
    return rows.map(({ day, downloads, visitors }) => ({
      day: String(day).slice(0, 10),
      downloads: Number(downloads),
      visitors: Number(visitors),
    }));
  }

  private dayOf(daysAgo: number): string {
    return new Date(this.clock.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
