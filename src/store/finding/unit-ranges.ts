import { NumberBlocks } from './number-blocks.js';
import type { TrieNodes } from './trie-nodes.js';

/** No node. */
export const NONE = -1;
/** One more than the highest code unit. */
export const UNITS = 0x10000;

/** What follows at each branch: nodes by ranges of code units, which are only ever divided. */
export class UnitRanges {
  /** Pairs: the first unit of a range, and its node. */
  private readonly blocks = new NumberBlocks();

  constructor(private readonly nodes: TrieNodes) {}

  /** Memory in bytes. */
  get bytes(): number {
    return this.blocks.bytes;
  }

  /** Gives a branch one range of all units. @param node what is there */
  begin(branch: number, node: number): void {
    this.nodes.setRanges(branch, this.blocks.of([0, node]), 1);
  }

  /** The range a unit is in. */
  rangeOf(branch: number, unit: number): number {
    const block = this.nodes.contentOf(branch);
    return (this.search(block, this.nodes.rangesOf(branch), unit) - this.blocks.offsetOf(block)) >> 1;
  }

  /** The node of the range a unit is in. */
  nodeAt(branch: number, unit: number): number {
    const block = this.nodes.contentOf(branch);
    return this.blocks.pageOf(block)[this.search(block, this.nodes.rangesOf(branch), unit) + 1]!;
  }

  nodeOf(branch: number, range: number): number {
    return this.numberAt(branch, 2 * range + 1);
  }

  /** Sets the node of the range a unit is in. */
  setNode(branch: number, unit: number, node: number): void {
    const block = this.nodes.contentOf(branch);
    this.blocks.pageOf(block)[this.search(block, this.nodes.rangesOf(branch), unit) + 1] = node;
  }

  /** The first unit after a range. */
  endOf(branch: number, range: number): number {
    return range + 1 < this.nodes.rangesOf(branch) ? this.numberAt(branch, 2 * range + 2) : UNITS;
  }

  /** Divides a range: its node keeps what is below a unit, another one gets the rest. */
  divide(branch: number, range: number, unit: number, node: number): void {
    const ranges = this.nodes.rangesOf(branch);
    this.nodes.setRanges(branch, this.blocks.insertPair(this.nodes.contentOf(branch), 2 * ranges, 2 * range + 2, unit, node), ranges + 1);
  }

  /** Makes a unit a range of its own, with the node of the one it is in, which keeps none. */
  isolate(branch: number, unit: number): void {
    const range = this.rangeOf(branch, unit);
    const node = this.nodeOf(branch, range);
    if (this.endOf(branch, range) > unit + 1) this.divide(branch, range, unit + 1, NONE);
    const start = this.numberAt(branch, 2 * range);
    if (start === unit) return;
    this.setNode(branch, start, NONE);
    this.divide(branch, range, unit, node);
  }

  /** Where in its page the range of a unit stands. */
  private search(block: number, ranges: number, unit: number): number {
    const page = this.blocks.pageOf(block);
    let low = this.blocks.offsetOf(block);
    for (let left = ranges; left > 1; ) {
      const half = left >> 1;
      if (page[low + 2 * half]! <= unit) low += 2 * half;
      left -= half;
    }
    return low;
  }

  private numberAt(branch: number, at: number): number {
    const block = this.nodes.contentOf(branch);
    return this.blocks.pageOf(block)[this.blocks.offsetOf(block) + at]!;
  }
}
