import { doubled } from './doubled.js';
import { PlaceWalk } from './place-walk.js';
import { SuffixTrie, type Subtrie } from './suffix-trie.js';
import { SEPARATOR, TextStore } from './text-store.js';

/** Places whose first slot is known: a few slots on is any other one of them. */
const BLOCK_BITS = 6;
/** Memory of a slot and of a block, in bytes. */
const SLOT_BYTES = 16;
const BLOCK_BYTES = 4;

/** Folded texts of an item. */
export interface FoldedTexts {
  readonly name: string;
  readonly slug: string;
  readonly body: string;
}

/** How large the parts of the tries are; only tests need others than usual. */
export interface TrieSizes {
  /** Places a bucket holds. */
  readonly bucket?: number;
  /** Units down to which suffixes are told apart. */
  readonly deepest?: number;
}

/** Groups of items that are counted apart, as most who look for something look among one of them: one for each type. */
export const GROUPS = [0, 1] as const;
/** One of {@link GROUPS}. */
export type Group = (typeof GROUPS)[number];

/** Words of a slot that go into the tries or are taken off their counts. */
interface Change {
  readonly slot: number;
  readonly group: Group;
  readonly adds: boolean;
  readonly stamp: number;
  /** The place to go on from. */
  next: number;
}

/** Which of an item's texts. */
export type Part = 'heads' | 'all';

type Tries = Readonly<Record<Part, SuffixTrie>>;

/** Where some units stand in a part of the texts of a group, as of now. */
export interface Standing {
  readonly group: Group;
  readonly trie: SuffixTrie;
  readonly below: Subtrie | null;
}

/**
 * The texts of the items of an index, by slot. A change of texts is there at once; the tries take it in in as many goes as
 * one likes, and until then whoever asks them looks at what they have not taken in: see {@link owed}.
 */
export class ItemTexts {
  readonly store = new TextStore();
  /** Slots so far. */
  length = 0;
  private starts = new Int32Array(1_024);
  private nameEnds = new Int32Array(1_024);
  private slugEnds = new Int32Array(1_024);
  private ends = new Int32Array(1_024);
  /** By block of places: the slot its first place is of. */
  private blocks = new Uint32Array(1_024);
  private readonly tries: readonly Tries[];
  private readonly changes: Change[] = [];
  /** Changes taken in that still stand before the others: taking each out by itself would move all of them. */
  private done = 0;
  private stamps = 0;
  /** Slots whose words were taken off the counts. */
  private readonly discounted = new Set<number>();

