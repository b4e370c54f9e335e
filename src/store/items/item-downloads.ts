import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

/** Download statistics of an item. */
export interface ItemDownloads {
  /** Days with downloads, oldest first, UTC. */
  readonly days: { readonly day: string; readonly downloads: number; readonly visitors: number }[];
  /** All-time downloads by version, most downloaded first. */
  readonly versions: { readonly version: string; readonly downloads: number }[];
}

/** Reads download statistics of an item, by day and by version. */
@Injectable()
export class ItemDownloadNumbers {
  private readonly byDay;
  private readonly byVersion;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    const sum = (property: string): string => `SUM({StoreDownloadDay.${property}}) AS ${property}`;
    this.byDay = database.statement<{ day: string; downloads: number; visitors: number }>(
      `SELECT {StoreDownloadDay.day} AS day, ${sum('downloads')}, ${sum('visitors')} FROM {StoreDownloadDay}
       WHERE {StoreDownloadDay.itemId} = ? AND {StoreDownloadDay.day} >= ? GROUP BY {StoreDownloadDay.day} ORDER BY {StoreDownloadDay.day}`,
    );
    this.byVersion = database.statement<{ version: string; downloads: number }>(
      `SELECT {StoreDownloadDay.version} AS version, ${sum('downloads')} FROM {StoreDownloadDay} WHERE {StoreDownloadDay.itemId} = ?
       GROUP BY {StoreDownloadDay.version} ORDER BY downloads DESC LIMIT 200`,
    );
  }

  /** @param days number of days, including today */
  async of(itemId: number, days: number): Promise<ItemDownloads> {
    const from = new Date(this.clock.now().getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    const [byDay, byVersion] = await Promise.all([this.byDay.all(itemId, from), this.byVersion.all(itemId)]);
    return {
      days: byDay.map(({ day, downloads, visitors }) => ({
        day: String(day).slice(0, 10),
        downloads: Number(downloads),
        visitors: Number(visitors),
      })),
      versions: byVersion.map(({ version, downloads }) => ({ version, downloads: Number(downloads) })),
    };
  }
}
