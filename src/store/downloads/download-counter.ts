import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';

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

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
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
    this.forget = database.statement('DELETE FROM {StoreVisitorDay} WHERE {StoreVisitorDay.day} < ?');
  }

  /** Logs and counts a download: all of it or nothing. */
  async count({ itemId, version, userId, ip }: CountedDownload): Promise<void> {
    const now = this.clock.now();
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

  /** Forgets who downloaded on days that are over. */
  async removeVisitors(): Promise<void> {
    await this.forget.run(this.clock.now().toISOString().slice(0, 10));
  }
}
