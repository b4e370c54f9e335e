import type { TurnBudget } from '../../common/index.js';

import { NO_FIT, type ItemTable, type Keyword } from './item-table.js';

/** Texts looked at between two looks at the clock: some microseconds, or part of a millisecond where all are as long as may be. */
const AT_ONCE = 64;
/** Slots beyond those there are, for items that come. */
const SPARE_SLOTS = 1_024;

/** Which items a keyword is in: found by one scan of all texts in slices, then kept up with every change. */
export class KeywordHits {
  /** How well each slot fits, see {@link ItemTable.fitOf}; complete once {@link found}. */
  fits: Uint8Array = new Uint8Array(0);
  readonly found: Promise<void>;
  /** Requests that wait for this or read it. */
  users = 0;
  /** The slot looked at next; those before it are kept up. */
  private next = 0;

  /** @param memory of another keyword, which nobody reads any more */
  constructor(
    private readonly table: ItemTable,
    private readonly keyword: Keyword,
    budget: TurnBudget,
    memory?: Uint8Array,
  ) {
    this.found = this.scan(budget, memory);
  }

  /** After the text of a slot has changed. */
  update(slot: number): void {
    if (slot < this.next) this.look(slot);
  }

  private async scan(budget: TurnBudget, memory?: Uint8Array): Promise<void> {
    const { table } = this;
    await budget.take();
    // Not before its turn has come: of many keywords asked for at once, one after the other takes memory.
    // What is in the memory of another keyword is written over, slot by slot.
    this.fits = memory && memory.length >= table.length ? memory : new Uint8Array(table.length + SPARE_SLOTS);
    while (this.next < table.length) {
      if (!budget.isLeft) await budget.take();
      for (let left = AT_ONCE; left > 0 && this.next < table.length; left -= 1) this.look(this.next++);
    }
    this.next = Infinity;
  }

  private look(slot: number): void {
    const fit = this.table.fitOf(slot, this.keyword);
    if (slot < this.fits.length) this.fits[slot] = fit;
    else if (fit !== NO_FIT) this.grow(slot, fit);
  }

  private grow(slot: number, fit: number): void {
    const fits = new Uint8Array(slot + SPARE_SLOTS);
    fits.set(this.fits);
    fits[slot] = fit;
    this.fits = fits;
  }
}
