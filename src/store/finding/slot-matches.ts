import type { ItemTable } from './item-table.js';
import { GROUPS, type ItemTexts } from './item-texts.js';
import { EXACT, IN_NAME, IN_TEXT } from './keyword-slots.js';
import type { PlaceWalk } from './place-walk.js';
import { unitsOf } from './text-store.js';

/** Slots of a new array of fits beyond those there are. */
const SPARE_SLOTS = 1_024;
/** Totals kept of the same matches under different filters. */
const MAX_TOTALS = 64;
/** Where a keyword stands so often in every text, looking for its first place in each costs less than going through all places. */
const PLACES_A_SLOT = 2;
/** Units of a text looked at cost about as much as one place. */
const UNITS_A_STEP = 8;

/** Which slots are wanted, and how well each fits. */
export interface SlotMatches {
  /** By slot: {@link IN_TEXT}, {@link IN_NAME} or {@link EXACT}; 0 or, at its end, nothing for those that do not fit. */
  readonly fits: Uint8Array;
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

/** All items that have a keyword: looked for one by one, then kept up with what is added and taken out. */
export class KeywordMatches implements SlotMatches {
  fits = new Uint8Array(0);
  readonly totals = new FilteredTotals();
  private readonly counts = [0, 0, 0, 0];
  private readonly units: Uint16Array;
  private readonly walks: PlaceWalk[] = [];
  /** The slot whose texts are looked at next: those before it are found by the places of the keyword. */
  private next: number;
  /** The state of the index this is of, and how many slots had been given up by then. */
  private version = -1;
  private givenUp: number;

  /** @param keyword folded, not empty */
  constructor(
    private readonly table: ItemTable,
    private readonly texts: ItemTexts,
    keyword: string,
  ) {
    this.givenUp = table.givenUp;
    this.units = unitsOf(keyword);
    const standings = GROUPS.map((group) => texts.locate('all', this.units, group));
    const places = standings.reduce((sum, { trie, below }) => sum + (below?.whole ? trie.placesOf(below.node) : 0), 0);
    const isEverywhere = places > PLACES_A_SLOT * texts.length;
    for (const standing of isEverywhere ? [] : standings) {
      const walk = texts.walk(standing, this.units);
      // A bucket may be divided before its turn comes.
      if (walk && standing.trie.ownersOf(standing.below!.node) === null) walk.advance(Infinity, this.found);
      else if (walk) this.walks.push(walk);
    }
    this.next = isEverywhere ? 0 : texts.firstPending;
  }

  count(fit: number): number {
    return this.counts[fit]!;
  }

  /** Looks at the next `steps` places. @returns whether there were no more */
  advance(steps: number): boolean {
    for (; this.walks.length > 0; this.walks.pop()) if (!this.walks.at(-1)!.advance(steps, this.found)) return false;
    const { texts, units } = this;
    const enough = texts.store.looked + steps * UNITS_A_STEP;
    for (; this.next < texts.length && texts.store.looked < enough; this.next += 1) {
      const slot = this.next;
      if (texts.hasInHead(slot, units)) this.note(slot, texts.hasExactly(slot, units) ? EXACT : IN_NAME);
      else if (texts.has(slot, units)) this.note(slot, IN_TEXT);
    }
    return this.next === texts.length;
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
      if (fits[slot]! === 0 || alive[slot] === 1) continue;
      counts[fits[slot]!]! -= 1;
      fits[slot] = 0;
    }
    this.givenUp = this.table.givenUp;
  }

  private readonly found = (place: number): void => {
    const { texts } = this;
    const slot = texts.slotAt(place);
    const known = this.fits[slot] ?? 0;
    if (known === EXACT) return;
    if (!texts.isInHead(slot, place)) this.note(slot, IN_TEXT);
    else if (known < IN_NAME) this.note(slot, texts.hasExactly(slot, this.units) ? EXACT : IN_NAME);
  };

  private note(slot: number, fit: number): void {
    if (this.table.alive[slot] === 0) return;
    if (slot >= this.fits.length) this.grow();
    const before = this.fits[slot]!;
    if (fit <= before) return;
    this.fits[slot] = fit;
    this.counts[fit]! += 1;
    if (before > 0) this.counts[before]! -= 1;
  }

  private grow(): void {
    const fits = new Uint8Array(this.table.length + SPARE_SLOTS);
    fits.set(this.fits);
    this.fits = fits;
  }
}
