import type { TurnBudget } from '../../common/index.js';

import { NO_FIT, type ItemTable, type Keyword } from './item-table.js';

/** Texts scanned between two checks of the clock: microseconds, or a fraction of a millisecond if all have maximum length. */
const SLICE = 64;
/** Spare slots for new items. */
const SPARE_SLOTS = 1_024;

/** Match levels of one keyword: computed by one sliced scan of all texts, then updated with every change. */
export class KeywordHits {
  /** Match level by slot, see {@link ItemTable.fitOf}; complete once {@link found} resolves. */
  fits: Uint8Array = new Uint8Array(0);
  readonly found: Promise<void>;
  /** Number of requests waiting for or reading this. */
  users = 0;
  /** Next slot to scan; slots before it are kept up to date. */
  private next = 0;

  /** @param memory buffer of an evicted keyword, for reuse */
  constructor(
    private readonly table: ItemTable,
    private readonly keyword: Keyword,
    budget: TurnBudget,
    memory?: Uint8Array,
  ) {
    this.found = this.scan(budget, memory);
  }

  /** Updates a slot after its text changed. */
  update(slot: number): void {
    if (slot < this.next) this.evaluate(slot);
  }

  private async scan(budget: TurnBudget, memory?: Uint8Array): Promise<void> {
    const { table } = this;
    await budget.take();
    // Allocated only now, so that concurrent keyword searches take memory one after another.
    // A reused buffer is overwritten slot by slot.
    this.fits = memory && memory.length >= table.length ? memory : new Uint8Array(table.length + SPARE_SLOTS);
    while (this.next < table.length) {
      if (!budget.isLeft) await budget.take();
      for (let left = SLICE; left > 0 && this.next < table.length; left -= 1) this.evaluate(this.next++);
    }
    this.next = Infinity;
  }

  private evaluate(slot: number): void {
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
