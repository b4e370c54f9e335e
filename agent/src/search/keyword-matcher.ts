/** Limits of a word list: longer words are dropped, further ones too. */
export const KEYWORD_LIMITS = { length: 250, count: 20_000, characters: 400_000 };

let foldTable: Uint16Array | undefined;

/** Lower case of every UTF-16 unit whose lower case is one unit. */
function caseFolding() {
  if (foldTable === undefined) {
    foldTable = new Uint16Array(65_536);
    for (let unit = 0; unit < 65_536; unit++) {
      const lower = String.fromCharCode(unit).toLowerCase();
      foldTable[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
    }
  }
  return foldTable;
}

/**
 * Finds any number of words in one pass, ignoring case (Aho and Corasick 1975): every step is one unit of the text, whatever the
 * number of words. Units no word holds share one class; transitions lie in one array, rows pushed into each other's gaps.
 */
export class KeywordMatcher {
  /** Class of each unit; 0: in no word. */
  private readonly classes = new Uint16Array(65_536);
  /** Where each class leads from the start. */
  private readonly root: Int32Array;
  /** Word that ends in a state, plus 1. */
  private readonly ends: Int32Array;
  /** Where to go on when no child fits. */
  private readonly fallback: Int32Array;
  /** The next shorter word that ends in the same place. */
  private readonly shorter: Int32Array;
  /** Transitions: state `s` has one for class `c` when `owner[base[s] + c]` is `s`; it leads to `target[base[s] + c]`. */
  private readonly base: Int32Array;
  private readonly owner: Int32Array;
  private readonly target: Int32Array;

  /** @param keywords of at least one unit; equal ones but for case count once */
  constructor(readonly keywords: readonly string[]) {
    const fold = caseFolding();
    let classCount = 1;
    let states = 1;
    for (const keyword of keywords) {
      states += keyword.length;
      for (let i = 0; i < keyword.length; i++) {
        const unit = fold[keyword.charCodeAt(i)];
        if (this.classes[unit] === 0) this.classes[unit] = classCount++;
      }
    }
    for (let unit = 0; unit < 65_536; unit++) this.classes[unit] = this.classes[fold[unit]];

    // The tree of words: children of a state are a list; only the root has many, and those stand in a table.
    this.root = new Int32Array(classCount);
    const firstChild = new Int32Array(states);
    const nextSibling = new Int32Array(states);
    const classOf = new Uint16Array(states);
    this.ends = new Int32Array(states);
    let count = 1;
    const child = (state: number, unitClass: number) => {
      if (state === 0) return this.root[unitClass];
      let next = firstChild[state];
      while (next !== 0 && classOf[next] !== unitClass) next = nextSibling[next];
      return next;
    };
    for (let word = 0; word < keywords.length; word++) {
      let state = 0;
      for (let i = 0; i < keywords[word].length; i++) {
        const unitClass = this.classes[keywords[word].charCodeAt(i)];
        let next = child(state, unitClass);
        if (next === 0) {
          next = count++;
          classOf[next] = unitClass;
          nextSibling[next] = firstChild[state];
          firstChild[state] = next;
          if (state === 0) this.root[unitClass] = next;
        }
        state = next;
      }
      if (state !== 0 && this.ends[state] === 0) this.ends[state] = word + 1;
    }

    // Breadth first: where to go on when no child fits, and the next shorter word that ends in the same place.
    this.fallback = new Int32Array(count);
    this.shorter = new Int32Array(count);
    const queue = new Int32Array(count);
    let tail = 1;
    for (let head = 0; head < tail; head++) {
      const state = queue[head];
      for (let next = firstChild[state]; next !== 0; next = nextSibling[next]) {
        queue[tail++] = next;
        if (state === 0) continue;
        let from = this.fallback[state];
        while (from !== 0 && child(from, classOf[next]) === 0) from = this.fallback[from];
        const target = child(from, classOf[next]);
        this.fallback[next] = target;
        this.shorter[next] = this.ends[target] !== 0 ? target : this.shorter[target];
      }
    }

    // The transitions of all states but the root in one array: state `s` has one for class `c` when `owner[base[s] + c]` is `s`.
    this.base = new Int32Array(count);
    let owner = new Int32Array(count + 2 * classCount);
    let target = new Int32Array(owner.length);
    // The first free place, with room for any class before it; and the first behind all that is taken.
    let lowest = classCount;
    let behind = classCount;
    let roomy = classCount;
    // States with one child fill the gaps the others leave.
    for (const many of [true, false]) {
      for (let state = 1; state < count; state++) {
        const first = firstChild[state];
        if (first === 0 || (nextSibling[first] !== 0) !== many) continue;
        while (lowest < owner.length && owner[lowest] !== 0) lowest++;
        let base = lowest - classOf[first];
        // A row that does not fit after some tries goes where there is more room, at last behind all others: space for a bounded time.
        search: for (let tries = 0; ; tries++, base++) {
          if (tries === 64) base = roomy;
          else if (tries === 256) base = roomy = behind;
          if (base + classCount > owner.length) {
            owner = grown(owner);
            target = grown(target);
          }
          for (let next = first; next !== 0; next = nextSibling[next]) {
            if (owner[base + classOf[next]] !== 0) continue search;
          }
          break;
        }
        this.base[state] = base;
        for (let next = first; next !== 0; next = nextSibling[next]) {
          owner[base + classOf[next]] = state;
          target[base + classOf[next]] = next;
          behind = Math.max(behind, base + classOf[next] + 1);
        }
      }
    }
    // So that no look-up lies outside, whatever the class.
    this.owner = new Int32Array(owner.length + classCount);
    this.owner.set(owner);
    this.target = target;
  }

  /**
   * Searches `text` from `from` to `to`.
   *
   * @param state 0 at the start, else what the call before returned
   * @param found index of the word and the place behind it; false ends the search
   * @returns the state at `to`
   */
  search(text: string, from: number, to: number, state: number, found: (keyword: number, end: number) => boolean): number {
    const { classes, root, base, owner, target, fallback, ends, shorter } = this;
    for (let i = from; i < to; i++) {
      const unitClass = classes[text.charCodeAt(i)];
      if (unitClass === 0) {
        state = 0;
        continue;
      }
      while (state !== 0 && owner[base[state] + unitClass] !== state) state = fallback[state];
      state = state === 0 ? root[unitClass] : target[base[state] + unitClass];
      if (ends[state] === 0 && shorter[state] === 0) continue;
      for (let end = ends[state] === 0 ? shorter[state] : state; end !== 0; end = shorter[end]) {
        if (!found(ends[end] - 1, i + 1)) return state;
      }
    }
    return state;
  }
}

function grown(array: Int32Array) {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
