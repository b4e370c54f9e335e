import { setImmediate as nextTurn } from 'node:timers/promises';

import { errorMessage, loggerFor } from '../common/index.js';

import type { RowQuery } from './row-query.js';
import type { KeysetAnchor, RowSelection } from './row-selection.js';
import type { TableWrites } from './table-write-counter.js';

const log = loggerFor('lists');

/** Rows between two anchors: a page skips half as many on average. */
const STEP = 64;
/** Rows per query when setting anchors: SQLite blocks for about 2 ms. */
const READ_BATCH = 32 * STEP;
/** Minimum list size for anchors, and distance from either end within which plain offsets are as fast. */
const WORTHWHILE = 32 * STEP;
const NEAR_AN_END = 8 * STEP;
/** Newest rows of a growing list without anchors: a lower id may still be in an open transaction. */
const UNANCHORED = 16 * STEP;
/** Maximum age of a total or anchor while other processes write, in milliseconds. */
const MAX_AGE_MS = 2_000;
/** A count slower than this, in milliseconds, runs in the background while the cached total is at most {@link BRIDGED_MS} old. */
const CHEAP_MS = 20;
const BRIDGED_MS = 10_000;
/** Maximum age of anchors of a list whose rows can move, in milliseconds, even if its total is unchanged. */
const LIFETIME_MS = 30_000;

/** Cached data of a list with the write counters of its table at that time. */
interface CachedList extends TableWrites {
  inserted: number;
  readonly madeAt: number;
  checkedAt: number;
  /** Duration of the count in milliseconds. */
  readonly took: number;
  total: number;
  /** Anchors at rows STEP, 2 × STEP, … from the start. */
  readonly anchors: KeysetAnchor[];
}

/** A running count with the minimum write counters it reflects. */
interface Counting {
  readonly seen: TableWrites;
  readonly total: Promise<number>;
}

/** Cached total and anchors of one list. */
export class KeysetAnchors<Row> {
  private cached: CachedList | null = null;
  private checking: Promise<void> | null = null;
  private counting: Counting | null = null;
  private anchoring = false;

  /** @param writes live write counters of the list's table */
  constructor(
    private readonly selection: RowSelection<Row>,
    private readonly writes: TableWrites,
  ) {}

  async page(slice: Pick<RowQuery, 'direction' | 'offset' | 'limit'>): Promise<{ total: number; rows: Row[] }> {
    // Pages near either end need no anchor: total and rows are queried in parallel.
    if (slice.offset <= NEAR_AN_END) {
      const [total, rows] = await Promise.all([this.total(), this.selection.plainRows(slice)]);
      return { total, rows };
    }
    const total = await this.total();
    return { total, rows: await this.rows(slice, total) };
  }

  private async rows({ direction, offset, limit }: Pick<RowQuery, 'direction' | 'offset' | 'limit'>, total: number): Promise<Row[]> {
    const count = Math.min(limit, total - offset);
    if (count <= 0) return [];
    const first = direction === 'asc' ? offset : total - offset - count;
    const anchors = this.cached?.anchors ?? [];
    const before = Math.min(Math.floor(first / STEP), anchors.length);
    const passed = first - STEP * before;
    // Start from the nearest position: the page's own end of the list, an anchor, or the other end.
    if (offset <= passed) return this.selection.plainRows({ direction, offset, limit });
    const rows =
      before === 0
        ? await this.selection.plainRows({ direction: 'asc', offset: first, limit: count })
        : await this.selection.rowsFrom(anchors[before - 1]!, isTied(anchors, before - 1), passed, count);
    return direction === 'asc' ? rows : rows.reverse();
  }

  private async total(): Promise<number> {
    const cached = await this.trusted();
    if (!cached) return this.countAll();
    if (cached.inserted !== this.writes.inserted) {
      const { inserted } = this.writes;
      const last = this.lastAnchor(cached);
      cached.total = last ? STEP * cached.anchors.length + (await this.selection.countFrom(last)) : await this.selection.count();
      cached.inserted = inserted;
      this.anchor(cached);
    }
    return cached.total;
  }

