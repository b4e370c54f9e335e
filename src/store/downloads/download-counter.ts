import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { MemoryWindows, RateLimiter, addressForLimits } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

/** Downloads of one address that are logged and counted: a thousand an hour. What is beyond is served, and is not worth a row. */
const COUNTED = { limit: 1_000, windowSeconds: 3_600 };
/** How long a download stays in the log, in milliseconds: 400 days. Its day keeps the count. */
const LOGGED_MS = 400 * 24 * 3_600_000;
/** Rows removed by one statement. */
const BATCH = 2_000;

/** One full download. */
export interface CountedDownload {
  readonly itemId: number;
  readonly version: string;
  /** Who is signed in. */
  readonly userId: number | null;
  readonly ip: string;
}

/** Days are UTC; the visitors of one are forgotten once it is over. */
@Injectable()
export class DownloadCounter {
  private readonly log;
  private readonly visitor;
  private readonly day;
  private readonly total;
  private readonly forget;
  private readonly removeOld;
  private readonly windows = new MemoryWindows(COUNTED);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limiter: RateLimiter,
  ) {
    this.log = database.statement(
      `INSERT INTO {StoreDownload} ({StoreDownload.itemId}, {StoreDownload.version}, {StoreDownload.userId}, {StoreDownload.ip}, {StoreDownload.createdAt})
       VALUES (?, ?, ?, ?, ?)`,
    );
    this.visitor = database.statement(
      `${database.insertIgnore} {StoreVisitorDay} ({StoreVisitorDay.itemId}, {StoreVisitorDay.day}, {StoreVisitorDay.visitorHash}) VALUES (?, ?, ?)`,
    );
    this.day = database.statement(
      `INSERT INTO {StoreDownloadDay} ({StoreDownloadDay.itemId}, {StoreDownloadDay.version}, {StoreDownloadDay.day}, {StoreDownloadDay.downloads}, {StoreDownloadDay.visitors})
       VALUES (?, ?, ?, 1, ?) ${database.onConflict('item_id', 'version', 'day')}
       {StoreDownloadDay.downloads} = {StoreDownloadDay.downloads} + 1, {StoreDownloadDay.visitors} = {StoreDownloadDay.visitors} + ?`,
    );
    this.total = database.statement('UPDATE {StoreItem} SET {StoreItem.downloads} = {StoreItem.downloads} + 1 WHERE {StoreItem.id} = ?');
    this.removeOld = database.statement(
      `DELETE FROM {StoreDownload} WHERE {StoreDownload.id} IN (SELECT id FROM (SELECT {StoreDownload.id} AS id FROM {StoreDownload}
        WHERE {StoreDownload.createdAt} < ? ORDER BY {StoreDownload.createdAt} LIMIT ${BATCH}) AS old)`,
    );
    this.forget = database.statement('DELETE FROM {StoreVisitorDay} WHERE {StoreVisitorDay.day} < ?');
  }

  /** Logs and counts a download: all of it or nothing. */
  async count({ itemId, version, userId, ip }: CountedDownload): Promise<void> {
    const now = this.clock.now();
    if (this.limiter.isOn && this.windows.hit(addressForLimits(ip), now.getTime()) > 0) return;
    const day = now.toISOString().slice(0, 10);
    const visitor = createHash('sha256').update(`${day} ${userId === null ? `ip ${ip}` : `user ${userId}`}`).digest('hex');
    await this.database.transaction(async () => {
      // The item first: of two downloads at once the second waits here, and neither for the other further on.
      if ((await this.total.run(itemId)).affected === 0) return;
      await this.log.run(itemId, version, userId, ip.slice(0, 64), now);
      const isNew = (await this.visitor.run(itemId, day, visitor)).affected;
      await this.day.run(itemId, version, day, isNew, isNew);
    });
  }

  /** Forgets who downloaded on days that are over, and the downloads of long ago. */
  async removeVisitors(): Promise<void> {
    const now = this.clock.now();
    await this.forget.run(now.toISOString().slice(0, 10));
    const before = new Date(now.getTime() - LOGGED_MS);
    while ((await this.removeOld.run(before)).affected === BATCH);
  }
}
