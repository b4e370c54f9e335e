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
    for (let left = steps; left > 0; left -= 1) {
      const place = rarest.reader.seek(this.next + rarest.offset);
      if (place === NONE) return true;
      const start = place - rarest.offset;
      this.next = start;
      let at = start;
      for (let part = 0; part < others.length && at === start; part += 1) {
        const { reader, offset } = others[part]!;
        const other = reader.seek(start + offset);
        if (other === NONE) return true;
        at = other - offset;
      }
      this.next = at === start ? found(start) : at;
    }
    return false;
  }
}
