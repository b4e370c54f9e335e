import { hash } from 'node:crypto';

/** Values kept: up to so many addresses are counted exactly, more to some 4 %. */
const KEPT = 512;
/** Bytes of a value. */
const WIDTH = 6;
const RANGE = 2 ** (8 * WIDTH);

/**
 * Counts different addresses in a little room, so that counts of several times can be put together: of the hashes of all the 512
 * smallest are kept, and how close together they lie tells how many there were (k minimum values; Bar-Yossef et al., "Counting distinct
 * elements in a data stream", 2002).
 */
export class VisitorSketch {
  private constructor(private readonly smallest: readonly number[]) {}

  /** Of addresses. */
  static of(addresses: Iterable<string>): VisitorSketch {
    const values = [...addresses].map((address) => hash('sha256', address, 'buffer').readUIntBE(0, WIDTH));
    return VisitorSketch.keep(values);
  }

  /** What {@link stored} has written. */
  static read(text: string): VisitorSketch {
    const bytes = Buffer.from(text, 'base64');
    const values: number[] = [];
    for (let at = 0; at + WIDTH <= bytes.length; at += WIDTH) values.push(bytes.readUIntBE(at, WIDTH));
    return new VisitorSketch(values);
  }

  /** Several together. */
  static joined(sketches: readonly VisitorSketch[]): VisitorSketch {
    return VisitorSketch.keep(sketches.flatMap(({ smallest }) => smallest));
  }

  private static keep(values: readonly number[]): VisitorSketch {
    return new VisitorSketch([...new Set(values)].sort((one, other) => one - other).slice(0, KEPT));
  }

  /** How many different addresses there were. */
  get count(): number {
    return this.smallest.length < KEPT ? this.smallest.length : Math.round(((KEPT - 1) * RANGE) / this.smallest.at(-1)!);
  }

  /** At most 4,096 characters. */
  get stored(): string {
    const bytes = Buffer.alloc(this.smallest.length * WIDTH);
    this.smallest.forEach((value, index) => bytes.writeUIntBE(value, index * WIDTH, WIDTH));
    return bytes.toString('base64');
  }
}