  /** Returns the cached data if still valid; for a growing list, the anchors stay valid. */
  private async trusted(): Promise<CachedList | null> {
    const { cached } = this;
    if (!cached || !this.holds(cached)) return (this.cached = null);
    const now = performance.now();
    const age = now - cached.checkedAt;
    if (age <= MAX_AGE_MS) return cached;
    const checking = (this.checking ??= this.check(cached, now).finally(() => (this.checking = null)));
    if (cached.took > CHEAP_MS && age <= BRIDGED_MS) {
      // The error is reported to the first caller after the cached total has expired.
      checking.catch(() => undefined);
      return cached;
    }
    await checking;
    return this.cached && this.holds(this.cached) ? this.cached : null;
  }

  /** Verifies cached data, because another process may have added, deleted or moved rows. */
  private async check(cached: CachedList, now: number): Promise<void> {
    if (!this.selection.grows && now - cached.madeAt > LIFETIME_MS) return void (await this.countAll());
    const seen = { ...this.writes };
    const last = this.lastAnchor(cached);
    const { total, since } = await this.selection.countWithRowsFrom(last);
    if (this.cached !== cached) return;
    if (last ? total - since === STEP * cached.anchors.length : total === cached.total) {
      cached.checkedAt = now;
      cached.total = total;
    } else this.store(seen, total, now);
  }

  /** In a growing list, new rows come after all anchors and rows never move: only the total changes. */
  private holds(cached: CachedList): boolean {
    const { inserted, updated, deleted } = this.writes;
    if (deleted !== cached.deleted) return false;
    return this.selection.grows || (inserted === cached.inserted && updated === cached.updated);
  }

  /** Returns the last anchor of a growing list once all are set: counting from there is cheap. */
  private lastAnchor({ total, anchors }: CachedList): KeysetAnchor | undefined {
    return this.selection.grows && total - STEP * anchors.length <= 4 * UNANCHORED ? anchors.at(-1) : undefined;
  }

  /** Concurrent callers share one count, unless something was written since it started. */
  private countAll(): Promise<number> {
    const { counting, writes } = this;
    if (
      counting &&
      counting.seen.inserted === writes.inserted &&
      counting.seen.updated === writes.updated &&
      counting.seen.deleted === writes.deleted
    ) {
      return counting.total;
    }
    const seen = { ...writes };
    const own: Counting = { seen, total: this.countAndKeep(seen).finally(() => this.counting === own && (this.counting = null)) };
    this.counting = own;
    return own.total;
  }

  private async countAndKeep(seen: TableWrites): Promise<number> {
    const now = performance.now();
    const total = await this.selection.count();
    this.store(seen, total, now);
    return total;
  }

  /** @param seen write counters the total reflects at least @param now start of the count */
  private store(seen: TableWrites, total: number, now: number): void {
    this.cached = { ...seen, madeAt: now, checkedAt: now, took: performance.now() - now, total, anchors: [] };
    this.anchor(this.cached);
  }

  /** Sets missing anchors in the background. */
  private anchor(cached: CachedList): void {
    const missing = cached.total - STEP * cached.anchors.length;
    if (this.anchoring || !this.selection.orderly || cached.total < WORTHWHILE || missing < 2 * UNANCHORED) return;
    this.anchoring = true;
    this.setAnchors(cached)
      .catch((error: unknown) => log.warn({ reason: errorMessage(error) }, 'computing the anchors of a list failed'))
      .finally(() => (this.anchoring = false));
  }

  private async setAnchors(cached: CachedList): Promise<void> {
    const { anchors } = cached;
    while (this.cached === cached && this.holds(cached)) {
      const missing = cached.total - STEP * anchors.length - (this.selection.grows ? UNANCHORED : 0);
      if (missing < STEP) return;
      const limit = Math.min(READ_BATCH, missing - (missing % STEP)) + 1;
      const found = await this.selection.anchorsFrom(anchors.at(-1), isTied(anchors, anchors.length - 1), limit);
      if (found.length < limit || !this.holds(cached)) return;
      for (let at = STEP; at < limit; at += STEP) anchors.push({ id: Number(found[at]!.id), value: found[at]!.value });
      // SQLite blocks the event loop; yield to other requests.
      await nextTurn();
    }
  }
}

/** Whether more rows share an anchor's value than lie between two anchors. */
function isTied(anchors: readonly KeysetAnchor[], at: number): boolean {
  const value = anchors[at]?.value;
  return value !== undefined && (anchors[at - 1]?.value === value || anchors[at + 1]?.value === value);
}
