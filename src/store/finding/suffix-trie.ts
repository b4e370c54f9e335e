import { doubled } from './doubled.js';
import { NumberBlocks } from './number-blocks.js';
import { SEPARATOR, type TextStore } from './text-store.js';
import { TrieNodes } from './trie-nodes.js';
import { NONE, UnitRanges } from './unit-ranges.js';

/** Places a bucket holds at most: so many are looked at one by one in some microseconds. */
const BUCKET = 256;
/** Units down to which suffixes are told apart: many texts that begin alike for longer are passages copied from one to the other. */
const DEEPEST = 64;

/** Places that are not told apart any further, in ascending order. */
interface LargeBucket {
  numbers: Int32Array;
  length: number;
}

/** Whose the places are. */
export interface PlaceOwners {
  /** The owner of a place. */
  ownerAt(place: number): number;
  /** Whether an owner whose places are all in the trie counts. */
  counts(owner: number): boolean;
}

/** Where the places with certain first units are. */
export interface Subtrie {
  readonly node: number;
  /** Whether all places below have them all; else each is to be looked at. */
  readonly whole: boolean;
}

/**
 * Places in texts by what stands there, so that the places of any units lie together and how many owners they have is known
 * without looking at them: a B-trie of suffixes (Askitis, Zobel: B-tries for disk-based string management, 2009). A bucket
 * has the places of a range of units; it is divided when it holds too many, and becomes a fork when one unit alone has too
 * many: a branch by the first unit in which these differ, or a large bucket where they hardly do. Forks count their owners;
 * those of a bucket are counted by looking at its places. Owners are added and taken out one after the other, in ascending
 * order, each under a stamp nobody had before: who is counted in a fork already under a stamp is not counted again.
 */
export class SuffixTrie {
  /** Places looked at by changes so far: what they cost, as buckets that are divided come in crowds. */
  work = 0;
  private readonly nodes = new TrieNodes();
  private readonly ranges = new UnitRanges(this.nodes);
  private readonly blocks = new NumberBlocks();
  private readonly large: LargeBucket[] = [];
  private largeBytes = 0;
  private readonly root: number;
  /** Of the bucket that is divided: its places and what stands there; kept, as garbage by the thousands would hold everybody up. */
  private readonly divided: Int32Array;
  private readonly units: Uint16Array;
  private readonly sorted: Uint16Array;
  private readonly others: Int32Array;

