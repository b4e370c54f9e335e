/** Numbers of a page: 256 KB outside of the heap, so that growing copies nothing and the garbage collector passes it over. */
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;

/** A list begins with a small block and goes on in larger ones; the first number of a block says where the next one is. */
const FIRST_BLOCK = 4;
const LARGEST_BLOCK = 1_024;

/** Further on there is nothing, for now. */
export const NONE = -1;

/** How far numbers are passed one by one before the rest of a block is halved. */
const NEAR = 8;

/** Any number of lists of ascending numbers below 2^31, which only ever grow at their ends. */
export class PositionLists {
  private readonly pages: Int32Array[] = [];
  /** Numbers handed out of the last page. */
  private taken = PAGE;
  private lists = 0;
  private first = new Int32Array(1_024);
  private last = new Int32Array(1_024);
  private sizes = new Uint16Array(1_024);
  private used = new Uint16Array(1_024);
  private lengths = new Uint32Array(1_024);

  /** Memory in bytes. */
  get bytes(): number {
    return this.pages.length * PAGE * 4 + this.first.length * 16;
  }

  /** A new list of one number. @returns its name */
  begin(position: number): number {
    if (this.lists === this.first.length) this.grow();
    const list = this.lists;
    const block = this.block(FIRST_BLOCK);
    this.pages[block >>> PAGE_BITS]![(block & IN_PAGE) + 1] = position;
    this.first[list] = this.last[list] = block;
    this.sizes[list] = FIRST_BLOCK;
    this.used[list] = 2;
    this.lengths[list] = 1;
    this.lists += 1;
    return list;
  }

  /** @param position higher than all before in this list */
  append(list: number, position: number): void {
    let block = this.last[list]!;
    const size = this.sizes[list]!;
    if (this.used[list] === size) {
      const larger = Math.min(2 * size, LARGEST_BLOCK);
      const next = this.block(larger);
      this.pages[block >>> PAGE_BITS]![block & IN_PAGE] = next;
      this.last[list] = block = next;
      this.sizes[list] = larger;
      this.used[list] = 1;
    }
    this.pages[block >>> PAGE_BITS]![(block & IN_PAGE) + this.used[list]!] = position;
    this.used[list]! += 1;
    this.lengths[list]! += 1;
  }

  lengthOf(list: number): number {
    return this.lengths[list]!;
  }

  /** Reads a list from its start; what is appended meanwhile is read as well. */
  read(list: number): PositionReader {
    return new PositionReader(this, list);
  }

  /** @internal */
  pageOf(block: number): Int32Array {
    return this.pages[block >>> PAGE_BITS]!;
  }

  /** @internal */
  firstOf(list: number): number {
    return this.first[list]!;
  }

  /** Numbers of a block in use, its first one included, or 0 where it is full and another one follows. @internal */
  usedOf(list: number, block: number): number {
    return this.last[list] === block ? this.used[list]! : 0;
  }

  private block(size: number): number {
    if (this.taken + size > PAGE) {
      this.pages.push(new Int32Array(PAGE));
      this.taken = 0;
    }
    const block = (this.pages.length - 1) * PAGE + this.taken;
    this.taken += size;
    return block;
  }

  private grow(): void {
    this.first = doubled(this.first);
    this.last = doubled(this.last);
    this.sizes = doubled(this.sizes);
    this.used = doubled(this.used);
    this.lengths = doubled(this.lengths);
  }
}

/** A place in a list that only moves on. */
export class PositionReader {
  private block: number;
  private size = FIRST_BLOCK;
  private page: Int32Array;
  /** Of the block in the page; the numbers end before `end`, or further on by now. */
  private begin: number;
  private end: number;
  private at: number;

  constructor(
    private readonly lists: PositionLists,
    private readonly list: number,
  ) {
    this.block = lists.firstOf(list);
    this.page = lists.pageOf(this.block);
    this.begin = this.block & IN_PAGE;
    this.at = this.end = this.begin + 1;
  }

  /** The first number from `least` on, or {@link NONE}. @param least not below that of the last call */
  seek(least: number): number {
    const { page, end } = this;
    const near = this.at + NEAR;
    for (let { at } = this; at < near && at < end; at += 1) {
      const position = page[at]!;
      if (position < least) continue;
      this.at = at;
      return position;
    }
    return this.seekOn(least);
  }

  private seekOn(least: number): number {
    for (;;) {
      const used = this.lists.usedOf(this.list, this.block);
      this.end = this.begin + (used || this.size);
      if (this.page[this.end - 1]! >= least) break;
      if (used) {
        this.at = this.end;
        return NONE;
      }
      this.enter(this.page[this.begin]!);
    }
    const { page } = this;
    let low = this.at;
    let high = this.end - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (page[middle]! < least) low = middle + 1;
      else high = middle;
    }
    this.at = low;
    return page[low]!;
  }

  private enter(block: number): void {
    this.block = block;
    this.size = Math.min(2 * this.size, LARGEST_BLOCK);
    this.page = this.lists.pageOf(block);
    this.begin = block & IN_PAGE;
    this.at = this.begin + 1;
  }
}

/** An array twice as long that begins with what `array` holds. */
export function doubled<A extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array>(array: A): A {
  const grown = new (array.constructor as new (length: number) => A)(array.length * 2);
  grown.set(array);
  return grown;
}
