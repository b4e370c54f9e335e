/** Numbers of a page: 512 KB outside of the heap, so that growing copies nothing and the garbage collector passes it over. */
const PAGE_BITS = 17;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;

/** Lists of numbers, up to 2^17 each, in blocks of 1, 2, 4 … numbers; a list that fills its block moves to one twice as large. */
export class NumberBlocks {
  private readonly pages: Int32Array[] = [];
  /** Numbers handed out of the last page. */
  private taken = PAGE;
  /** Blocks given back, by the power of two that is their size. */
  private readonly free: number[][] = Array.from({ length: PAGE_BITS + 1 }, () => []);

  /** Memory in bytes. */
  get bytes(): number {
    return this.pages.length * PAGE * 4;
  }

  /** A list of one number. @returns its block */
  begin(number: number): number {
    const block = this.take(0);
    this.pageOf(block)[block & IN_PAGE] = number;
    return block;
  }

  /** A list of the first so many of some numbers. @returns its block */
  of(numbers: Int32Array | readonly number[], length = numbers.length): number {
    const block = this.take(powerOf(length));
    const page = this.pageOf(block);
    const begin = block & IN_PAGE;
    for (let at = 0; at < length; at += 1) page[begin + at] = numbers[at]!;
    return block;
  }

  /** @param length how many numbers the list has @returns its block from now on */
  append(block: number, length: number, number: number): number {
    const roomy = this.withRoom(block, length);
    this.pageOf(roomy)[(roomy & IN_PAGE) + length] = number;
    return roomy;
  }

  /** Puts two numbers into a list of pairs. @param length how many numbers the list has @returns its block from now on */
  insertPair(block: number, length: number, at: number, one: number, two: number): number {
    const roomy = this.withRoom(block, length);
    const page = this.pageOf(roomy);
    const begin = roomy & IN_PAGE;
    page.copyWithin(begin + at + 2, begin + at, begin + length);
    page[begin + at] = one;
    page[begin + at + 1] = two;
    return roomy;
  }

  /** The page a block is in: its numbers begin at {@link offsetOf} it. */
  pageOf(block: number): Int32Array {
    return this.pages[block >>> PAGE_BITS]!;
  }

  offsetOf(block: number): number {
    return block & IN_PAGE;
  }

  /** The numbers of a list, good until the next change. */
  view(block: number, length: number): Int32Array {
    const begin = block & IN_PAGE;
    return this.pageOf(block).subarray(begin, begin + length);
  }

  /** Writes the first so many numbers of a list into an array. */
  copy(block: number, length: number, into: Int32Array, begin = 0): void {
    const page = this.pageOf(block);
    const from = block & IN_PAGE;
    for (let at = 0; at < length; at += 1) into[begin + at] = page[from + at]!;
  }

  /** Gives the block of a list back. */
  release(block: number, length: number): void {
    this.free[powerOf(length)]!.push(block);
  }

  /** The block of a list that has room for more: a larger one where its own is full. */
  private withRoom(block: number, length: number): number {
    if ((length & (length - 1)) !== 0) return block;
    const larger = this.take(powerOf(length) + 1);
    this.copy(block, length, this.pageOf(larger), larger & IN_PAGE);
    this.release(block, length);
    return larger;
  }

  private take(power: number): number {
    const free = this.free[power]!.pop();
    if (free !== undefined) return free;
    const size = 1 << power;
    if (this.taken + size > PAGE) {
      this.pages.push(new Int32Array(PAGE));
      this.taken = 0;
    }
    const block = (this.pages.length - 1) * PAGE + this.taken;
    this.taken += size;
    return block;
  }
}

/** The smallest power of two that is not below `length`: its exponent. */
function powerOf(length: number): number {
  return length < 2 ? 0 : 32 - Math.clz32(length - 1);
}
