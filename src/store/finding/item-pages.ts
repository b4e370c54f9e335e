import type { ItemTable } from './item-table.js';
import type { ItemQuery, ItemSort } from './item-query.js';
import type { ItemTexts } from './item-texts.js';
import { EXACT, IN_NAME, IN_TEXT, type KeywordSlots, type SlotSet } from './keyword-slots.js';
import type { SlotMatches } from './slot-matches.js';
import { SortedSlots } from './sorted-slots.js';
import type { TimeSlice } from './time-slice.js';

type Order = Exclude<ItemSort, 'relevance'>;
type Admits = (slot: number) => boolean;

/** What comes before what, whatever the order says; of each, what fits best first. */
const USUAL_LEVELS = [[EXACT], [IN_NAME, IN_TEXT]];
const RELEVANCE_LEVELS = [[EXACT], [IN_NAME], [IN_TEXT]];

/** A place costs about as much as so many units of a text that is looked at. */
const UNITS_A_PLACE = 20;
/** Units of texts looked at for a page in one go: so few in any case, for that takes microseconds, and never more than in well below a millisecond. */
const LEAST_UNITS = 10_000;
const MOST_UNITS = 500_000;

/** A page of ids and how many items there are on all pages. */
export interface IdPage {
  readonly ids: number[];
  readonly total: number;
}

/** The orders of the items of a table, and pages in them. */
export class ItemPages {
  private readonly orders: Record<Order, SortedSlots>;
  private filled = false;

  constructor(
    private readonly table: ItemTable,
    private readonly texts: ItemTexts,
  ) {
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

  /**
   * A page of the slots that fit a keyword among the items of the type asked for, without looking at all of them: few are put in order; of many the total is known,
   * and the order is walked until the page is full. Null where neither will do: the matches are to be found first.
   */
  pageWithin(words: KeywordSlots, query: ItemQuery): IdPage | null {
    const { few } = words.all;
    if (few) return this.pageOfFew(words, few, query);
    const total = words.all.count;
    if (total === null || this.filterOf({ ...query, type: undefined })) return null;
    const admits = this.filterOf(query);
    const { sort, offset, limit } = query;
    const order = this.orders[sort === 'relevance' ? 'downloads' : sort];
    const picked: Picked = { skip: offset, slots: [] };
    const enough = this.texts.store.looked + Math.min(MOST_UNITS, LEAST_UNITS + words.all.places * UNITS_A_PLACE);
    const { exact, heads, all } = words;
    const levels: [SlotSet, SlotSet | null][] = sort === 'relevance' ? [[exact, null], [heads, exact], [all, heads]] : [[exact, null], [all, exact]];
    for (const [wanted, taken] of levels) {
      if (picked.slots.length < limit && !this.pickWithin(wanted, taken, order, admits, { limit, enough }, picked)) return null;
    }
    return { ids: picked.slots.map((slot) => this.table.id[slot]!), total };
  }

  /** Takes the wanted slots that were not taken before, in their order, until there are `limit` in all. @returns false where that costs too much */
  private pickWithin(wanted: SlotSet, taken: SlotSet | null, order: SortedSlots, admits: Admits | null, { limit, enough }: { limit: number; enough: number }, into: Picked): boolean {
    if (wanted.count === null || taken?.count === null) return false;
    const before = taken?.count ?? 0;
    let left = wanted.count - before;
    if (left <= into.skip) {
      into.skip -= left;
      return true;
    }
    const { store } = this.texts;
    const slots = wanted.few ? order.sorted(wanted.few) : order.view;
    for (let at = 0; at < slots.length && left > 0 && into.slots.length < limit; at += 1) {
      const slot = slots[at]!;
      if (store.looked > enough) return false;
      if ((admits && !admits(slot)) || (!wanted.few && !wanted.has(slot)) || (before > 0 && taken!.has(slot))) continue;
      left -= 1;
      if (into.skip > 0) into.skip -= 1;
      else into.slots.push(slot);
    }
    return true;
  }

  private pageOfFew(words: KeywordSlots, few: readonly number[], query: ItemQuery): IdPage {
    const { sort, offset, limit } = query;
    const isRelevance = sort === 'relevance';
    const admits = this.filterOf(query);
    const slots = this.orders[isRelevance ? 'downloads' : sort].sorted(admits ? few.filter(admits) : few);
    const fits = Array.from(slots, (slot) => words.fitOf(slot, isRelevance));
    const ordered = (isRelevance ? RELEVANCE_LEVELS : USUAL_LEVELS).flatMap((level) => [...slots].filter((_slot, at) => level.includes(fits[at]!)));
    return { ids: ordered.slice(offset, offset + limit).map((slot) => this.table.id[slot]!), total: slots.length };
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
  const { fits } = matches;
  const best = level[0]!;
  const least = level.at(-1)!;
  let left = level.reduce((sum, fit) => sum + matches.count(fit), 0);
  if (left === 0) return;
  const slots = order.view;
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
