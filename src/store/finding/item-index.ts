import { Turns } from '../../common/index.js';

import { Census } from './census.js';
import { foldText, textOfHtml } from './fold-text.js';
import { GramPositions } from './gram-positions.js';
import { ItemPages, type IdPage } from './item-pages.js';
import type { IndexedItem, ItemQuery } from './item-query.js';
import { ItemTable, fingerprintOf } from './item-table.js';
import { EverySlot, KeywordMatches } from './slot-matches.js';
import { TimeSlice } from './time-slice.js';

/** Keywords whose finds are kept, the one not asked for longest forgotten first: a byte for every item each. */
const MAX_KEPT = 64;
/** Places looked at between two looks at the clock: well below a millisecond. */
const STEPS = 4_096;

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
  private readonly grams = new GramPositions();
  private readonly pages = new ItemPages(this.table);
  private readonly slots = new Map<number, number>();
  private readonly everything = new EverySlot(this.table, () => this.slots.size);
  private readonly kept = new Map<string, Kept>();
  /** One keyword at a time: many at once would each take their slice of the same turn. */
  private readonly turns = new Turns(1);
  private readonly slice = new TimeSlice();
  /** First free place. */
  private end = 0;
  /** Rises with every change that makes items fit, or not. */
  private version = 0;

  /** Items in it. */
  get size(): number {
    return this.slots.size;
  }

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.grams.bytes + this.table.bytes + this.kept.size * this.table.length;
  }

  /** Whether more slots were given up than are in use. */
  get wasted(): boolean {
    return this.table.length > 2 * this.slots.size + 1_000;
  }

  /** Adds an item, or takes its new form. */
  put(item: IndexedItem): void {
    const fingerprint = fingerprintOf(item);
    const old = this.slots.get(item.id);
    if (old !== undefined && this.table.hasFingerprint(old, fingerprint)) return this.change(old, item);
    this.remove(item.id);
    const slot = this.table.add(item, fingerprint, this.addTexts(item));
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
    this.slots.delete(id);
    this.changed();
  }

  setDownloads(id: number, downloads: number): void {
    const slot = this.slots.get(id);
    if (slot !== undefined && this.table.downloads[slot] !== downloads) this.pages.setDownloads(slot, downloads);
  }

  /** To find out which items are missing, or should not be there. */
  census(): Census {
    return new Census(this.table, this.slots);
  }

  /** Ids of a page and how many items there are in all. @param keyword folded; empty: all items */
  async find(keyword: string, query: ItemQuery): Promise<IdPage> {
    if (keyword === '') return this.pages.pageOf(this.everything, query);
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

  private addTexts({ name, slug, description }: IndexedItem) {
    const texts = [foldText(name), foldText(slug), foldText(textOfHtml(description))] as const;
    const starts = texts.map((text) => {
      const start = this.end;
      this.end = this.grams.add(text, start) + 1;
      return start;
    });
    return { name: starts[0]!, nameLength: texts[0].length, slug: starts[1]!, slugLength: texts[1].length, body: starts[2]! };
  }

  /** Everybody who asks for a keyword while it is looked for waits for the same search. */
  private async matchesOf(keyword: string): Promise<KeywordMatches> {
    let kept = this.kept.get(keyword);
    if (kept) this.kept.delete(keyword);
    else {
      const matches = new KeywordMatches(this.table, this.grams, keyword);
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
