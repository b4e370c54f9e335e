/** Limits of a keyword list; keywords beyond them are dropped. */
export const KEYWORD_LIMITS = { length: 250, count: 20_000, characters: 400_000 };

let foldTable: Uint16Array | undefined;

/** Maps every UTF-16 unit to its lower case if that is a single unit. */
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
 * Finds any number of keywords in one pass, ignoring case (Aho and Corasick 1975): one step per UTF-16 unit of the text, regardless of the
 * number of keywords. Units in no keyword share one class. Transitions are stored in one array in which sparse rows overlap.
 */
export class KeywordMatcher {
  /** Class of each unit; 0 for units in no keyword. */
  private readonly classes = new Uint16Array(65_536);
  /** Transition of each class from the start state. */
  private readonly root: Int32Array;
  /** Index of the keyword that ends in a state, plus 1. */
  private readonly ends: Int32Array;
  /** Fallback state when no transition matches. */
  private readonly fallback: Int32Array;
  /** State of the next shorter keyword that ends at the same position. */
  private readonly shorter: Int32Array;
  /** Transitions: state `s` has one for class `c` when `owner[base[s] + c]` is `s`; it leads to `target[base[s] + c]`. */
  private readonly base: Int32Array;
  private readonly owner: Int32Array;
  private readonly target: Int32Array;

  /** @param keywords not empty strings; keywords differing only in case count once */
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

    // The trie: children of a state are a linked list; only the root has many, which are stored in a table.
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

    // Breadth first: computes the fallback states and the next shorter keyword at the same position.
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

    // Stores the transitions of all states but the root in one array; see {@link base}.
    this.base = new Int32Array(count);
    let owner = new Int32Array(count + 2 * classCount);
    let target = new Int32Array(owner.length);
    // First free slot with room for any class before it, and the first slot after all used ones.
    let lowest = classCount;
    let behind = classCount;
    let roomy = classCount;
    // States with one child fill the gaps left by the others.
    for (const many of [true, false]) {
      for (let state = 1; state < count; state++) {
        const first = firstChild[state];
        if (first === 0 || (nextSibling[first] !== 0) !== many) continue;
        while (lowest < owner.length && owner[lowest] !== 0) lowest++;
        let base = lowest - classOf[first];
        // A row that does not fit after some attempts is moved to a sparser region and finally to the end, which bounds the time.
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
    // Ensures that no lookup is out of range for any class.
    this.owner = new Int32Array(owner.length + classCount);
    this.owner.set(owner);
    this.target = target;
  }

  /**
   * Searches `text` from `from` to `to`.
   *
   * @param state 0 at the start, otherwise the result of the previous call
   * @param found receives the keyword's index and its end position; returning false stops the search
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