  constructor(
    private readonly texts: TextStore,
    private readonly owning: PlaceOwners,
    private readonly bucketSize = BUCKET,
    private readonly deepest = DEEPEST,
  ) {
    this.divided = new Int32Array(bucketSize + 1);
    this.units = new Uint16Array(bucketSize + 1);
    this.sorted = new Uint16Array(bucketSize + 1);
    this.others = new Int32Array(bucketSize + 1);
    this.root = this.nodes.addBucket(NONE, 0);
    this.nodes.setFork(this.root, 0, 0);
    this.ranges.begin(this.root, NONE);
  }

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.nodes.bytes + this.ranges.bytes + this.blocks.bytes + this.largeBytes;
  }

  /** Adds a place of the owner that is being added. @param place higher than all before */
  add(place: number, stamp: number): void {
    const { texts, nodes, ranges } = this;
    this.work += 1;
    let node = this.root;
    for (let parent = NONE, first = 0, depth = 0; ; ) {
      const shared = nodes.sharedOf(node);
      const common = depth === shared ? depth : texts.common(place, nodes.sampleOf(node), depth, shared);
      if (common < shared) ranges.setNode(parent, first, (node = this.split(node, common)));
      nodes.count(node, stamp);
      if (nodes.isLarge(node)) return this.putLarge(node, place);
      const unit = texts.unitAt(place + common);
      const child = ranges.nodeAt(node, unit);
      if (child === NONE) return ranges.setNode(node, unit, nodes.addBucket(this.blocks.begin(place), 1));
      if (nodes.isBucket(child)) return this.put(child, place, node, unit, stamp);
      parent = node;
      first = unit;
      node = child;
      depth = common + 1;
    }
  }

  /** Takes a place of the owner that is being taken out off the counts; the place itself stays. */
  discount(place: number, stamp: number): void {
    const { nodes } = this;
    this.work += 1;
    for (let node = this.root; !nodes.isBucket(node); node = this.ranges.nodeAt(node, this.texts.unitAt(place + nodes.sharedOf(node)))) {
      nodes.uncount(node, stamp);
      if (nodes.isLarge(node)) return;
    }
  }

  /** Where the places are that have some units; null where there are none. */
  locate(units: Uint16Array): Subtrie | null {
    const { nodes } = this;
    let node = this.root;
    for (let depth = 0; ; ) {
      const shared = nodes.sharedOf(node);
      if (!this.texts.stands(units, nodes.sampleOf(node), depth, shared)) return null;
      if (units.length <= shared) return { node, whole: true };
      if (nodes.isLarge(node)) return { node, whole: false };
      node = this.ranges.nodeAt(node, units[shared]!);
      if (node === NONE) return null;
      if (nodes.isBucket(node)) return { node, whole: false };
      depth = shared + 1;
    }
  }

  /** How many places are below a node, those of owners that do not count any more included. */
  placesOf(node: number): number {
    return this.nodes.placesOf(node);
  }

  /** How many owners a node has; null for a bucket, whose places are to be looked at. */
  ownersOf(node: number): number | null {
    return this.nodes.isBucket(node) ? null : this.nodes.ownersOf(node);
  }

  /** Whether a node's number of owners has changed under a stamp already. */
  isStamped(node: number, stamp: number): boolean {
    return this.nodes.isStamped(node, stamp);
  }

  isBranch(node: number): boolean {
    return this.nodes.rangesOf(node) > 0;
  }

  /** What follows at a branch from a unit on: the node, or {@link NONE}, of the range it is in, and the first unit after that. */
  next(branch: number, unit: number): { node: number; end: number } {
    const range = this.ranges.rangeOf(branch, unit);
    return { node: this.ranges.nodeOf(branch, range), end: this.ranges.endOf(branch, range) };
  }

  /** The places of a bucket in ascending order, good until the next change. */
  placesIn(bucket: number): Int32Array {
    const content = this.nodes.contentOf(bucket);
    if (this.nodes.isBucket(bucket)) return this.blocks.view(content, this.nodes.placesOf(bucket));
    const { numbers, length } = this.large[content]!;
    return numbers.subarray(0, length);
  }

  private put(bucket: number, place: number, branch: number, unit: number, stamp: number): void {
    const { nodes } = this;
    const before = nodes.placesOf(bucket);
    nodes.setBlock(bucket, this.blocks.append(nodes.contentOf(bucket), before, place), before + 1);
    if (before === this.bucketSize) this.relieve(branch, this.ranges.rangeOf(branch, unit), stamp);
  }

  /** Divides a bucket that holds one place too many, or makes it a fork. */
  private relieve(branch: number, range: number, stamp: number): void {
    const { nodes, blocks, divided, units, others } = this;
    const depth = nodes.sharedOf(branch);
    const node = this.ranges.nodeOf(branch, range);
    blocks.copy(nodes.contentOf(node), divided.length, divided);
    blocks.release(nodes.contentOf(node), divided.length);
    this.work += divided.length;
    for (let at = 0; at < divided.length; at += 1) units[at] = this.texts.unitAt(divided[at]! + depth);
    const border = this.borderOf(units);
    if (border === null) {
      this.ranges.isolate(branch, units[0]!);
      return this.burst(node, depth + 1, stamp, units[0] === SEPARATOR && depth > 0);
    }
    let left = 0;
    let right = 0;
    for (let at = 0; at < divided.length; at += 1) {
      if (units[at]! < border) divided[left++] = divided[at]!;
      else others[right++] = divided[at]!;
    }
    nodes.setBlock(node, blocks.of(divided, left), left);
    this.ranges.divide(branch, range, border, nodes.addBucket(blocks.of(others, right), right));
  }

  /** The bucket that was to be divided becomes a fork. @param isEnd whether the texts end with the units its places share */
  private burst(node: number, depth: number, stamp: number, isEnd: boolean): void {
    const { nodes, divided: places } = this;
    const sample = places[0]!;
    this.work += places.length;
    const common = isEnd ? depth : places.reduce((least, place) => this.texts.common(sample, place, depth, least), this.deepest);
    nodes.setOwners(node, this.ownersAmong(places), stamp);
    nodes.setFork(node, common, sample);
    if (isEnd || common === this.deepest) {
      this.largeBytes += places.byteLength;
      return nodes.setLarge(node, this.large.push({ numbers: places.slice(), length: places.length }) - 1);
    }
    this.ranges.begin(node, nodes.addBucket(this.blocks.of(places), places.length));
    this.relieve(node, 0, stamp);
  }

  /** Makes a branch above a fork, all of which has the first `depth` units. @returns it */
  private split(below: number, depth: number): number {
    const { nodes } = this;
    const sample = nodes.sampleOf(below);
    const node = nodes.addBucket(NONE, 0);
    nodes.setFork(node, depth, sample);
    nodes.copyCounts(below, node);
    this.ranges.begin(node, below);
    this.ranges.isolate(node, this.texts.unitAt(sample + depth));
    return node;
  }

  private putLarge(node: number, place: number): void {
    const large = this.large[this.nodes.contentOf(node)]!;
    if (large.length === large.numbers.length) {
      this.largeBytes += large.numbers.byteLength;
      large.numbers = doubled(large.numbers);
    }
    large.numbers[large.length] = place;
    large.length += 1;
  }

  private ownersAmong(places: Int32Array): number {
    let owners = 0;
    let last = NONE;
    for (const place of places) {
      const owner = this.owning.ownerAt(place);
      if (owner !== last && this.owning.counts(owner)) owners += 1;
      last = owner;
    }
    return owners;
  }

  /** A unit that leaves some of the others below and about half of them above; null where all are the same. */
  private borderOf(units: Uint16Array): number | null {
    const { sorted } = this;
    sorted.set(units);
    sorted.sort();
    const lowest = sorted[0]!;
    const middle = sorted[sorted.length >> 1]!;
    return middle > lowest ? middle : (sorted.find((unit) => unit > lowest) ?? null);
  }
}
