import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';

import { errorMessage, loggerFor, waitAtMost, TurnBudget } from '../../common/index.js';
import { Database, type TableWrites } from '../../database/index.js';
import { ItemIndex } from '../search/index.js';

import { IndexedRows, type FollowedRow } from './indexed-rows.js';

const log = loggerFor('store');

/** How often a process polls for changes by other processes, in milliseconds; changes are visible everywhere within two seconds. */
const POLL_MS = 1_000;
/** How long the process start waits for the index, in milliseconds; searches before it is built keep waiting. */
const START_TIMEOUT_MS = 5_000;
/** How far before the newest seen change each poll starts, in milliseconds, to cover late commits and clock differences. */
const OVERLAP_MS = 10_000;
/** How many download log entries are read again: a lower id may have been in an open transaction. */
const OVERLAP_DOWNLOADS = 100;
/** Rows read at a time: SQLite blocks the event loop, and a description may be 64 KB. */
const ROW_BATCH = 50;
const ID_BATCH = 2_000;
/** Items counted at a time: about half a millisecond of SQLite, which blocks the event loop as well. */
const COUNT_BATCH = 10_000;

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
  private isPolling = false;
  private stopped = false;
  private readonly budget = new TurnBudget();

  constructor(
    private readonly rows: IndexedRows,
    private readonly database: Database,
  ) {}

  /** Builds the index; returns before it is ready if that takes too long. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.poll(), POLL_MS).unref();
    await waitAtMost(this.poll(), START_TIMEOUT_MS);
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
      if (isBehind(followed)) await this.applyChanges(followed, followed.writes.rows !== this.writes().rows);
      return followed.index;
    });
  }

  /** Applies all writes so far, of any process. */
  async sync(): Promise<void> {
    await this.enqueue<unknown>(() => (this.followed ? this.applyChanges(this.followed, true) : this.build()));
  }

  private async poll(): Promise<void> {
    if (this.isPolling || this.stopped) return;
    this.isPolling = true;
    try {
      await this.sync();
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'updating the store index failed');
    }
    this.isPolling = false;
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
      const found = await this.rows.after(last, ROW_BATCH);
      await this.take(index, found);
      if (found.length < ROW_BATCH || this.stopped) break;
      last = found.at(-1)!.id;
    }
    await index.fill();
    await this.applyChanges(followed, true);
    this.followed = followed;
    return index;
  }

  /** @param thorough whether to count all items, to find inserts and deletions that no change reveals */
  private async applyChanges(followed: Followed, thorough: boolean): Promise<void> {
    const { index } = followed;
    const writes = this.writes();
    const begun = Date.now();
    let [moment, id] = [new Date(followed.mark - OVERLAP_MS), 0];
    let newest = followed.mark;
    for (;;) {
      const found = await this.rows.changedAfter(moment, id, ROW_BATCH);
      await this.take(index, found);
      const last = found.at(-1);
      if (last) [moment, id, newest] = [new Date(last.updatedAt), last.id, last.updatedAt];
      if (found.length < ROW_BATCH || this.stopped) break;
    }
    await this.applyCounters(followed);
    if (thorough && (await this.countPublished()) !== index.size) await this.reconcile(index);
    followed.mark = Math.min(Math.max(newest, followed.mark), begun);
    followed.writes = writes;
  }

  private async countPublished(): Promise<number> {
    let total = 0;
    for (let after = 0; ;) {
      await this.budget.take();
      const part = await this.rows.countPublished(after, COUNT_BATCH);
      total += part.total;
      if (part.total < COUNT_BATCH || this.stopped) return total;
      after = part.last;
    }
  }

  private async applyCounters(followed: Followed): Promise<void> {
    const newest = await this.rows.newestDownload();
    if (newest === followed.downloadMark) return;
    for (const { id, downloads } of await this.rows.countersAfter(Math.max(0, followed.downloadMark - OVERLAP_DOWNLOADS)))
      followed.index.setDownloads(Number(id), Number(downloads));
    followed.downloadMark = newest;
  }

  /** Removes items no longer published and adds missing ones. */
  private async reconcile(index: ItemIndex): Promise<void> {
    const isPublished = new Uint8Array(index.length);
    const missing: number[] = [];
    for (let last = 0; ;) {
      const ids = await this.rows.publishedAfter(last, ID_BATCH);
      await this.budget.take();
      for (const id of ids) {
        const slot = index.slotOf(id);
        if (slot === undefined) missing.push(id);
        else isPublished[slot] = 1;
      }
      if (ids.length < ID_BATCH) break;
      last = ids.at(-1)!;
    }
    for (const [id, slot] of index.entries()) {
      if (isPublished[slot] === 1) continue;
      await this.budget.take();
      index.remove(id);
    }
    while (missing.length > 0) await this.take(index, await this.rows.byIds(missing.splice(-ROW_BATCH)));
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
