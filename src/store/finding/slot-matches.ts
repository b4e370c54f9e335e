import type { GramPositions } from './gram-positions.js';
import type { ItemTable } from './item-table.js';
import { PhraseSearch } from './phrase-search.js';

/** How well an item fits: the keyword is in its description, in its name or slug, is its name or slug. */
export const IN_TEXT = 1;
export const IN_NAME = 2;
export const EXACT = 3;

/** So few matches are kept as a list too: sorting them costs less than walking an order in search of them. */
const FEW = 256;
/** Slots of a new array of fits beyond those there are. */
const SPARE_SLOTS = 1_024;
/** Totals kept of the same matches under different filters. */
const MAX_TOTALS = 64;

/** Which slots are wanted, and how well each fits. */
export interface SlotMatches {
  /** By slot: {@link IN_TEXT}, {@link IN_NAME} or {@link EXACT}; 0 or, at its end, nothing for those that do not fit. */
  readonly fits: Uint8Array;
  /** The slots themselves, in no order, where they are few. */
  readonly few: readonly number[] | null;
  /** How many fit so well. */
  count(fit: number): number;
  /** Totals under filters, as long as nothing changes. */
  readonly totals: FilteredTotals;
}

/** Totals by filter. */
export class FilteredTotals {
  private readonly totals = new Map<string, number>();

  get(filter: string, count: () => number): number {
    let total = this.totals.get(filter);
    if (total === undefined) {
      if (this.totals.size >= MAX_TOTALS) this.totals.clear();
      this.totals.set(filter, (total = count()));
    }
    return total;
  }

  clear(): void {
    this.totals.clear();
  }
}

/** Every item there is. */
export class EverySlot implements SlotMatches {
  readonly few = null;
  readonly totals = new FilteredTotals();

  constructor(
    private readonly table: ItemTable,
    private readonly size: () => number,
  ) {}

  get fits(): Uint8Array {
    return this.table.alive;
  }

  count(fit: number): number {
    return fit === IN_TEXT ? this.size() : 0;
  }
}

/** The items that have a keyword: found once, then kept up with what is added and taken out. */
export class KeywordMatches implements SlotMatches {
  fits = new Uint8Array(0);
  few: number[] | null = [];
  readonly totals = new FilteredTotals();
  private readonly counts = [0, 0, 0, 0];
  private readonly search: PhraseSearch;
  /** The slot of the last place found. */
  private slot = 0;
  /** The state of the index this is of, and how many slots had been given up by then. */
  private version = -1;
  private givenUp: number;

  /** @param keyword folded, not empty */
  constructor(
    private readonly table: ItemTable,
    grams: GramPositions,
    private readonly keyword: string,
  ) {
    this.givenUp = table.givenUp;
    this.search = new PhraseSearch(grams, keyword);
  }

  count(fit: number): number {
    return this.counts[fit]!;
  }

  /** Looks at the next `steps` places. @returns whether there were no more */
  advance(steps: number): boolean {
    return this.search.advance(steps, this.found);
  }

  /** Takes in what was added and leaves out what was taken out, in one go. @param version of the index, another one after every change */
  settle(version: number): void {
    if (this.version === version) return;
    this.advance(Infinity);
    if (this.givenUp !== this.table.givenUp) this.leaveOut();
    this.totals.clear();
    this.version = version;
  }

  private leaveOut(): void {
    const { alive } = this.table;
    const { fits, counts } = this;
    for (let slot = 0; slot < fits.length; slot += 1) {
      if (fits[slot] !== 0 && alive[slot] === 0) {
        counts[fits[slot]!]! -= 1;
        fits[slot] = 0;
      }
    }
    this.few = this.few?.filter((slot) => alive[slot] === 1) ?? null;
    this.givenUp = this.table.givenUp;
  }

  private readonly found = (position: number): number => {
    const { table } = this;
    this.slot = slotOf(table.name, position, this.slot, table.length);
    const { slot } = this;
    if (slot >= this.fits.length) this.grow();
    const { fits } = this;
    // Behind the last item there may be others one day.
    const after = slot + 1 < table.length ? table.name[slot + 1]! : position + 1;
    if (table.alive[slot] === 0) return after;
    const before = fits[slot]!;
    const inHead = position < table.body[slot]!;
    const fit = inHead ? (this.isWhole(position, slot) ? EXACT : IN_NAME) : IN_TEXT;
    if (fit > before) {
      fits[slot] = fit;
      this.counts[fit]! += 1;
      if (before > 0) this.counts[before]! -= 1;
      else if (this.few && this.few.length < FEW) this.few.push(slot);
      else this.few = null;
    }
    return inHead && fit !== EXACT ? position + 1 : after;
  };

  private grow(): void {
    const fits = new Uint8Array(this.table.length + SPARE_SLOTS);
    fits.set(this.fits);
    this.fits = fits;
  }

  private isWhole(position: number, slot: number): boolean {
    const { table } = this;
    const end = position + this.keyword.length;
    return (position === table.name[slot] && end === table.nameEnd[slot]) || (position === table.slug[slot] && end === table.slugEnd[slot]);
  }
}

/** The slot whose texts have a place. @param first a slot at or before it: most often it is that one or the next */
function slotOf(starts: Int32Array, position: number, first: number, length: number): number {
  let low = first;
  let step = 1;
  while (low + step < length && starts[low + step]! <= position) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, length);
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
}
