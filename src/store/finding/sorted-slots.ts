import type { TimeSlice } from './time-slice.js';

/** Slots sorted in one go: well below a millisecond. */
const RUN = 512;

/** Slots in an order. */
export class SortedSlots {
  private slots = new Uint32Array(1_024);
  length = 0;

  /** @param compare never 0 for two slots */
  constructor(private readonly compare: (one: number, other: number) => number) {}

  /** The present order; good until the next change. */
  get view(): Uint32Array {
    return this.slots.subarray(0, this.length);
  }

  /** Some slots in this order. */
  sorted(slots: readonly number[]): Uint32Array {
    return Uint32Array.from(slots).sort(this.compare);
  }

  add(slot: number): void {
    if (this.length === this.slots.length) this.grow(this.length + 1);
    const at = this.placeOf(slot);
    this.slots.copyWithin(at + 1, at, this.length);
    this.slots[at] = slot;
    this.length += 1;
  }

  /** Before what it is sorted by changes. */
  remove(slot: number): void {
    const at = this.placeOf(slot);
    if (this.slots[at] !== slot) return;
    this.slots.copyWithin(at, at + 1, this.length);
    this.length -= 1;
  }

  /** Takes many at once, in turns with other work: a merge sort of runs that are sorted in one go. */
  async fill(slots: Uint32Array, slice: TimeSlice): Promise<void> {
    let from = slots.slice();
    let to = new Uint32Array(from.length);
    for (let start = 0; start < from.length; start += RUN) {
      from.subarray(start, start + RUN).sort(this.compare);
      if (slice.isOver) await slice.rest();
    }
    for (let width = RUN; width < from.length; width *= 2) {
      for (let start = 0; start < from.length; start += 2 * width) {
        await this.merge(from, to, start, width, slice);
      }
      [from, to] = [to, from];
    }
    this.slots = from.length ? from : new Uint32Array(1_024);
    this.length = from.length;
  }

  private async merge(from: Uint32Array, to: Uint32Array, start: number, width: number, slice: TimeSlice): Promise<void> {
    const middle = Math.min(start + width, from.length);
    const end = Math.min(start + 2 * width, from.length);
    let left = start;
    let right = middle;
    for (let at = start; at < end; at += 1) {
      const takeLeft = left < middle && (right >= end || this.compare(from[left]!, from[right]!) < 0);
      to[at] = takeLeft ? from[left++]! : from[right++]!;
      if ((at & 1_023) === 0 && slice.isOver) await slice.rest();
    }
  }

  private grow(least: number): void {
    const grown = new Uint32Array(Math.ceil(least * 1.5));
    grown.set(this.slots);
    this.slots = grown;
  }

  private placeOf(slot: number): number {
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
