/** Ids per page: 1 KB, even if only one of them is in use. */
const PAGE = 256;

/**
 * Maps item ids to slots. A `Map` of a hundred thousand items blocks the event loop for about ten milliseconds whenever it grows and
 * rehashes; adding a page takes microseconds, and consecutive ids need a tenth of the memory.
 */
export class SlotsById {
  /** Slot plus one, by the low part of the id; 0 means none. */
  private readonly pages = new Map<number, Uint32Array>();
  private count = 0;

  /** Number of ids. */
  get size(): number {
    return this.count;
  }

  /** Returns the slot of an id, or undefined. */
  get(id: number): number | undefined {
    const slot = this.pages.get(Math.floor(id / PAGE))?.[id % PAGE];
    return slot ? slot - 1 : undefined;
  }

  /** Sets the slot of an id. */
  set(id: number, slot: number): void {
    const at = Math.floor(id / PAGE);
    const page = this.pages.get(at) ?? new Uint32Array(PAGE);
    this.pages.set(at, page);
    if (page[id % PAGE] === 0) this.count += 1;
    page[id % PAGE] = slot + 1;
  }

  /** Removes an id, if present. */
  delete(id: number): void {
    const page = this.pages.get(Math.floor(id / PAGE));
    if (!page || page[id % PAGE] === 0) return;
    page[id % PAGE] = 0;
    this.count -= 1;
    if (page.every((slot) => slot === 0)) this.pages.delete(Math.floor(id / PAGE));
  }

  /** Iterates by id within a page, pages in insertion order; skips ids deleted meanwhile. */
  *entries(): IterableIterator<[id: number, slot: number]> {
    for (const [at, page] of this.pages) {
      for (let digit = 0; digit < PAGE; digit += 1) if (page[digit] !== 0) yield [at * PAGE + digit, page[digit]! - 1];
    }
  }
}
