import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';

import { IndexedRows, type FollowedRow } from './indexed-rows.js';
import { ItemIndex } from './item-index.js';
import { TimeSlice } from './time-slice.js';

const log = loggerFor('store');

/** How often a process looks for what others wrote, in milliseconds: a change is everywhere within two seconds. */
const LOOK_MS = 1_000;
/** How far before the newest change seen a process looks again, in milliseconds: for late commits and clocks that differ. */
const LOOK_BACK_MS = 10_000;
/** Entries of the log of downloads looked at again: one with a lower number may have been in an open transaction. */
const LOOK_BACK_DOWNLOADS = 100;
/** Items read at once; their descriptions may be 64 KB each. */
const READ_AT_ONCE = 50;
const IDS_AT_ONCE = 2_000;

/**
 * The index of this process: built beside what goes on, then following the rows. It sees an item's change by `updated_at`, a
 * count by the log of downloads, and what is gone because the number of published items differs. What this process
 * writes is followed before the next search.
 */
@Injectable()
export class FollowedIndex implements OnApplicationBootstrap, OnApplicationShutdown {
  private index: ItemIndex | null = null;
  private work: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private stopped = false;
  /** Moment up to which changes were followed. */
  private mark = 0;
  private downloadMark = 0;
  /** The writes of this process that were followed. */
  private followed = -1;
  private readonly limit: number;

  constructor(
    private readonly rows: IndexedRows,
    private readonly database: Database,
    config: AppConfig,
  ) {
    this.limit = config.storeSearchMb * 1024 * 1024;
  }

  onApplicationBootstrap(): void {
    if (this.limit === 0) return;
    void this.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.work;
  }

  /** The index with every write of this process so far; null while there is none: then the rows themselves are searched. */
  async current(): Promise<ItemIndex | null> {
    // Inside a transaction its own writes count too, which only the rows have.
    if (!this.index || this.database.inTransaction) return null;
    if (this.followed !== this.writes()) await this.look();
    return this.index;
  }

  /** Builds the index; resolves when it answers or it was too large. */
  start(): Promise<void> {
    this.timer ??= setInterval(() => void this.lookAgain(), LOOK_MS).unref();
    return this.enqueue(() => this.build());
  }

  /** Follows what was written until now, by anybody. */
  look(): Promise<void> {
    return this.enqueue(() => this.follow());
  }

  private async lookAgain(): Promise<void> {
    if (this.looking || this.stopped) return;
    this.looking = true;
    await (this.index ? this.look() : this.start());
    this.looking = false;
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (this.stopped) return;
      try {
        await work();
      } catch (error) {
        // Built anew at the next look: half of a change may have been followed.
        this.index = null;
        log.warn({ reason: errorMessage(error) }, 'the index of the store could not follow its items');
      }
    };
    this.work = this.work.then(run);
    return this.work;
  }

  private async build(): Promise<void> {
    if (this.index) return;
    const writes = this.writes();
    const mark = Date.now();
    const downloadMark = await this.rows.newestDownload();
    const index = new ItemIndex();
    const slice = new TimeSlice();
    for (let last = 0; ; ) {
      const found = await this.rows.after(last, READ_AT_ONCE);
      await this.take(index, found, slice);
      if (this.stopped || this.isTooLarge(index)) return;
      if (found.length < READ_AT_ONCE) break;
      last = found.at(-1)!.item.id;
    }
    await index.fill();
    [this.index, this.mark, this.downloadMark, this.followed] = [index, mark, downloadMark, writes];
    await this.follow();
  }

  private async follow(): Promise<void> {
    const { index } = this;
    if (!index) return;
    const writes = this.writes();
    const begun = Date.now();
    const slice = new TimeSlice();
    let [moment, id] = [new Date(this.mark - LOOK_BACK_MS), 0];
    let newest = this.mark;
    for (let found: FollowedRow[] = [], first = true; first || found.length === READ_AT_ONCE; first = false) {
      found = await this.rows.changedAfter(moment, id, READ_AT_ONCE);
      await this.take(index, found, slice);
      const last = found.at(-1)?.item;
      if (last) [moment, id, newest] = [new Date(last.updatedAt), last.id, last.updatedAt];
    }
    await this.followCounters(index);
    if ((await this.rows.countPublished()) !== index.size) await this.reconcile(index, slice);
    this.mark = Math.min(Math.max(newest, this.mark), begun);
    this.followed = writes;
    if (this.isTooLarge(index) || index.wasted) {
      this.index = null;
      await this.build();
    }
  }

  private async followCounters(index: ItemIndex): Promise<void> {
    const newest = await this.rows.newestDownload();
    if (newest === this.downloadMark) return;
    for (const { id, downloads } of await this.rows.countersAfter(Math.max(0, this.downloadMark - LOOK_BACK_DOWNLOADS))) index.setDownloads(Number(id), Number(downloads));
    this.downloadMark = newest;
  }

  /** Takes out what is no longer published and reads what is missing. */
  private async reconcile(index: ItemIndex, slice: TimeSlice): Promise<void> {
    const gone = new Set(index.ids);
    const missing: number[] = [];
    for (let ids: number[] = [], last = 0, first = true; first || ids.length === IDS_AT_ONCE; first = false) {
      ids = await this.rows.publishedAfter(last, IDS_AT_ONCE);
      for (const id of ids) if (!gone.delete(id)) missing.push(id);
      last = ids.at(-1) ?? last;
      await slice.rest();
    }
    for (const id of gone) {
      index.remove(id);
      if (slice.isOver) await slice.rest();
    }
    for (let at = 0; at < missing.length; at += READ_AT_ONCE) await this.take(index, await this.rows.byIds(missing.slice(at, at + READ_AT_ONCE)), slice);
  }

  private async take(index: ItemIndex, found: readonly FollowedRow[], slice: TimeSlice): Promise<void> {
    for (const { item, published } of found) {
      if (published) index.put(item);
      else index.remove(item.id);
      if (slice.isOver) await slice.rest();
    }
    // SQLite answers in the same turn: reading on would keep everybody else waiting.
    await slice.rest();
  }

  private isTooLarge(index: ItemIndex): boolean {
    if (index.bytes <= this.limit) return false;
    log.warn({ items: index.size, limitMb: this.limit / 1024 / 1024 }, 'the index of the store is larger than STORE_SEARCH_MB: keywords are looked for in the rows themselves, which is slower');
    if (this.timer) clearInterval(this.timer);
    return true;
  }

  private writes(): number {
    let sum = 0;
    for (const entity of ['StoreItem', 'StoreDownload']) {
      const { inserted, updated, deleted } = this.database.writes.of(this.database.resolve(`{${entity}}`).replaceAll('`', ''));
      sum += inserted + updated + deleted;
    }
    return sum;
  }
}
