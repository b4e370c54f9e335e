import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor, settleWithin } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, type TableWrites } from '../../database/index.js';

import { IndexedRows, type FollowedRow } from './indexed-rows.js';
import { ItemIndex } from './item-index.js';
import { ReadAmount } from './read-amount.js';
import { TimeSlice } from './time-slice.js';

const log = loggerFor('store');

/** How often a process looks for what others wrote, in milliseconds: a change is everywhere within two seconds. */
const LOOK_MS = 1_000;
/** How long a process that starts waits for its index, in milliseconds: enough for some hundred thousand items. */
const START_MS = 5_000;
/** How far before the newest change seen a process looks again, in milliseconds: for late commits and clocks that differ. */
const LOOK_BACK_MS = 10_000;
/** Entries of the log of downloads looked at again: one with a lower number may have been in an open transaction. */
const LOOK_BACK_DOWNLOADS = 100;
const IDS_AT_ONCE = 2_000;
/** Places in texts are numbers of four bytes, below 2^31: a larger index could not name them all. */
const MOST_MB = 4_096;

/** An index and up to where it follows the rows. */
interface Followed {
  readonly index: ItemIndex;
  /** Moment up to which changes were followed. */
  mark: number;
  downloadMark: number;
  /** The writes of this process that were followed. */
  writes: Writes;
}

/** How often this process wrote to what is followed. */
interface Writes {
  readonly all: number;
  /** Those that made items or deleted some. */
  readonly rows: number;
}

/**
 * The index of this process: built in slices, then following the rows. It sees an item's change by `updated_at`, a count by
 * the log of downloads, and what is new or gone without a change because the number of published items differs. What
 * this process writes is followed before the next search.
 */
@Injectable()
export class FollowedIndex implements OnApplicationBootstrap, OnApplicationShutdown {
  private followed: Followed | null = null;
  private work: Promise<void> = Promise.resolve();
  private remaking: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private stopped = false;
  private readonly limit: number;

  constructor(
    private readonly rows: IndexedRows,
    private readonly database: Database,
    config: AppConfig,
  ) {
    this.limit = Math.min(config.storeSearchMb, MOST_MB) * 1024 * 1024;
  }

  /** Before the first request, where that does not take long: without an index every keyword is looked for in every row. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.limit > 0) await settleWithin(this.start(), START_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.work;
    await this.remaking;
  }

  /** The index with every write of this process so far; null while there is none: then the rows themselves are searched. */
  async current(): Promise<ItemIndex | null> {
    // Inside a transaction its own writes count too, which only the rows have.
    if (!this.followed || this.database.inTransaction) return null;
    if (this.followed.writes.all !== this.writes().all) await this.enqueue(() => this.followOwn());
    return this.followed?.index ?? null;
  }

  /** Builds the index; resolves when it answers or it was too large. */
  start(): Promise<void> {
    this.timer ??= setInterval(() => void this.lookAgain(), LOOK_MS).unref();
    return this.enqueue(async () => {
      if (!this.followed) this.followed = await this.build();
      await this.follow(true);
    });
  }

  /** Follows what was written until now, by anybody. */
  look(): Promise<void> {
    return this.enqueue(() => this.follow(true));
  }

