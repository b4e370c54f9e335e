import type { TurnBudget } from '../../common/index.js';
import type { ItemType } from '../entities/index.js';
import { textOfHtml } from '../html/index.js';

import { foldText } from './fold-text.js';
import type { IndexedItem, ItemQuery } from './item-query.js';
import { marksOf, mayHave, sketchOf } from './text-sketch.js';

/** Maximum searched characters of a folded description; limits memory per item and time per keyword. */
export const MAX_DESCRIPTION = 4_000;
/** Match levels of a keyword: none, in the description, in the name or slug, equal to name or slug. */
export const NO_FIT = 0;
export const IN_TEXT = 1;
export const IN_NAME = 2;
export const EXACT = 3;

/** A search keyword, folded and not empty. */
export class Keyword {
  readonly marks: Uint32Array;

  constructor(readonly text: string) {
    this.marks = marksOf(text);
  }
}

/** Separates the texts of an item; cannot occur in them, because folding replaces control characters. */
const SEPARATOR = '\u0000';
const MIN_SLOTS = 1_024;
/** Spare capacity: copying all columns of a hundred thousand items blocks the event loop for about ten milliseconds. */
const SPARE = 1.1;
const GROWTH = 1.5;
/** Texts are stored in pages of slots, for the same reason. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
const LAST = PAGE - 1;
const TYPE_CODES: Readonly<Record<ItemType, number>> = { plugin: 0, theme: 1 };

const COLUMNS = {
  /** {@link IN_TEXT} for used slots: the match level of all items without a keyword. */
  alive: Uint8Array,
  id: Uint32Array,
  type: Uint8Array,
  category: Uint32Array,
  authorId: Uint32Array,
  /** In fen. */
  price: Float64Array,
  downloads: Uint32Array,
  /** In milliseconds since 1970. */
  createdAt: Float64Array,
  /** In milliseconds since 1970. */
  updatedAt: Float64Array,
  /** Offsets in the item's text where name and slug end. */
  nameEnd: Uint16Array,
  slugEnd: Uint16Array,
} as const;

type Columns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

/** Columnar table of the indexed items: one slot per item in one array per column, plus the searchable text. */
export class ItemTable {
  columns = allocate(MIN_SLOTS);
  /** Folded name, slug and description by page and slot; empty for free slots. */
  private readonly texts: string[][] = [];
  private readonly sketches: string[][] = [];
  private used = 0;
  private readonly categories = new Map<string, number>();

  /** Number of slots ever used. */
  get length(): number {
    return this.used;
  }

  /** Allocates space for about this many items, before the first is added. */
  async reserve(expected: number, budget: TurnBudget): Promise<void> {
    const slots = Math.max(MIN_SLOTS, Math.ceil(expected * SPARE));
    const columns: Partial<Record<keyof Columns, object>> = {};
    for (const [name, Column] of Object.entries(COLUMNS)) {
      await budget.take();
      columns[name as keyof Columns] = new Column(slots);
    }
    this.columns = columns as Columns;
  }

  /** Writes an item into a used slot or the next one. @returns whether its text changed */
  write(slot: number, item: IndexedItem): boolean {
    if (slot === this.columns.id.length) this.columns = allocate(Math.ceil(slot * GROWTH), this.columns);
    if (slot === this.used) this.used += 1;
    const { columns } = this;
    columns.alive[slot] = IN_TEXT;
    columns.id[slot] = item.id;
    columns.type[slot] = TYPE_CODES[item.type];
    columns.category[slot] = this.codeOf(item.category);
    columns.authorId[slot] = item.authorId;
    columns.price[slot] = item.price;
    columns.downloads[slot] = item.downloads;
    columns.createdAt[slot] = item.createdAt;
    columns.updatedAt[slot] = item.updatedAt;
    const [name, slug] = [foldText(item.name), foldText(item.slug)];
    // Joining copies the characters: a substring would keep the whole original text in memory.
    const text = [name, slug, foldText(textOfHtml(item.description)).slice(0, MAX_DESCRIPTION)].join(SEPARATOR);
    const texts = (this.texts[slot >>> PAGE_BITS] ??= new Array<string>(PAGE));
    if (text === texts[slot & LAST]) return false;
    columns.nameEnd[slot] = name.length;
    columns.slugEnd[slot] = name.length + 1 + slug.length;
    texts[slot & LAST] = text;
    (this.sketches[slot >>> PAGE_BITS] ??= new Array<string>(PAGE))[slot & LAST] = sketchOf(text);
    return true;
  }

  /** Frees a slot. */
  clear(slot: number): void {
    this.columns.alive[slot] = NO_FIT;
    this.texts[slot >>> PAGE_BITS]![slot & LAST] = this.sketches[slot >>> PAGE_BITS]![slot & LAST] = '';
  }

  /** Returns the match level of a slot's item. */
  fitOf(slot: number, keyword: Keyword): number {
    if (!mayHave(this.sketches[slot >>> PAGE_BITS]![slot & LAST]!, keyword.marks)) return NO_FIT;
    const text = this.texts[slot >>> PAGE_BITS]![slot & LAST]!;
    const at = text.indexOf(keyword.text);
    if (at < 0) return NO_FIT;
    const slugEnd = this.columns.slugEnd[slot]!;
    if (at >= slugEnd) return IN_TEXT;
    const { length } = keyword.text;
    const nameEnd = this.columns.nameEnd[slot]!;
    const isName = at === 0 && length === nameEnd;
    const isSlug = length === slugEnd - nameEnd - 1 && text.startsWith(keyword.text, nameEnd + 1);
    return isName || isSlug ? EXACT : IN_NAME;
  }

  /** Returns a predicate for the query's filters; null if it has none. */
  filterOf({ type, category, authorId, minPrice, maxPrice }: ItemQuery): ((slot: number) => boolean) | null {
    if (type === undefined && category === undefined && authorId === undefined && minPrice === undefined && maxPrice === undefined)
      return null;
    const { columns } = this;
    const typeCode = type && TYPE_CODES[type];
    // An unknown category matches no item.
    const categoryCode = category === undefined ? undefined : (this.categories.get(category) ?? -1);
    return (slot) =>
      (typeCode === undefined || columns.type[slot] === typeCode) &&
      (categoryCode === undefined || columns.category[slot] === categoryCode) &&
      (authorId === undefined || columns.authorId[slot] === authorId) &&
      (minPrice === undefined || columns.price[slot]! >= minPrice) &&
      (maxPrice === undefined || columns.price[slot]! <= maxPrice);
  }

  private codeOf(category: string): number {
    let code = this.categories.get(category);
    if (code === undefined) this.categories.set(category, (code = this.categories.size));
    return code;
  }
}

/** Allocates columns for this many slots, copying `from`. */
function allocate(length: number, from?: Columns): Columns {
  const columns = Object.entries(COLUMNS).map(([name, Column]) => {
    const column = new Column(length);
    if (from) column.set(from[name as keyof Columns]);
    return [name, column];
  });
  return Object.fromEntries(columns) as Columns;
}