  constructor({ bucket, deepest }: TrieSizes = {}) {
    const owning = { ownerAt: (place: number) => this.slotAt(place), counts: (slot: number) => !this.discounted.has(slot) };
    const trie = (): SuffixTrie => new SuffixTrie(this.store, owning, bucket, deepest);
    this.tries = GROUPS.map(() => ({ heads: trie(), all: trie() }));
  }

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.store.bytes + this.starts.length * SLOT_BYTES + this.blocks.length * BLOCK_BYTES + this.tries.reduce((sum, { heads, all }) => sum + heads.bytes + all.bytes, 0);
  }

  /** The first slot the tries do not have all the words of. */
  get firstPending(): number {
    for (let at = this.done; at < this.changes.length; at += 1) if (this.changes[at]!.adds) return this.changes[at]!.slot;
    return this.length;
  }

  /** Takes the texts of the next slot. */
  add({ name, slug, body }: FoldedTexts, group: Group): void {
    if (this.length === this.starts.length) this.grow();
    const slot = this.length;
    const start = this.store.append('');
    this.starts[slot] = start;
    this.nameEnds[slot] = this.store.append(name);
    this.slugEnds[slot] = this.store.append(slug);
    this.ends[slot] = this.store.append(body);
    this.length += 1;
    this.noteBlocks(slot);
    this.changes.push({ slot, group, adds: true, stamp: (this.stamps += 1), next: start });
  }

  /** Takes the words of a slot out again. */
  remove(slot: number, group: Group): void {
    this.changes.push({ slot, group, adds: false, stamp: (this.stamps += 1), next: this.starts[slot]! });
  }

  /** The tries take in what has changed until that took about `steps` looks at a place. @returns whether nothing is left */
  absorb(steps: number): boolean {
    let left = steps;
    for (; this.done < this.changes.length; this.done += 1) {
      const change = this.changes[this.done]!;
      const { heads, all } = this.tries[change.group]!;
      const enough = heads.work + all.work + left;
      for (const end = this.ends[change.slot]!; change.next < end; change.next += 1) {
        if (heads.work + all.work >= enough) return false;
        this.take(change);
      }
      left = enough - heads.work - all.work;
      if (!change.adds) this.discounted.add(change.slot);
    }
    this.changes.length = this.done = 0;
    return true;
  }

  /** Where some units stand. Of the heads, a name or slug stands between two separators. */
  locate(part: Part, units: Uint16Array, group: Group): Standing {
    const trie = this.tries[group]![part];
    return { group, trie, below: trie.locate(units) };
  }

  /**
   * How many slots more a count of owners should have, or fewer, for what the trie has not taken in.
   *
   * @param has whether a slot has the units, given up or not
   */
  owed({ group, trie, below }: Standing, has: (slot: number) => boolean): number {
    let owed = 0;
    for (let at = this.done; at < this.changes.length; at += 1) {
      const change = this.changes[at]!;
      const { slot, adds, stamp } = change;
      const taken = below !== null && trie.isStamped(below.node, stamp);
      if (change.group === group && !taken && has(slot)) owed += adds ? 1 : -1;
    }
    return owed;
  }

  /** Goes through the places some units stand at; null where there are none. */
  walk({ trie, below }: Standing, units: Uint16Array): PlaceWalk | null {
    return below && new PlaceWalk(trie, this.store, below, units);
  }

  /** The slot a place is of. */
  slotAt(place: number): number {
    let slot = this.blocks[place >>> BLOCK_BITS]!;
    while (place > this.ends[slot]!) slot += 1;
    return slot;
  }

  /** Whether a place is in the name or slug of its slot. */
  isInHead(slot: number, place: number): boolean {
    return place < this.slugEnds[slot]!;
  }

  /** Whether the name or slug is just this. */
  hasExactly(slot: number, units: Uint16Array): boolean {
    return this.isText(units, this.starts[slot]! + 1, this.nameEnds[slot]!) || this.isText(units, this.nameEnds[slot]! + 1, this.slugEnds[slot]!);
  }

  /** Whether some units are in the name or slug. */
  hasInHead(slot: number, units: Uint16Array): boolean {
    return this.store.has(units, this.starts[slot]!, this.slugEnds[slot]!);
  }

  /** Whether some units are in any text. */
  has(slot: number, units: Uint16Array): boolean {
    return this.store.has(units, this.starts[slot]!, this.ends[slot]!);
  }

  private isText(units: Uint16Array, start: number, end: number): boolean {
    return end - start === units.length && this.store.stands(units, start);
  }

  private take({ slot, group, adds, stamp, next }: Change): void {
    const { heads, all } = this.tries[group]!;
    const inHead = next < this.slugEnds[slot]!;
    const inText = this.store.unitAt(next) !== SEPARATOR;
    if (adds) {
      if (inHead) heads.add(next, stamp);
      if (inText) all.add(next, stamp);
    } else {
      if (inHead) heads.discount(next, stamp);
      if (inText) all.discount(next, stamp);
    }
  }

  private noteBlocks(slot: number): void {
    const last = this.ends[slot]! >>> BLOCK_BITS;
    while (last >= this.blocks.length) this.blocks = doubled(this.blocks);
    const first = (this.starts[slot]! + (1 << BLOCK_BITS) - 1) >>> BLOCK_BITS;
    for (let block = first; block <= last; block += 1) this.blocks[block] = slot;
  }

  private grow(): void {
    this.starts = doubled(this.starts);
    this.nameEnds = doubled(this.nameEnds);
    this.slugEnds = doubled(this.slugEnds);
    this.ends = doubled(this.ends);
  }
}
