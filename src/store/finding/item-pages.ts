import type { ItemTable } from './item-table.js';
import type { ItemQuery, ItemSort } from './item-query.js';
import { EXACT, IN_NAME, IN_TEXT, type SlotMatches } from './slot-matches.js';
import { SortedSlots } from './sorted-slots.js';
import type { TimeSlice } from './time-slice.js';

type Order = Exclude<ItemSort, 'relevance'>;
type Admits = (slot: number) => boolean;

/** What comes before what, whatever the order says; of each, what fits best first. */
const USUAL_LEVELS = [[EXACT], [IN_NAME, IN_TEXT]];
const RELEVANCE_LEVELS = [[EXACT], [IN_NAME], [IN_TEXT]];

/** A page of ids and how many items there are on all pages. */
export interface IdPage {
  readonly ids: number[];
  readonly total: number;
}

/** The orders of the items of a table, and pages in them. */
export class ItemPages {
  private readonly orders: Record<Order, SortedSlots>;
  private filled = false;

  constructor(private readonly table: ItemTable) {
    const by = (key: (slot: number) => number, way: 1 | -1) => new SortedSlots((one, other) => way * (key(one) - key(other) || table.id[one]! - table.id[other]!));
    this.orders = {
      newest: by((slot) => table.createdAt[slot]!, -1),
      downloads: by((slot) => table.downloads[slot]!, -1),
      price: by((slot) => table.price[slot]!, 1),
      updated: by((slot) => table.updatedAt[slot]!, -1),
    };
  }

  /** Puts all slots in order; from then on every change keeps it. */
  async fill(slots: Uint32Array, slice: TimeSlice): Promise<void> {
    for (const order of Object.values(this.orders)) await order.fill(slots, slice);
    this.filled = true;
  }

  add(slot: number): void {
    if (this.filled) for (const order of Object.values(this.orders)) order.add(slot);
  }

  /** Before anything the slot is sorted by changes. */
  remove(slot: number): void {
    if (this.filled) for (const order of Object.values(this.orders)) order.remove(slot);
  }

  /** Changes the number of downloads alone. */
  setDownloads(slot: number, downloads: number): void {
    if (this.filled) this.orders.downloads.remove(slot);
    this.table.downloads[slot] = downloads;
    if (this.filled) this.orders.downloads.add(slot);
  }

  /** A page of the matches, all of which are alive. */
  pageOf(matches: SlotMatches, query: ItemQuery): IdPage {
    const { sort, offset, limit } = query;
    const order = this.orders[sort === 'relevance' ? 'downloads' : sort];
    const admits = this.filterOf(query);
    const picked: Picked = { skip: offset, slots: [] };
    for (const level of sort === 'relevance' ? RELEVANCE_LEVELS : USUAL_LEVELS) {
      if (picked.slots.length < limit) pick(matches, level, order, admits, limit, picked);
    }
    return { ids: picked.slots.map((slot) => this.table.id[slot]!), total: this.totalOf(matches, query, admits) };
  }

  private totalOf(matches: SlotMatches, { type, category, authorId, minPrice, maxPrice }: ItemQuery, admits: Admits | null): number {
    if (!admits) return matches.count(EXACT) + matches.count(IN_NAME) + matches.count(IN_TEXT);
    const { fits } = matches;
    const { length } = this.table;
    return matches.totals.get(JSON.stringify([type, category, authorId, minPrice, maxPrice]), () => {
      let total = 0;
      for (let slot = 0; slot < length; slot += 1) if (fits[slot]! > 0 && admits(slot)) total += 1;
      return total;
    });
  }

  private filterOf({ type, category, authorId, minPrice, maxPrice }: ItemQuery): Admits | null {
    if (type === undefined && category === undefined && authorId === undefined && minPrice === undefined && maxPrice === undefined) return null;
    const { table } = this;
    const wantedType = type === undefined ? null : table.typeOf(type);
    const wantedCategory = category === undefined ? null : table.categoryOf(category);
    if (wantedCategory === undefined) return () => false;
    return (slot) =>
      (wantedType === null || table.type[slot] === wantedType) &&
      (wantedCategory === null || table.category[slot] === wantedCategory) &&
      (authorId === undefined || table.authorId[slot] === authorId) &&
      (minPrice === undefined || table.price[slot]! >= minPrice) &&
      (maxPrice === undefined || table.price[slot]! <= maxPrice);
  }
}

/** What is left to pass over, and what is taken. */
interface Picked {
  skip: number;
  readonly slots: number[];
}

/** Takes the slots that fit so well, in their order, until there are `limit` in all. */
function pick(matches: SlotMatches, level: readonly number[], order: SortedSlots, admits: Admits | null, limit: number, into: Picked): void {
  const { fits, few } = matches;
  const best = level[0]!;
  const least = level.at(-1)!;
  let left = level.reduce((sum, fit) => sum + matches.count(fit), 0);
  if (left === 0) return;
  const slots = few ? order.sorted(few) : order.view;
  for (let at = 0; at < slots.length && left > 0 && into.slots.length < limit; at += 1) {
    const slot = slots[at]!;
    const fit = fits[slot]!;
    if (!(fit >= least && fit <= best)) continue;
    left -= 1;
    if (admits && !admits(slot)) continue;
    if (into.skip > 0) into.skip -= 1;
    else into.slots.push(slot);
  }
}
