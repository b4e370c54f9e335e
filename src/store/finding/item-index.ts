import { foldText, textOfHtml } from './fold-text.js';
import { GramPostings } from './gram-postings.js';
import type { IndexedItem, ItemQuery, ItemSort } from './item-query.js';
import { SortedSlots } from './sorted-slots.js';
import { TimeSlice } from './time-slice.js';

/** How well an item fits: the keyword is its name or slug, is in one of them, is in its description. */
const EXACT = 3;
const IN_NAME = 2;
const IN_TEXT = 1;

/** Keywords whose finds are kept: a byte for every item each. */
const MAX_KEPT = 32;

/** Stands between the texts of an item; no folded text has it. */
const BORDER = '\u0000';

/** An item in memory: its texts folded once, without the description as it is written. */
interface Entry extends Omit<IndexedItem, 'description' | 'name' | 'slug'> {
  downloads: number;
  readonly text: string;
  /** Where the description begins. */
  readonly bodyAt: number;
}

type Order = Exclude<ItemSort, 'relevance'>;

/**
 * The published items of a store, to be found by any part of their words. A changed item takes a new slot, so that every
 * posting ascends by itself; slots given up are passed over, and {@link wasted} says when to begin anew.
 */
export class ItemIndex {
  private readonly postings = new GramPostings();
  private readonly entries: (Entry | null)[] = [];
  private readonly slots = new Map<number, number>();
  private readonly orders: Record<Order, SortedSlots>;
  /** How well the texts fit the keywords asked for last. */
  private kept = new Map<string, Uint8Array>();
  private textBytes = 0;
  private filled = false;

  constructor() {
    const by = (key: (entry: Entry) => number, way: 1 | -1) =>
      new SortedSlots((one, other) => {
        const [a, b] = [this.entries[one]!, this.entries[other]!];
        return way * (key(a) - key(b) || a.id - b.id);
      });
    this.orders = {
      newest: by((entry) => entry.createdAt, -1),
      downloads: by((entry) => entry.downloads, -1),
      price: by((entry) => entry.price, 1),
      updated: by((entry) => entry.updatedAt, -1),
    };
  }

