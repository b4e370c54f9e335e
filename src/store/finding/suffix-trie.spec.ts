import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { PlaceWalk } from './place-walk.js';
import { SuffixTrie } from './suffix-trie.js';
import { TextStore, unitsOf } from './text-store.js';

/** Texts with much in common: what is shared ends in the middle of everything. */
const chunk = fc.constantFrom('a', 'b', 'ab', 'ba', 'aaaa', 'abcabc', '备份', '\uffff', 'z', 'abcabcabx');
const text = fc.array(chunk, { minLength: 1, maxLength: 6 }).map((chunks) => chunks.join(''));
const sizes = fc.constantFrom([1, 2], [1, 64], [2, 3], [2, 64], [4, 8], [8, 64]);

/** A trie of texts, one owner each, and what it should know. */
class Texts {
  readonly store = new TextStore();
  readonly gone = new Set<number>();
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly trie: SuffixTrie;
  private stamps = 0;

  constructor(bucket: number, deepest: number) {
    this.trie = new SuffixTrie(this.store, { ownerAt: (place) => this.ownerAt(place), counts: (owner) => !this.gone.has(owner) }, bucket, deepest);
  }

  add(added: string): void {
    this.starts.push(this.store.append('') + 1);
    this.ends.push(this.store.append(added));
    this.each(this.starts.length - 1, (place, stamp) => this.trie.add(place, stamp));
  }

  remove(owner: number): void {
    if (this.gone.has(owner)) return;
    this.each(owner, (place, stamp) => this.trie.discount(place, stamp));
    this.gone.add(owner);
  }

  /** Places the slow way. */
  placesOf(units: Uint16Array): number[] {
    return Array.from({ length: this.store.end }, (_, place) => place).filter((place) => place + units.length <= this.store.end && this.store.stands(units, place));
  }

  ownersOf(units: Uint16Array): number {
    return new Set(this.placesOf(units).map((place) => this.ownerAt(place)).filter((owner) => !this.gone.has(owner))).size;
  }

  locate(units: Uint16Array) {
    const below = this.trie.locate(units);
    return { owners: below?.whole ? this.trie.ownersOf(below.node) : null, walk: below && new PlaceWalk(this.trie, this.store, below, units) };
  }

  private ownerAt(place: number): number {
    return this.starts.findLastIndex((start) => start - 1 <= place);
  }

  private each(owner: number, take: (place: number, stamp: number) => void): void {
    this.stamps += 1;
    for (let place = this.starts[owner]!; place < this.ends[owner]!; place += 1) take(place, this.stamps);
  }
}

/** Every part of some texts, and some that may be in none. */
function partsOf(texts: readonly string[], others: readonly string[]): Uint16Array[] {
  const parts = new Set(others);
  for (const whole of texts) for (let start = 0; start < whole.length; start += 1) for (let end = start + 1; end <= whole.length; end += 1) parts.add(whole.slice(start, end));
  return [...parts].map(unitsOf);
}

describe('a trie of suffixes', () => {
  it('knows the places and the number of owners of everything that stands in its texts', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 16 }), fc.array(fc.nat(15), { maxLength: 6 }), fc.array(text, { maxLength: 4 }), sizes, (texts, removed, others, [bucket, deepest]) => {
        const all = new Texts(bucket!, deepest!);
        texts.forEach((each, at) => {
          all.add(each);
          const owner = removed[at];
          if (owner !== undefined && owner <= at) all.remove(owner);
        });
        for (const units of partsOf(texts, others)) {
          const { owners, walk } = all.locate(units);
          const places: number[] = [];
          walk?.advance(Infinity, (place) => places.push(place));
          expect(places.sort((one, other) => one - other)).toEqual(all.placesOf(units));
          if (owners !== null) expect(owners).toBe(all.ownersOf(units));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('goes through all places there were at the start, each once, whatever is added meanwhile', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.array(text, { minLength: 1, maxLength: 12 }), chunk, sizes, fc.constantFrom(1, 3), (texts, later, keyword, [bucket, deepest], steps) => {
        const all = new Texts(bucket!, deepest!);
        for (const each of texts) all.add(each);
        const units = unitsOf(keyword);
        const before = all.placesOf(units);
        const found: number[] = [];
        const { walk, owners } = all.locate(units);
        // Few places of a bucket are gone through in one go, as the bucket may be divided.
        if (owners === null) return;
        for (let at = 0; !walk!.advance(steps, (place) => found.push(place)); at += 1) for (const each of later.slice(at, at + 1)) all.add(each);
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(before));
      }),
      { numRuns: 300 },
    );
  });
});
