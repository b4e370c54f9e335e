import type { Subtrie, SuffixTrie } from './suffix-trie.js';
import type { TextStore } from './text-store.js';
import { NONE, UNITS } from './unit-ranges.js';

/** A branch on the way, and the unit to go on from. */
interface Stage {
  readonly branch: number;
  unit: number;
}

/**
 * Goes through the places of a part of a trie in as many goes as one likes. Between two of them the trie may take in more:
 * places added after the first go may be passed over, of those before none is, for ranges of units are only ever divided.
 * (A part that is a small bucket itself is gone through at once.)
 */
export class PlaceWalk {
  private readonly stages: Stage[] = [];
  /** The bucket gone through, and how far. */
  private bucket: number;
  private next = 0;

  /** @param units what all places are to have, those of the part all have if it is `whole` */
  constructor(
    private readonly trie: SuffixTrie,
    private readonly texts: TextStore,
    private readonly part: Subtrie,
    private readonly units: Uint16Array,
  ) {
    this.bucket = this.enter(part.node);
  }

  /** Looks at the next `steps` places or some more. @returns whether there were no more */
  advance(steps: number, found: (place: number) => void): boolean {
    for (let left = steps; left > 0; ) {
      if (this.bucket === NONE) this.bucket = this.goOn();
      if (this.bucket === NONE) return true;
      left -= this.goThrough(this.bucket, left, found);
    }
    return false;
  }

  /** The next bucket, or {@link NONE}. */
  private goOn(): number {
    for (let stage = this.stages.at(-1); stage; stage = this.stages.at(-1)) {
      if (stage.unit === UNITS) this.stages.pop();
      else {
        const { node, end } = this.trie.next(stage.branch, stage.unit);
        stage.unit = end;
        const bucket = this.enter(node);
        if (bucket !== NONE) return bucket;
      }
    }
    return NONE;
  }

  /** The node where it is a bucket; a branch is gone into instead. */
  private enter(node: number): number {
    if (node === NONE || !this.trie.isBranch(node)) return node;
    this.stages.push({ branch: node, unit: 0 });
    return NONE;
  }

  /** A small bucket in one go, for it may be divided; a large one never is. */
  private goThrough(bucket: number, most: number, found: (place: number) => void): number {
    const places = this.trie.placesIn(bucket);
    const isSmall = this.trie.ownersOf(bucket) === null;
    const begin = this.next;
    const end = isSmall ? places.length : Math.min(places.length, begin + most);
    for (let at = begin; at < end; at += 1) if (this.part.whole || this.texts.stands(this.units, places[at]!)) found(places[at]!);
    this.next = end < places.length ? end : 0;
    if (this.next === 0) this.bucket = NONE;
    return end - begin + 1;
  }
}