  /** Items in it. */
  get size(): number {
    return this.slots.size;
  }

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.postings.bytes + this.textBytes + this.entries.length * 200;
  }

  /** Whether more slots were given up than are in use. */
  get wasted(): boolean {
    return this.entries.length > 2 * this.slots.size + 1_000;
  }

  get ids(): Iterable<number> {
    return this.slots.keys();
  }

  has(id: number): boolean {
    return this.slots.has(id);
  }

  /** Adds an item, or takes its new form. */
  put(item: IndexedItem): void {
    const { description, name, slug, ...rest } = item;
    const head = `${BORDER}${foldText(name)}${BORDER}${foldText(slug)}${BORDER}`;
    const text = head + foldText(textOfHtml(description));
    const old = this.slots.get(item.id);
    if (old !== undefined && isSame(this.entries[old]!, item, text)) return;
    this.remove(item.id);
    const slot = this.entries.push({ ...rest, text, bodyAt: head.length }) - 1;
    this.slots.set(item.id, slot);
    this.textBytes += text.length * 2;
    this.postings.add(slot, text);
    this.forget();
    if (this.filled) for (const order of Object.values(this.orders)) order.add(slot);
  }

  /** The items put so far are put in order; from then on every change keeps it. */
  async fill(): Promise<void> {
    const slice = new TimeSlice();
    for (const order of Object.values(this.orders)) await order.fill(Uint32Array.from(this.slots.values()), slice);
    this.filled = true;
  }

  remove(id: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    if (this.filled) for (const order of Object.values(this.orders)) order.remove(slot);
    this.textBytes -= this.entries[slot]!.text.length * 2;
    this.slots.delete(id);
    this.entries[slot] = null;
    this.forget();
  }

  private forget(): void {
    if (this.kept.size > 0) this.kept = new Map();
  }

  setDownloads(id: number, downloads: number): void {
    const slot = this.slots.get(id);
    const entry = slot === undefined ? null : this.entries[slot]!;
    if (slot === undefined || !entry || entry.downloads === downloads) return;
    if (this.filled) this.orders.downloads.remove(slot);
    entry.downloads = downloads;
    if (this.filled) this.orders.downloads.add(slot);
  }

  /** Ids of a page and how many items there are in all. @param keyword folded, not empty */
  async find(keyword: string, query: ItemQuery): Promise<{ ids: number[]; total: number }> {
    return this.pageOf(await this.fitsOf(keyword), query);
  }

  /** How well each slot fits; kept for the next page and the next order while no text changes. */
  private async fitsOf(keyword: string): Promise<Uint8Array> {
    const kept = this.kept.get(keyword);
    if (kept) return kept;
    const { kept: keeping } = this;
    const fits = new Uint8Array(this.entries.length);
    const candidates = this.postings.candidates(keyword);
    const slice = new TimeSlice();
    const exact = `${BORDER}${keyword}${BORDER}`;
    for (let at = 0; at < candidates.length; at += 1) {
      const entry = this.entries[candidates[at]!];
      if (entry) fits[candidates[at]!] = fitOf(entry, keyword, exact);
      if ((at & 255) === 255 && slice.isOver) await slice.rest();
    }
    // What changed meanwhile has begun another collection: this one is nobody's any more.
    if (keeping.size >= MAX_KEPT) keeping.delete(keeping.keys().next().value!);
    keeping.set(keyword, fits);
    return fits;
  }

  /** In one go: what changed meanwhile is in the orders already, or no longer. */
  private pageOf(fits: Uint8Array, query: ItemQuery): { ids: number[]; total: number } {
    const { sort, offset, limit } = query;
    const filters = isFiltered(query);
    const order = this.orders[sort === 'relevance' ? 'downloads' : sort].view;
    const levels = sort === 'relevance' ? [[EXACT], [IN_NAME], [IN_TEXT]] : [[EXACT], [IN_NAME, IN_TEXT]];
    const ids: number[] = [];
    let total = 0;
    for (const level of levels) {
      const [least, most] = [Math.min(...level), Math.max(...level)];
      for (let at = 0; at < order.length; at += 1) {
        const fit = fits[order[at]!]!;
        if (!(fit >= least && fit <= most)) continue;
        if (filters && !passes(this.entries[order[at]!]!, query)) continue;
        if (total >= offset && ids.length < limit) ids.push(this.entries[order[at]!]!.id);
        total += 1;
      }
    }
    return { ids, total };
  }
}

function fitOf({ text, bodyAt }: Entry, keyword: string, exact: string): number {
  const at = text.indexOf(keyword);
  if (at < 0) return 0;
  if (at >= bodyAt) return IN_TEXT;
  // Only the name and the slug stand between two borders.
  const whole = text.indexOf(exact);
  return whole >= 0 && whole < bodyAt ? EXACT : IN_NAME;
}

function isFiltered({ type, category, authorId, minPrice, maxPrice }: ItemQuery): boolean {
  return [type, category, authorId, minPrice, maxPrice].some((value) => value !== undefined);
}

function passes(entry: Entry, { type, category, authorId, minPrice, maxPrice }: ItemQuery): boolean {
  return (
    (type === undefined || entry.type === type) &&
    (category === undefined || entry.category === category) &&
    (authorId === undefined || entry.authorId === authorId) &&
    (minPrice === undefined || entry.price >= minPrice) &&
    (maxPrice === undefined || entry.price <= maxPrice)
  );
}

function isSame(entry: Entry, item: IndexedItem, text: string): boolean {
  return (
    entry.text === text && entry.type === item.type && entry.category === item.category && entry.authorId === item.authorId && entry.price === item.price &&
    entry.downloads === item.downloads && entry.createdAt === item.createdAt && entry.updatedAt === item.updatedAt
  );
}
