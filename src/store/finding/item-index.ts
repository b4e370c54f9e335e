import { Turns } from '../../common/index.js';

import { Census } from './census.js';
import { foldText, textOfHtml } from './fold-text.js';
import { ItemPages, type IdPage } from './item-pages.js';
import type { IndexedItem, ItemQuery } from './item-query.js';
import { ItemTable, fingerprintOf } from './item-table.js';
import { ItemTexts, type TrieSizes } from './item-texts.js';
import { KeywordSlots } from './keyword-slots.js';
import { EverySlot, KeywordMatches } from './slot-matches.js';
import { TimeSlice, TurnShare } from './time-slice.js';

/** Keywords whose finds are kept, the one not asked for longest forgotten first: a byte for every item each. */
const MAX_KEPT = 64;
/** Places looked at between two looks at the clock: well below a millisecond. */
const STEPS = 4_096;
/** Looks at places for sorting words in, between two looks at the clock. */
const STEPS_ABSORBED = 1_024;

/** A keyword's matches, once `found`. */
interface Kept {
  readonly matches: KeywordMatches;
  readonly found: Promise<void>;
}

/**
 * The published items of a store, to be found by any part of their words. An item whose words change takes a new slot, so
 * that every list of places ascends by itself; slots given up are passed over, and {@link wasted} says when to begin anew.
 */
export class ItemIndex {
  private readonly table = new ItemTable();
  private readonly texts: ItemTexts;
  private readonly pages: ItemPages;
  private readonly slots = new Map<number, number>();
  private readonly everything = new EverySlot(this.table, () => this.slots.size);
  private readonly kept = new Map<string, Kept>();
  /** One keyword at a time: many at once would each take their slice of the same turn. */
  private readonly turns = new Turns(1);
  private readonly slice = new TimeSlice();
  private readonly share = new TurnShare();
  /** Rises with every change that makes items fit, or not. */
  private version = 0;

  constructor(sizes?: TrieSizes) {
    this.texts = new ItemTexts(sizes);
    this.pages = new ItemPages(this.table, this.texts);
  }

  /** Items in it. */
  get size(): number {
    return this.slots.size;
  }

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.texts.bytes + this.table.bytes + this.kept.size * this.table.length;
  }

  /** Whether more slots were given up than are in use. */
  get wasted(): boolean {
    return this.table.length > 2 * this.slots.size + 1_000;
  }

  /** Adds an item, or takes its new form. */
  put(item: IndexedItem): void {
    const fingerprint = fingerprintOf(item);
    const old = this.slots.get(item.id);
    if (old !== undefined && this.table.hasFingerprint(old, fingerprint) && this.table.groupOf(old) === this.table.typeOf(item.type)) return this.change(old, item);
    this.remove(item.id);
    const slot = this.table.add(item, fingerprint);
    this.texts.add({ name: foldText(item.name), slug: foldText(item.slug), body: foldText(textOfHtml(item.description)) }, this.table.typeOf(item.type));
    this.slots.set(item.id, slot);
    this.pages.add(slot);
    this.changed();
  }

  /** The items put so far are put in order; from then on every change keeps it. */
  fill(): Promise<void> {
    return this.pages.fill(this.table.aliveSlots(), new TimeSlice());
  }

  remove(id: number): void {
    const slot = this.slots.get(id);
    if (slot === undefined) return;
    this.pages.remove(slot);
    this.table.giveUp(slot);
    this.texts.remove(slot, this.table.groupOf(slot));
    this.slots.delete(id);
    this.changed();
  }

  setDownloads(id: number, downloads: number): void {
    const slot = this.slots.get(id);
    if (slot !== undefined && this.table.downloads[slot] !== downloads) this.pages.setDownloads(slot, downloads);
  }

  /**
   * Sorts in the words of what was put and removed: until then every search looks at them one by one.
   *
   * @param steps so many looks at places, by default what takes below a millisecond
   * @returns whether nothing is left
   */
  absorb(steps = STEPS_ABSORBED): boolean {
    return this.texts.absorb(steps);
  }

  /** To find out which items are missing, or should not be there. */
  census(): Census {
    return new Census(this.table, this.slots);
  }

  /** Ids of a page and how many items there are in all. @param keyword folded; empty: all items */
  async find(keyword: string, query: ItemQuery): Promise<IdPage> {
    await this.share.take();
    if (keyword === '') return this.pages.pageOf(this.everything, query);
    if (!this.kept.has(keyword)) {
      const page = this.pages.pageWithin(new KeywordSlots(this.table, this.texts, keyword, query.type && [this.table.typeOf(query.type)]), query);
      if (page) return page;
    }
    const matches = await this.matchesOf(keyword);
    // From here on in one go: what changed while others had their turn is taken in first.
    matches.settle(this.version);
    return this.pages.pageOf(matches, query);
  }

  private change(slot: number, item: IndexedItem): void {
    if (this.table.isSame(slot, item)) return;
    this.pages.remove(slot);
    this.table.change(slot, item);
    this.pages.add(slot);
    this.changed();
  }

  private changed(): void {
    this.version += 1;
    this.everything.totals.clear();
  }

  /** Everybody who asks for a keyword while it is looked for waits for the same search. */
  private async matchesOf(keyword: string): Promise<KeywordMatches> {
    let kept = this.kept.get(keyword);
    if (kept) this.kept.delete(keyword);
    else {
      const matches = new KeywordMatches(this.table, this.texts, keyword);
      kept = { matches, found: this.turns.take(() => this.search(matches)) };
    }
    this.kept.set(keyword, kept);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value!);
    await kept.found;
    return kept.matches;
  }

  private async search(matches: KeywordMatches): Promise<void> {
    do {
      if (this.slice.isOver) await this.slice.rest();
    } while (!matches.advance(STEPS));
  }
}
