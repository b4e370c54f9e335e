import { createHash } from 'node:crypto';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { MemoryWindows, RateLimiter, addressForLimits } from '../../auth/index.js';
import { DAY_MS, Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

/** Downloads logged and counted per address and hour; further downloads are served but not recorded. */
const COUNT_LIMIT = { limit: 1_000, windowSeconds: 3_600 };
/** How long a download stays in the log, in milliseconds: 400 days. The daily counts stay. */
const LOG_RETENTION_MS = 400 * DAY_MS;
/** Rows removed per statement. */
const BATCH = 2_000;

/** One full download. */
export interface CountedDownload {
  readonly itemId: number;
  readonly version: string;
  /** Signed-in user, if any. */
  readonly userId: number | null;
  readonly ip: string;
}

const log = loggerFor('store');
/** Maximum downloads buffered in memory while the database cannot be written; further ones are dropped. */
const MAX_BUFFERED = 1_000;
/** How many buffered downloads are written after a successful write or a timer tick. */
const CATCH_UP_BATCH = 20;

/** Counts downloads per UTC day; a day's visitors are deleted once it is over. */
@Injectable()
export class DownloadCounter implements OnModuleDestroy {
  private readonly log;
  private readonly visitor;
  private readonly day;
  private readonly total;
  private readonly deleteVisitors;
  private readonly removeOld;
  private readonly windows = new MemoryWindows(COUNT_LIMIT);
  /** Downloads not yet written; a full disk does not prevent downloading. */
  private readonly buffer: (CountedDownload & { readonly at: Date })[] = [];
  private lost = 0;
  private retry: NodeJS.Timeout | null = null;
  /** Milliseconds after which buffered downloads are retried without new traffic. */
  retryAfter = 10_000;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limiter: RateLimiter,
  ) {
    this.log = database.statement(
      `INSERT INTO {StoreDownload} ({StoreDownload.itemId}, {StoreDownload.version}, {StoreDownload.userId}, {StoreDownload.ip},
        {StoreDownload.createdAt})
       VALUES (?, ?, ?, ?, ?)`,
    );
    this.visitor = database.statement(
      `${database.insertIgnore} {StoreVisitorDay} ({StoreVisitorDay.itemId}, {StoreVisitorDay.day}, {StoreVisitorDay.visitorHash})
        VALUES (?, ?, ?)`,
    );
    this.day = database.statement(
      `INSERT INTO {StoreDownloadDay} ({StoreDownloadDay.itemId}, {StoreDownloadDay.version}, {StoreDownloadDay.day},
        {StoreDownloadDay.downloads}, {StoreDownloadDay.visitors})
       VALUES (?, ?, ?, 1, ?) ${database.onConflict('item_id', 'version', 'day')}
       {StoreDownloadDay.downloads} = {StoreDownloadDay.downloads} + 1, {StoreDownloadDay.visitors} = {StoreDownloadDay.visitors} + ?`,
    );
    this.total = database.statement('UPDATE {StoreItem} SET {StoreItem.downloads} = {StoreItem.downloads} + 1 WHERE {StoreItem.id} = ?');
    this.removeOld = database.statement(
      `DELETE FROM {StoreDownload} WHERE {StoreDownload.id} IN (SELECT id FROM (SELECT {StoreDownload.id} AS id FROM {StoreDownload}
        WHERE {StoreDownload.createdAt} < ? ORDER BY {StoreDownload.createdAt} LIMIT ${BATCH}) AS old)`,
    );
    this.deleteVisitors = database.statement('DELETE FROM {StoreVisitorDay} WHERE {StoreVisitorDay.day} < ?');
  }

  /** Logs and counts a download; a failed write is buffered and retried later. Never throws. */
  async count(download: CountedDownload): Promise<void> {
    const counted = { ...download, at: this.clock.now() };
    if (this.limiter.isOn && this.windows.hit(addressForLimits(download.ip), counted.at.getTime()) > 0) return;
    try {
      await this.write(counted);
    } catch (error) {
      this.addToBuffer(counted, error);
      return;
    }
    await this.catchUp();
  }

  private addToBuffer(download: CountedDownload & { readonly at: Date }, error: unknown): void {
    // Logged once per outage, not for every download.
    if (this.buffer.length === 0) log.error({ err: error }, 'downloads cannot be logged; they are served and will be logged later');
    if (this.buffer.length < MAX_BUFFERED) this.buffer.push(download);
    else this.lost += 1;
    this.scheduleRetry();
  }

  /** One timer regardless of the buffer size; unref'd so that it does not keep the process alive. */
  private scheduleRetry(): void {
    this.retry ??= setTimeout(() => {
      this.retry = null;
      void this.catchUp().then(() => {
        if (this.buffer.length > 0) this.scheduleRetry();
      });
    }, this.retryAfter).unref();
  }

  onModuleDestroy(): void {
    this.cancelRetry();
  }

  private cancelRetry(): void {
    if (this.retry) clearTimeout(this.retry);
    this.retry = null;
  }

  private async catchUp(): Promise<void> {
    for (const download of this.buffer.splice(0, CATCH_UP_BATCH)) {
      await this.write(download).catch((error: unknown) => this.addToBuffer(download, error));
    }
    if (this.buffer.length > 0) return;
    this.cancelRetry();
    if (this.lost === 0) return;
    log.warn({ lost: this.lost }, 'downloads are logged again; some were served without being logged');
    this.lost = 0;
  }

  /** Writes everything in one transaction. */
  private async write({ itemId, version, userId, ip, at: now }: CountedDownload & { readonly at: Date }): Promise<void> {
    const day = now.toISOString().slice(0, 10);
    const visitor = createHash('sha256')
      .update(`${day} ${userId === null ? `ip ${ip}` : `user ${userId}`}`)
      .digest('hex');
    await this.database.transaction(async () => {
      // Updates the item first: its row lock serializes concurrent downloads, which avoids deadlocks on the later rows.
      if ((await this.total.run(itemId)).affected === 0) return;
      await this.log.run(itemId, version, userId, ip.slice(0, 64), now);
      const isNew = (await this.visitor.run(itemId, day, visitor)).affected;
      await this.day.run(itemId, version, day, isNew, isNew);
    });
  }

  /** Deletes visitors of past days and expired log entries. */
  @Job({ name: 'store-downloads-sweep', everyMinutes: 60, catchUp: true })
  async removeVisitors(): Promise<void> {
    const now = this.clock.now();
    await this.deleteVisitors.run(now.toISOString().slice(0, 10));
    const before = new Date(now.getTime() - LOG_RETENTION_MS);
    while ((await this.removeOld.run(before)).affected === BATCH);
  }
}
