import type { GramPositions } from './gram-positions.js';
import { NONE, type PositionReader } from './position-lists.js';

interface Part {
  readonly reader: PositionReader;
  readonly offset: number;
}

/** Looks for a keyword from the first place to the last, in as many goes as one likes; what is added later is found by going on. */
export class PhraseSearch {
  private parts: Part[] | null = null;
  /** The place to go on from. */
  private next = 0;

  /** @param keyword folded, not empty */
  constructor(
    private readonly grams: GramPositions,
    private readonly keyword: string,
  ) {}

  /**
   * Looks at the next `steps` places the keyword may stand at.
   *
   * @param found is told each place it does stand at, and tells from which place on the next matters
   * @returns whether nothing is left to look at, for now
   */
  advance(steps: number, found: (position: number) => number): boolean {
    this.parts ??= this.grams.gramsOf(this.keyword)?.map(({ list, offset }) => ({ reader: this.grams.lists.read(list), offset })) ?? null;
    if (!this.parts) return true;
    const [rarest, ...others] = this.parts as [Part, ...Part[]];
    let { next } = this;
    let left = steps;
    for (; left > 0; left -= 1) {
      const place = rarest.reader.seek(next + rarest.offset);
      if (place === NONE) break;
      next = place - rarest.offset;
      const met = meet(others, next);
      if (met === NONE) break;
      next = met === next ? found(next) : met;
    }
    this.next = next;
    return left > 0;
  }
}

/** `start`, where all parts stand as they should; else the first start from which that may be so, or {@link NONE}. */
function meet(parts: readonly Part[], start: number): number {
  for (let at = 0; at < parts.length; at += 1) {
    const { reader, offset } = parts[at]!;
    const place = reader.seek(start + offset);
    if (place === NONE) return NONE;
    if (place !== start + offset) return place - offset;
  }
  return start;
}