  private async lookAgain(): Promise<void> {
    if (this.looking || this.stopped) return;
    this.looking = true;
    await (this.followed ? this.look() : this.start());
    this.looking = false;
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (this.stopped) return;
      try {
        await work();
      } catch (error) {
        // Built anew at the next look: half of a change may have been followed.
        this.followed = null;
        log.warn({ reason: errorMessage(error) }, 'the index of the store could not follow its items');
      }
    };
    this.work = this.work.then(run);
    return this.work;
  }

  /** Reads every item; null where that is too much, or is not wanted any more. */
  private async build(): Promise<Followed | null> {
    const writes = this.writes();
    const mark = Date.now();
    const downloadMark = await this.rows.newestDownload();
    const index = new ItemIndex();
    const slice = new TimeSlice();
    const amount = new ReadAmount();
    for (let last = 0; ; ) {
      const { limit } = amount;
      const found = await amount.time(() => this.rows.after(last, limit));
      await this.take(index, found, slice);
      if (this.stopped || this.isTooLarge(index)) return null;
      if (found.length < limit) break;
      last = found.at(-1)!.id;
    }
    await index.fill();
    return { index, mark, downloadMark, writes };
  }

  /** What this process wrote, unless somebody else who asked had it followed already. */
  private async followOwn(): Promise<void> {
    const { followed } = this;
    const writes = this.writes();
    if (followed && followed.writes.all !== writes.all) await this.follow(followed.writes.rows !== writes.rows);
  }

  /** @param thorough whether items may be there, or gone, that no change tells of: to know that, all are counted */
  private async follow(thorough: boolean): Promise<void> {
    const { followed } = this;
    if (!followed) return;
    const { index } = followed;
    const writes = this.writes();
    const begun = Date.now();
    const slice = new TimeSlice();
    const amount = new ReadAmount();
    let [moment, id] = [new Date(followed.mark - LOOK_BACK_MS), 0];
    let newest = followed.mark;
    for (;;) {
      const { limit } = amount;
      const found = await amount.time(() => this.rows.changedAfter(moment, id, limit));
      await this.take(index, found, slice);
      const last = found.at(-1);
      if (last) [moment, id, newest] = [new Date(last.updatedAt), last.id, last.updatedAt];
      if (found.length < limit) break;
    }
    await this.followCounters(followed);
    if (thorough && (await this.rows.countPublished()) !== index.size) await this.reconcile(index, slice, amount);
    followed.mark = Math.min(Math.max(newest, followed.mark), begun);
    followed.writes = writes;
    if (this.isTooLarge(index)) this.followed = null;
    else if (index.wasted) this.remaking ??= this.remake().finally(() => (this.remaking = null));
  }

  /** Builds another index while this one answers and follows on; then that one does. */
  private async remake(): Promise<void> {
    try {
      const built = await this.build();
      await this.enqueue(async () => {
        if (!this.followed) return;
        this.followed = built;
        await this.follow(true);
      });
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the index of the store could not be made anew; the present one goes on');
    }
  }

  private async followCounters(followed: Followed): Promise<void> {
    const newest = await this.rows.newestDownload();
    if (newest === followed.downloadMark) return;
    for (const { id, downloads } of await this.rows.countersAfter(Math.max(0, followed.downloadMark - LOOK_BACK_DOWNLOADS))) followed.index.setDownloads(Number(id), Number(downloads));
    followed.downloadMark = newest;
  }

  /** Takes out what is no longer published and reads what is missing. */
  private async reconcile(index: ItemIndex, slice: TimeSlice, amount: ReadAmount): Promise<void> {
    const census = index.census();
    const missing: number[] = [];
    for (let ids: number[] = [], last = 0, first = true; first || ids.length === IDS_AT_ONCE; first = false) {
      ids = await this.rows.publishedAfter(last, IDS_AT_ONCE);
      for (const id of ids) if (!census.meet(id)) missing.push(id);
      last = ids.at(-1) ?? last;
      await slice.rest();
    }
    for (const id of census.unseen()) {
      index.remove(id);
      if (slice.isOver) await slice.rest();
    }
    await this.absorb(index, slice);
    while (missing.length > 0) {
      const ids = missing.splice(-amount.limit);
      await this.take(index, await amount.time(() => this.rows.byIds(ids)), slice);
    }
  }

  private async take(index: ItemIndex, found: readonly FollowedRow[], slice: TimeSlice): Promise<void> {
    for (const item of found) {
      if (item.status === 'approved') index.put(item);
      else index.remove(item.id);
      if (slice.isOver) await slice.rest();
    }
    await this.absorb(index, slice);
    // SQLite answers in the same turn: reading on would keep everybody else waiting.
    await slice.rest();
  }

  private async absorb(index: ItemIndex, slice: TimeSlice): Promise<void> {
    while (!index.absorb()) if (slice.isOver) await slice.rest();
  }

  private isTooLarge(index: ItemIndex): boolean {
    if (index.bytes <= this.limit) return false;
    log.warn({ items: index.size, limitMb: this.limit / 1024 / 1024 }, 'the index of the store is larger than STORE_SEARCH_MB: keywords are looked for in the rows themselves, which is slower');
    if (this.timer) clearInterval(this.timer);
    return true;
  }

  private writes(): Writes {
    const items = this.writesOf('StoreItem');
    const downloads = this.writesOf('StoreDownload');
    const rows = items.inserted + items.deleted;
    return { all: rows + items.updated + downloads.inserted + downloads.updated + downloads.deleted, rows };
  }

  private writesOf(entity: string): TableWrites {
    return this.database.writes.of(this.database.resolve(`{${entity}}`).replaceAll('`', ''));
  }
}
