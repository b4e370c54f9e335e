import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

import { CachedAggregate } from './cached-aggregate.js';

/** How long days that are over are kept, in milliseconds; they change only when an item is deleted. */
const TRUSTED_MS = HOUR_MS;

/** Downloads of the whole store on a day. */
export interface DownloadDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly downloads: number;
  /** One that downloaded two items counts twice. */
  readonly visitors: number;
}

/** Downloads day by day. A busy day has a row for every item, so days that are over are added up once. */
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
    this.past = new CachedAggregate(database, [{ entity: 'StoreItem', kinds: ['deleted'] }], TRUSTED_MS, (from: string, before: string) =>
      this.dayByDay(from, before),
    );
  }

  /** The last days that had any download, oldest first. @param days how many, today among them; 2 or more */
  async last(days: number): Promise<DownloadDay[]> {
    // Yesterday stays open: a download of its last moments may commit today.
    const open = this.dayOf(1);
    const [past, present] = await Promise.all([this.past.get(this.dayOf(days - 1), open), this.between(open, this.dayOf(-1))]);
    return [...past, ...present];
  }

  /** SQLite answers in one go: between days everybody else has a turn. */
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
