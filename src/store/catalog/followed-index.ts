import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor, settleWithin, TurnBudget } from '../../common/index.js';
import { Database, type TableWrites } from '../../database/index.js';
import { ItemIndex } from '../search/index.js';

import { IndexedRows, type FollowedRow } from './indexed-rows.js';

const log = loggerFor('store');

/** How often a process polls for changes by other processes, in milliseconds; changes are visible everywhere within two seconds. */
const LOOK_MS = 1_000;
/** How long the process start waits for the index, in milliseconds; searches before it is built keep waiting. */
const START_MS = 5_000;
/** How far before the newest seen change each poll starts, in milliseconds, to cover late commits and clock differences. */
const LOOK_BACK_MS = 10_000;
/** How many download log entries are read again: a lower id may have been in an open transaction. */
const LOOK_BACK_DOWNLOADS = 100;
/** Rows read at a time: SQLite blocks the event loop, and a description may be 64 KB. */
const ROWS_AT_ONCE = 50;
const IDS_AT_ONCE = 2_000;
/** Items counted at a time: about half a millisecond of SQLite, which blocks the event loop as well. */
const COUNTED_AT_ONCE = 10_000;

/** An index with its replication state. */
interface Followed {
  readonly index: ItemIndex;
  /** Time up to which changes were applied. */
  mark: number;
  downloadMark: number;
  /** Write counters of this process that were applied. */
  writes: Writes;
}

/** Number of writes by this process to the indexed tables. */
interface Writes {
  readonly all: number;
  /** Only inserts and deletes of items. */
  readonly rows: number;
}

/**
 * The search index of this process, built in slices and then kept in sync with the rows. It detects item changes by `updated_at`, download
 * counts by the download log, and inserts or deletions without a change by comparing the number of published items. Writes of this process
 * are applied before the next search.
 */
@Injectable()
export class FollowedIndex implements BeforeApplicationShutdown {
  private followed: Followed | null = null;
  private work: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private stopped = false;
  private readonly budget = new TurnBudget();

  constructor(
    private readonly rows: IndexedRows,
    private readonly database: Database,
  ) {}

  /** Builds the index; returns before it is ready if that takes too long. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.lookAgain(), LOOK_MS).unref();
    await settleWithin(this.lookAgain(), START_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.work;
  }

  /**
   * Returns the index including all writes of this process. Not for use inside a transaction.
   *
   * @throws database errors while no index exists
   */
  async current(): Promise<ItemIndex> {
    const isBehind = ({ writes }: Followed): boolean => writes.all !== this.writes().all;
    if (this.followed && !isBehind(this.followed)) return this.followed.index;
    return this.enqueue(async () => {
      const { followed } = this;
      if (!followed) return this.build();
      if (isBehind(followed)) await this.follow(followed, followed.writes.rows !== this.writes().rows);
      return followed.index;
    });
  }

  /** Applies all writes so far, of any process. */
  async look(): Promise<void> {
    await this.enqueue<unknown>(() => (this.followed ? this.follow(this.followed, true) : this.build()));
  }

  private async lookAgain(): Promise<void> {
    if (this.looking || this.stopped) return;
    this.looking = true;
    try {
      await this.look();
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the index of the store could not follow its items');
    }
    this.looking = false;
  }

  /** Runs jobs one after another. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.work.then(work).catch((error: unknown) => {
      // The change may be half applied, so the next poll rebuilds the index.
      this.followed = null;
      throw error;
    });
    this.work = result.catch(() => undefined);
    return result;
  }

  private async build(): Promise<ItemIndex> {
    const index = new ItemIndex();
    await index.reserve(await this.countPublished());
    const followed: Followed = { index, mark: Date.now(), downloadMark: await this.rows.newestDownload(), writes: this.writes() };
    for (let last = 0; ;) {
      const found = await this.rows.after(last, ROWS_AT_ONCE);
      await this.take(index, found);
      if (found.length < ROWS_AT_ONCE || this.stopped) break;
      last = found.at(-1)!.id;
    }
    await index.fill();
    await this.follow(followed, true);
    this.followed = followed;
    return index;
  }

  /** @param thorough whether to count all items, to find inserts and deletions that no change reveals */
  private async follow(followed: Followed, thorough: boolean): Promise<void> {
    const { index } = followed;
    const writes = this.writes();
    const begun = Date.now();
    let [moment, id] = [new Date(followed.mark - LOOK_BACK_MS), 0];
    let newest = followed.mark;
    for (;;) {
      const found = await this.rows.changedAfter(moment, id, ROWS_AT_ONCE);
      await this.take(index, found);
      const last = found.at(-1);
      if (last) [moment, id, newest] = [new Date(last.updatedAt), last.id, last.updatedAt];
      if (found.length < ROWS_AT_ONCE || this.stopped) break;
    }
    await this.followCounters(followed);
    if (thorough && (await this.countPublished()) !== index.size) await this.reconcile(index);
    followed.mark = Math.min(Math.max(newest, followed.mark), begun);
    followed.writes = writes;
  }

  private async countPublished(): Promise<number> {
    let total = 0;
    for (let after = 0; ;) {
      await this.budget.take();
      const part = await this.rows.countPublished(after, COUNTED_AT_ONCE);
      total += part.total;
      if (part.total < COUNTED_AT_ONCE || this.stopped) return total;
      after = part.last;
    }
  }

  private async followCounters(followed: Followed): Promise<void> {
    const newest = await this.rows.newestDownload();
    if (newest === followed.downloadMark) return;
    for (const { id, downloads } of await this.rows.countersAfter(Math.max(0, followed.downloadMark - LOOK_BACK_DOWNLOADS)))
      followed.index.setDownloads(Number(id), Number(downloads));
    followed.downloadMark = newest;
  }

  /** Removes items no longer published and adds missing ones. */
  private async reconcile(index: ItemIndex): Promise<void> {
    const isThere = new Uint8Array(index.length);
    const missing: number[] = [];
    for (let last = 0; ;) {
      const ids = await this.rows.publishedAfter(last, IDS_AT_ONCE);
      await this.budget.take();
      for (const id of ids) {
        const slot = index.slotOf(id);
        if (slot === undefined) missing.push(id);
        else isThere[slot] = 1;
      }
      if (ids.length < IDS_AT_ONCE) break;
      last = ids.at(-1)!;
    }
    for (const [id, slot] of index.entries()) {
      if (isThere[slot] === 1) continue;
      await this.budget.take();
      index.remove(id);
    }
    while (missing.length > 0) await this.take(index, await this.rows.byIds(missing.splice(-ROWS_AT_ONCE)));
  }

  private async take(index: ItemIndex, found: readonly FollowedRow[]): Promise<void> {
    for (const item of found) {
      await this.budget.take();
      if (item.status === 'approved') index.put(item);
      else index.remove(item.id);
    }
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
