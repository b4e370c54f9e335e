import { doubled } from './doubled.js';

/** Numbers of a node: they lie together, so that whoever comes by reads one line of memory. */
const STRIDE = 8;
const CONTENT = 0;
const PLACES = 1;
const OWNERS = 2;
const STAMP = 3;
const SHARED = 4;
const SAMPLE = 5;
const RANGES = 6;

/** How many units the places of a bucket share is not known. */
const UNKNOWN = -1;

/** The nodes of a trie by number, in one array outside of the heap: buckets of places and forks. */
export class TrieNodes {
  private length = 0;
  private fields = new Int32Array(256 * STRIDE);

  /** Memory in bytes. */
  get bytes(): number {
    return this.fields.byteLength;
  }

  /** A new bucket. @param block where its places are */
  addBucket(block: number, places: number): number {
    const node = this.length;
    if ((node + 1) * STRIDE > this.fields.length) this.fields = doubled(this.fields);
    this.length += 1;
    this.setBlock(node, block, places);
    this.fields[node * STRIDE + SHARED] = UNKNOWN;
    return node;
  }

  /** Makes a node a fork. @param shared units all places below share @param sample one of these places */
  setFork(node: number, shared: number, sample: number): void {
    this.fields[node * STRIDE + SHARED] = shared;
    this.fields[node * STRIDE + SAMPLE] = sample;
  }

  /** Makes a fork a branch. @param block where its ranges are */
  setRanges(node: number, block: number, ranges: number): void {
    this.fields[node * STRIDE + CONTENT] = block;
    this.fields[node * STRIDE + RANGES] = ranges;
  }

  /** Makes a fork a large bucket. @param content which one */
  setLarge(node: number, content: number): void {
    this.setRanges(node, content, 0);
  }

  setBlock(node: number, block: number, places: number): void {
    this.fields[node * STRIDE + CONTENT] = block;
    this.fields[node * STRIDE + PLACES] = places;
  }

  /** Whether a fork is a large bucket. */
  isLarge(fork: number): boolean {
    return this.fields[fork * STRIDE + RANGES] === 0;
  }

  isBucket(node: number): boolean {
    return this.fields[node * STRIDE + SHARED] === UNKNOWN;
  }

  /** Ranges of a branch; 0 for other nodes. */
  rangesOf(node: number): number {
    return this.fields[node * STRIDE + RANGES]!;
  }

  /** The block of a bucket or of the ranges of a branch, or which large bucket it is. */
  contentOf(node: number): number {
    return this.fields[node * STRIDE + CONTENT]!;
  }

  placesOf(node: number): number {
    return this.fields[node * STRIDE + PLACES]!;
  }

  ownersOf(node: number): number {
    return this.fields[node * STRIDE + OWNERS]!;
  }

  sharedOf(node: number): number {
    return this.fields[node * STRIDE + SHARED]!;
  }

  sampleOf(node: number): number {
    return this.fields[node * STRIDE + SAMPLE]!;
  }

  isStamped(node: number, stamp: number): boolean {
    return this.fields[node * STRIDE + STAMP] === stamp;
  }

  setOwners(node: number, owners: number, stamp: number): void {
    this.fields[node * STRIDE + OWNERS] = owners;
    this.fields[node * STRIDE + STAMP] = stamp;
  }

  /** Gives a node the numbers of places and owners of another one, stamp included. */
  copyCounts(from: number, to: number): void {
    const begin = from * STRIDE + PLACES;
    this.fields.copyWithin(to * STRIDE + PLACES, begin, begin + STAMP);
  }

  /** One place more, of the owner that is being added under a stamp. */
  count(node: number, stamp: number): void {
    this.fields[node * STRIDE + PLACES]! += 1;
    this.changeOwners(node, stamp, 1);
  }

  /** Takes the owner that is being taken out under a stamp off the count. */
  uncount(node: number, stamp: number): void {
    this.changeOwners(node, stamp, -1);
  }

  /** Once under each stamp. */
  private changeOwners(node: number, stamp: number, by: 1 | -1): void {
    const { fields } = this;
    const at = node * STRIDE;
    if (fields[at + STAMP] === stamp) return;
    fields[at + STAMP] = stamp;
    fields[at + OWNERS]! += by;
  }
}
