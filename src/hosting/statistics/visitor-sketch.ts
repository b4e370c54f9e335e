import { hash } from 'node:crypto';

/** Number of values kept: up to this many addresses are counted exactly, more with an error of some 4 %. */
const KEPT = 512;
/** Bytes of a value. */
const WIDTH = 6;
const RANGE = 2 ** (8 * WIDTH);

/**
 * Counts distinct addresses in bounded memory, mergeable across periods: keeps the 512 smallest hashes, whose density estimates the total
 * (k minimum values; Bar-Yossef et al., "Counting distinct elements in a data stream", 2002).
 */
export class VisitorSketch {
  private constructor(private readonly smallest: readonly number[]) {}

  /** Creates a sketch of addresses. */
  static of(addresses: Iterable<string>): VisitorSketch {
    const values = [...addresses].map((address) => hash('sha256', address, 'buffer').readUIntBE(0, WIDTH));
    return VisitorSketch.keep(values);
  }

  /** Parses the output of {@link stored}. */
  static read(text: string): VisitorSketch {
    const bytes = Buffer.from(text, 'base64');
    const values: number[] = [];
    for (let at = 0; at + WIDTH <= bytes.length; at += WIDTH) values.push(bytes.readUIntBE(at, WIDTH));
    return new VisitorSketch(values);
  }

  /** Merges several sketches. */
  static joined(sketches: readonly VisitorSketch[]): VisitorSketch {
    return VisitorSketch.keep(sketches.flatMap(({ smallest }) => smallest));
  }

  private static keep(values: readonly number[]): VisitorSketch {
    return new VisitorSketch([...new Set(values)].sort((one, other) => one - other).slice(0, KEPT));
  }

  /** Number of distinct addresses. */
  get count(): number {
    return this.smallest.length < KEPT ? this.smallest.length : Math.round(((KEPT - 1) * RANGE) / this.smallest.at(-1)!);
  }

  /** Serialized form, at most 4,096 characters. */
  get stored(): string {
    const bytes = Buffer.alloc(this.smallest.length * WIDTH);
    this.smallest.forEach((value, index) => bytes.writeUIntBE(value, index * WIDTH, WIDTH));
    return bytes.toString('base64');
  }
}
