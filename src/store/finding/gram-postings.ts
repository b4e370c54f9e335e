/** Ascending numbers of the texts that hold a gram. */
interface Posting {
  slots: Uint32Array;
  length: number;
}

const SINGLES = 0x10000;

/**
 * Which texts hold which one and two code units. A text of a keyword's grams need not hold the keyword: whoever asks for
 * three units or more checks the candidates again.
 */
export class GramPostings {
  private readonly postings = new Map<number, Posting>();
  /** Bytes of the arrays and, roughly, of the map. */
  bytes = 0;

  /** @param slot higher than all before */
  add(slot: number, text: string): void {
    let previous = -1;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      this.put(unit, slot);
      if (previous >= 0) this.put(pairOf(previous, unit), slot);
      previous = unit;
    }
  }

  /** The fewest slots known to hold every text with `keyword`; not empty. */
  candidates(keyword: string): Uint32Array {
    if (keyword.length === 1) return this.of(keyword.charCodeAt(0));
    let rarest: Uint32Array | null = null;
    for (let at = 1; at < keyword.length; at += 1) {
      const slots = this.of(pairOf(keyword.charCodeAt(at - 1), keyword.charCodeAt(at)));
      if (!rarest || slots.length < rarest.length) rarest = slots;
      if (rarest.length === 0) break;
    }
    return rarest!;
  }

  private of(gram: number): Uint32Array {
    const posting = this.postings.get(gram);
    return posting ? posting.slots.subarray(0, posting.length) : new Uint32Array(0);
  }

  private put(gram: number, slot: number): void {
    const posting = this.postings.get(gram);
    if (!posting) {
      this.postings.set(gram, { slots: Uint32Array.of(slot, 0), length: 1 });
      // A map entry, a record and a typed array with its buffer.
      this.bytes += 250;
      return;
    }
    if (posting.slots[posting.length - 1] === slot) return;
    if (posting.length === posting.slots.length) {
      const grown = new Uint32Array(Math.ceil(posting.length * 1.5) + 2);
      grown.set(posting.slots);
      this.bytes += (grown.length - posting.slots.length) * 4;
      posting.slots = grown;
    }
    posting.slots[posting.length++] = slot;
  }
}

const pairOf = (first: number, second: number): number => SINGLES + first * 0x10000 + second;
