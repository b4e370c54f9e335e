import { TurnBudget } from '../../common/index.js';

import type { IndexedItem, ItemQuery, ItemSort } from './item-query.js';
import { EXACT, IN_NAME, IN_TEXT, ItemTable, Keyword, NO_FIT } from './item-table.js';
import { KeywordHits } from './keyword-hits.js';
import { SlotsById } from './slots-by-id.js';
import { SortedSlots } from './sorted-slots.js';

type Order = Exclude<ItemSort, 'relevance'>;
/** Range of match levels for each step of the ranking, in order. */
type Levels = readonly (readonly [worst: number, best: number])[];

/** Maximum cached keywords, evicted least recently used first: each takes one byte per item. */
const MAX_CACHED = 64;

/** Slots processed between two checks of the clock. */
const SLICE = 512;

const DEFAULT_LEVELS: Levels = [
  [EXACT, EXACT],
  [IN_TEXT, IN_NAME],
];
const RELEVANCE_LEVELS: Levels = [
  [EXACT, EXACT],
  [IN_NAME, IN_NAME],
  [IN_TEXT, IN_TEXT],
];

/** Ids of a page and the total number of items. */
export interface IdPage {
  readonly ids: number[];
  readonly total: number;
}

/** In-memory index of the published items in every sort order, searchable by any part of their text. */
export class ItemIndex {
  private readonly table = new ItemTable();
  private readonly orders: Readonly<Record<Order, SortedSlots>>;
  private readonly slots = new SlotsById();
  private readonly free: number[] = [];
  private readonly hits = new Map<string, KeywordHits>();
  private readonly scans = new TurnBudget();
  private readonly pages = new TurnBudget();
  private isFilled = false;

  constructor() {
    const { table } = this;
    const by = (key: 'createdAt' | 'updatedAt' | 'downloads' | 'price', way: 1 | -1) =>
      new SortedSlots(
        (one, other) => way * (table.columns[key][one]! - table.columns[key][other]! || table.columns.id[one]! - table.columns.id[other]!),
      );
    this.orders = { newest: by('createdAt', -1), downloads: by('downloads', -1), price: by('price', 1), updated: by('updatedAt', -1) };
  }

  /** Number of items. */
  get size(): number {
    return this.slots.size;
  }

  /** Number of slots, used and free. */
  get length(): number {
    return this.table.length;
  }

  /** Returns the slot of an item, which stays the same while it is indexed. */
  slotOf(id: number): number | undefined {
    return this.slots.get(id);
  }

  /** Iterates over items and their slots. */
  entries(): IterableIterator<[id: number, slot: number]> {
    return this.slots.entries();
  }

  /** Allocates space for about this many items, before the first is added. */
  reserve(expected: number): Promise<void> {
    return this.table.reserve(expected, this.scans);
  }

  /** Sorts the items added so far; afterwards every change keeps the order. */
  async fill(): Promise<void> {
    const { alive } = this.table.columns;
    const slots = new Uint32Array(this.size);
    for (let slot = 0, at = 0; at < slots.length; slot += 1) {
      if (slot % SLICE === 0) await this.scans.take();
      if (alive[slot] !== NO_FIT) slots[at++] = slot;
    }
    for (const order of Object.values(this.orders)) await order.fill(slots, this.scans);
    this.isFilled = true;
  }

  /** Adds or updates an item. */
  put(item: IndexedItem): void {
    const known = this.slots.get(item.id);
    if (known !== undefined) this.leaveOrders(known);
    const slot = known ?? this.free.pop() ?? this.table.length;
    this.slots.set(item.id, slot);
    const isOtherText = this.table.write(slot, item);
    if (this.isFilled) for (const order of Object.values(this.orders)) order.add(slot);
    if (isOtherText) this.updateHits(slot);
  }

  remove(id: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    this.leaveOrders(slot);
    this.slots.delete(id);
    this.free.push(slot);
    this.table.clear(slot);
    this.updateHits(slot);
  }

  setDownloads(id: number, downloads: number): void {
    const slot = this.slots.get(id);
    const { columns } = this.table;
    if (slot === undefined || columns.downloads[slot] === downloads) return;
    this.orders.downloads.remove(slot);
    columns.downloads[slot] = downloads;
    this.orders.downloads.add(slot);
  }

  /** Returns a page of ids and the total; exact matches of name or slug come first. @param keyword folded; empty: all items */
  async find(keyword: string, query: ItemQuery): Promise<IdPage> {
    const hits = keyword === '' ? null : this.hitsOf(keyword);
    if (hits) hits.users += 1;
    try {
      await hits?.found;
      await this.pages.take();
      return this.pageOf(hits?.fits ?? this.table.columns.alive, query);
    } finally {
      if (hits) hits.users -= 1;
      this.evict();
    }
  }

  /** @param fits match level by slot */
  private pageOf(fits: Uint8Array, query: ItemQuery): IdPage {
    const { sort, offset, limit } = query;
    const { id } = this.table.columns;
    const admits = this.table.filterOf(query);
    const counts = this.countFits(fits, admits);
    const slots = this.orders[sort === 'relevance' ? 'downloads' : sort].view;
    const ids: number[] = [];
    let skip = offset;
    for (const [worst, best] of sort === 'relevance' ? RELEVANCE_LEVELS : DEFAULT_LEVELS) {
      let left = sum(counts.slice(worst, best + 1));
      if (skip >= left) {
        skip -= left;
        continue;
      }
      for (let at = 0; left > 0 && ids.length < limit; at += 1) {
        const slot = slots[at]!;
        const fit = fits[slot]!;
        if (!(fit >= worst && fit <= best) || (admits && !admits(slot))) continue;
        left -= 1;
        if (skip > 0) skip -= 1;
        else ids.push(id[slot]!);
      }
    }
    return { ids, total: sum(counts.slice(IN_TEXT)) };
  }

  /** Counts items by match level. */
  private countFits(fits: Uint8Array, admits: ((slot: number) => boolean) | null): number[] {
    const counts = [0, 0, 0, 0];
    const length = Math.min(fits.length, this.table.length);
    for (let slot = 0; slot < length; slot += 1) {
      const fit = fits[slot]!;
      if (fit > 0 && (!admits || admits(slot))) counts[fit]! += 1;
    }
    return counts;
  }

  /** Returns the hits of a keyword; concurrent callers share one scan. */
  private hitsOf(keyword: string): KeywordHits {
    const hits = this.hits.get(keyword) ?? new KeywordHits(this.table, new Keyword(keyword), this.scans, this.evict(MAX_CACHED - 1));
    this.hits.delete(keyword);
    this.hits.set(keyword, hits);
    return hits;
  }

  /**
   * Evicts cached keywords that are not in use; those in use must stay up to date until they are read.
   *
   * @returns a freed buffer for reuse by the next keyword: discarding it would trigger garbage collections of all texts
   */
  private evict(maximum = MAX_CACHED): Uint8Array | undefined {
    let memory: Uint8Array | undefined;
    for (const [keyword, { users, fits }] of this.hits) {
      if (this.hits.size <= maximum) break;
      if (users > 0) continue;
      this.hits.delete(keyword);
      memory = fits;
    }
    return memory;
  }

  private updateHits(slot: number): void {
    for (const hits of this.hits.values()) hits.update(slot);
  }

  private leaveOrders(slot: number): void {
    if (this.isFilled) for (const order of Object.values(this.orders)) order.remove(slot);
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
