/** Units of a page: 128 KB outside of the heap, so that growing copies nothing and the garbage collector passes it over. */
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;

/** What stands before, between and after texts and in none of them: folded text has a space where somebody wrote it. */
export const SEPARATOR = 0;
/** What looking into a text costs beside its units, in units. */
const LOOK_COST = 16;

/** The UTF-16 code units of many texts, one after the other, each at a place of its own. */
export class TextStore {
  /** Units looked at so far, roughly: what a search costs. */
  looked = 0;
  private readonly pages: Uint16Array[] = [];
  private length = 0;

  /** Memory in bytes. */
  get bytes(): number {
    return this.pages.length * PAGE * 2;
  }

  /** First free place. */
  get end(): number {
    return this.length;
  }

  /** Puts a text and a separator at the end. @returns the place of the separator */
  append(text: string): number {
    for (let at = 0; at <= text.length; at += 1) {
      if ((this.length & IN_PAGE) === 0) this.pages.push(new Uint16Array(PAGE));
      this.pages[this.length >>> PAGE_BITS]![this.length & IN_PAGE] = at < text.length ? text.charCodeAt(at) : SEPARATOR;
      this.length += 1;
    }
    return this.length - 1;
  }

  unitAt(place: number): number {
    return this.pages[place >>> PAGE_BITS]![place & IN_PAGE]!;
  }

  /** Whether `units` stand at a place: those from `known` on and before `end`. */
  stands(units: Uint16Array, place: number, known = 0, end = units.length): boolean {
    for (let at = known; at < units.length && at < end; at += 1) if (this.unitAt(place + at) !== units[at]) return false;
    return true;
  }

  /** Whether `units` stand somewhere from `from` on and end before `end`. */
  has(units: Uint16Array, from: number, end: number): boolean {
    const first = units[0]!;
    const last = end - units.length;
    let place = from;
    while (place <= last && !(this.unitAt(place) === first && this.stands(units, place, 1))) place += 1;
    this.looked += place - from + LOOK_COST;
    return place <= last;
  }

  /** How many units from two places on are the same, `known` of which are known to be: at most `most`, and none past a text's end. */
  common(one: number, other: number, known: number, most: number): number {
    let length = known;
    while (length < most) {
      const unit = this.unitAt(one + length);
      if (unit === SEPARATOR || unit !== this.unitAt(other + length)) break;
      length += 1;
    }
    return length;
  }
}

/** The code units of a text. */
export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}
