import type { TurnBudget } from '../../common/index.js';

/** Slots sorted or merged without yielding: well below a millisecond. */
const RUN = 512;
const FIRST_SLOTS = 1_024;
const GROWTH = 1.5;

/** Slots kept in sorted order. */
export class SortedSlots {
  private slots = new Uint32Array(FIRST_SLOTS);
  private length = 0;

  /** @param compare must never return 0 for two different slots */
  constructor(private readonly compare: (one: number, other: number) => number) {}

  /** The current order; valid until the next change. */
  get view(): Uint32Array {
    return this.slots.subarray(0, this.length);
  }

  add(slot: number): void {
    if (this.length === this.slots.length) {
      const grown = new Uint32Array(Math.ceil(this.length * GROWTH));
      grown.set(this.slots);
      this.slots = grown;
    }
    const at = this.positionOf(slot);
    this.slots.copyWithin(at + 1, at, this.length);
    this.slots[at] = slot;
    this.length += 1;
  }

  /** Must be called before the sort key changes. */
  remove(slot: number): void {
    const at = this.positionOf(slot);
    this.slots.copyWithin(at, at + 1, this.length);
    this.length -= 1;
  }

  /** Sorts many slots, yielding in between: sorts runs, then merges them pairwise. */
  async fill(slots: Uint32Array, budget: TurnBudget): Promise<void> {
    let from = slots.slice();
    let to = new Uint32Array(from.length);
    for (let start = 0; start < from.length; start += RUN) {
      await budget.take();
      from.subarray(start, start + RUN).sort(this.compare);
    }
    for (let width = RUN; width < from.length; width *= 2) {
      for (let start = 0; start < from.length; start += 2 * width) await this.merge(from, to, start, width, budget);
      [from, to] = [to, from];
    }
    this.slots = from.length ? from : new Uint32Array(FIRST_SLOTS);
    this.length = from.length;
  }

  private async merge(from: Uint32Array, to: Uint32Array, start: number, width: number, budget: TurnBudget): Promise<void> {
    const middle = Math.min(start + width, from.length);
    const end = Math.min(start + 2 * width, from.length);
    let left = start;
    let right = middle;
    for (let at = start; at < end; at += 1) {
      if (at % RUN === 0) await budget.take();
      const takeLeft = left < middle && (right >= end || this.compare(from[left]!, from[right]!) < 0);
      to[at] = takeLeft ? from[left++]! : from[right++]!;
    }
  }

  private positionOf(slot: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(this.slots[middle]!, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
