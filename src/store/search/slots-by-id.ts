/** Ids of one page: 1 KB, also where one of them is in use. */
const PAGE = 256;

/**
 * The slot of each item by its id. A `Map` of a hundred thousand items takes some ten milliseconds whenever it grows, because all of it
 * is hashed anew, in one turn; a page more costs microseconds, and a tenth of the memory where ids follow each other.
 */
export class SlotsById {
  /** Slots plus one by the last digits of the id; 0 where there is none. */
  private readonly pages = new Map<number, Uint32Array>();
  private count = 0;

  /** Ids that have a slot. */
  get size(): number {
    return this.count;
  }

  /** The slot of an id; undefined where it has none. */
  get(id: number): number | undefined {
    const slot = this.pages.get(Math.floor(id / PAGE))?.[id % PAGE];
    return slot ? slot - 1 : undefined;
  }

  /** For an id that has none, or anew. */
  set(id: number, slot: number): void {
    const at = Math.floor(id / PAGE);
    const page = this.pages.get(at) ?? new Uint32Array(PAGE);
    this.pages.set(at, page);
    if (page[id % PAGE] === 0) this.count += 1;
    page[id % PAGE] = slot + 1;
  }

  /** Takes an id out, where it is in here. */
  delete(id: number): void {
    const page = this.pages.get(Math.floor(id / PAGE));
    if (!page || page[id % PAGE] === 0) return;
    page[id % PAGE] = 0;
    this.count -= 1;
    if (page.every((slot) => slot === 0)) this.pages.delete(Math.floor(id / PAGE));
  }

  /** By id within a page; pages in the order they came in. What is deleted meanwhile is left out. */
  *entries(): IterableIterator<[id: number, slot: number]> {
    for (const [at, page] of this.pages) {
      for (let digit = 0; digit < PAGE; digit += 1) if (page[digit] !== 0) yield [at * PAGE + digit, page[digit]! - 1];
    }
  }
}
