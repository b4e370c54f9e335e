import { PositionLists } from './position-lists.js';

/** A part of a keyword: which list has the places of it, and how far it stands from the keyword's start. */
export interface Gram {
  readonly list: number;
  readonly offset: number;
}

/** An entry of the map of what follows a unit, and the table its list is in, roughly, in bytes. */
const ENTRY_BYTES = 40;

/**
 * Where one and two code units stand in all texts. Places are numbers that ascend over everything ever added; between two
 * texts one stays empty. Where the pairs of a keyword stand in a row stands the keyword: no text is read to know it.
 */
export class GramPositions {
  readonly lists = new PositionLists();
  /** By unit: the list of the first place in each text that has it, counted from 1. */
  private readonly singles = new Uint32Array(0x10000);
  /** By unit: the start, counted from 1, of the last text that was noted to have it. */
  private readonly notedAt = new Uint32Array(0x10000);
  /** By unit: the lists of what follows it. Each map is a small one: a large one would copy itself at once to grow. */
  private readonly followers: (Map<number, number> | undefined)[] = new Array<undefined>(0x10000).fill(undefined);
  private pairs = 0;

  /** Memory, roughly, in bytes. */
  get bytes(): number {
    return this.lists.bytes + this.pairs * ENTRY_BYTES;
  }

  /** Adds a text. @param start its first place: after all before, and not next to them @returns the place after its last */
  add(text: string, start: number): number {
    let previous = -1;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (this.notedAt[unit] !== start + 1) this.note(unit, start, start + at);
      if (previous >= 0) this.addPair(previous, unit, start + at - 1);
      previous = unit;
    }
    return start + text.length;
  }

  /**
   * Parts that make up a keyword; null where no text can have it. Whoever looks for it walks over the places of the first
   * one and looks the others up.
   *
   * @param keyword not empty; of a single unit only the first place in each text is known
   */
  gramsOf(keyword: string): Gram[] | null {
    if (keyword.length === 1) {
      const list = this.singles[keyword.charCodeAt(0)]! - 1;
      return list < 0 ? null : [{ list, offset: 0 }];
    }
    const pairs: Gram[] = [];
    for (let offset = 0; offset < keyword.length - 1; offset += 1) {
      const list = this.followers[keyword.charCodeAt(offset)]?.get(keyword.charCodeAt(offset + 1));
      if (list === undefined) return null;
      pairs.push({ list, offset });
    }
    const lengthOf = ({ list }: Gram): number => this.lists.lengthOf(list);
    const costs = pairs.map((pair) => lengthOf(pair) * (1 + Math.ceil(pair.offset / 2) + Math.ceil((keyword.length - 2 - pair.offset) / 2)));
    const first = costs.indexOf(Math.min(...costs));
    const others = restOf(first, keyword.length).map((offset) => pairs[offset]!);
    return [pairs[first]!, ...others.sort((one, other) => lengthOf(one) - lengthOf(other))];
  }

  private note(unit: number, start: number, position: number): void {
    this.notedAt[unit] = start + 1;
    const list = this.singles[unit]!;
    if (list === 0) this.singles[unit] = this.lists.begin(position) + 1;
    else this.lists.append(list - 1, position);
  }

  private addPair(first: number, second: number, position: number): void {
    const followers = (this.followers[first] ??= new Map<number, number>());
    const list = followers.get(second);
    if (list !== undefined) return this.lists.append(list, position);
    followers.set(second, this.lists.begin(position));
    this.pairs += 1;
  }
}

/** Offsets of the fewest pairs that make up a keyword together with the one at `offset`. */
function restOf(offset: number, length: number): number[] {
  const offsets: number[] = [];
  for (let at = offset - 2; at > -2; at -= 2) offsets.push(Math.max(at, 0));
  for (let at = offset + 2; at < length; at += 2) offsets.push(Math.min(at, length - 2));
  return offsets;
}
