import { DumpError } from './dump-error.js';
import type { DumpEvent } from './dump-event.js';

/** Reads on when it is given the next piece of the text, and ends with null; what it yields null for. */
export type Reading<T> = Generator<DumpEvent | null, T, string | null>;

/** Characters one value may have; the columns of this family hold far less. */
const LONGEST_VALUE = 16 * 1024 * 1024;
/** Characters one name may have. */
export const LONGEST_NAME = 256;
/** Characters that have to be there to see what a blank or comment is: `/*M!100100 `. */
const FARTHEST = 12;
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a', '%': '\\%', _: '\\_' };

const BLANK = /[\s\uFEFF]+/y;
const WORD = /[A-Za-z0-9_$\u0080-\uFFFF]+/y;
/** Up to where a value without quotes goes. */
const BARE = /[^\s,()'"`;/#]+/y;
const OPENER = /\/\*M?!\d*/y;
const STOPS = { "'": /['\\]/g, '"': /["\\]/g } as const;

/**
 * Tells the text of a dump apart into names, texts in quotes and what lies between them, as it comes in; it
 * holds one piece of it at a time.
 */
export class DumpText {
  private text = '';
  private at = 0;
  private ended = false;

  /** The character that is next, as far as it has come in. */
  get next(): string | undefined {
    return this.text[this.at];
  }

  /** Passes over the character that is next. */
  pass(): void {
    this.at += 1;
  }

  /** A text in quotes; its opening one is next. */
  *quoted(quote: "'" | '"'): Reading<string> {
    const stops = STOPS[quote];
    const parts: string[] = [];
    let length = 0;
    this.at += 1;
    for (;;) {
      stops.lastIndex = this.at;
      const stop = stops.exec(this.text)?.index ?? this.text.length;
      if (stop > this.at) parts.push(this.text.slice(this.at, stop));
      length += stop - this.at;
      this.at = stop;
      if (length > LONGEST_VALUE) throw new DumpError(`A value in the dump is longer than ${LONGEST_VALUE} characters.`);
      if (!(yield* this.has(2))) {
        if (this.text[this.at] === quote) {
          this.at += 1;
          return parts.join('');
        }
        throw new DumpError('The dump is cut off: it ends within a text. Make it again.');
      }
      const character = this.text[this.at]!;
      const next = this.text[this.at + 1]!;
      if (character === '\\') parts.push(ESCAPES[next] ?? next);
      else if (character !== quote) continue;
      else if (next === quote) parts.push(quote);
      else {
        this.at += 1;
        return parts.join('');
      }
      this.at += 2;
    }
  }

  /** A name, with or without quotes; of `database`.`table` the last part. */
  *name(): Reading<string> {
    for (;;) {
      yield* this.gap();
      const quote = this.text[this.at];
      let name: string;
      if (quote === '`' || quote === '"') {
        this.at += 1;
        name = yield* this.until(quote);
        while (this.text[this.at] === quote) {
          this.at += 1;
          name += quote + (yield* this.until(quote));
        }
      } else name = yield* this.word();
      if (name === '') throw new DumpError('The dump has a statement without the name of a table or column.');
      if (!(yield* this.takes('.'))) return name;
    }
  }

  /** Passes over the rest of a statement, with what ends it. */
  *passStatement(delimiter: string): Reading<void> {
    const stops = new RegExp(`['"\`#/-]|${delimiter[0]!.replace(/[^\w]/g, '\\$&')}`, 'g');
    for (;;) {
      stops.lastIndex = this.at;
      this.at = stops.exec(this.text)?.index ?? this.text.length;
      if (yield* this.isOver()) return;
      yield* this.has(Math.max(3, delimiter.length));
      const character = this.text[this.at]!;
      if (this.text.startsWith(delimiter, this.at)) return void (this.at += delimiter.length);
      if (character === "'" || character === '"') yield* this.passOver(character);
      else if (character === '`') yield* this.name();
      else {
        const before = this.at;
        if (character === '#' || character === '/' || character === '-') yield* this.gap();
        if (this.at === before && !(yield* this.isOver())) this.at += 1;
      }
    }
  }

  /** A text that nobody wants: however long it is, nothing of it is kept. */
  private *passOver(quote: "'" | '"'): Reading<void> {
    const stops = STOPS[quote];
    this.at += 1;
    for (;;) {
      stops.lastIndex = this.at;
      const stop = stops.exec(this.text)?.index;
      this.at = stop ?? this.text.length;
      if (yield* this.isOver()) return;
      if (stop === undefined) continue;
      const isEnd = this.text[this.at] === quote;
      this.at += 1;
      // A doubled quote ends one text and begins the next.
      if (isEnd) return;
      if (!(yield* this.isOver())) this.at += 1;
    }
  }

  /** Passes over blanks and comments; what stands in a comment of the kind that servers run is read as if it stood there by itself. */
  *gap(): Reading<void> {
    for (;;) {
      if (this.text.length - this.at < FARTHEST) yield* this.has(FARTHEST);
      const two = this.text.slice(this.at, this.at + 2);
      if (match(BLANK, this.text, this.at) !== '') yield* this.run(BLANK, Infinity, false);
      else if (two[0] === '#' || (/^--$/.test(two) && /^$|\s/.test(this.text[this.at + 2] ?? ''))) yield* this.until('\n', false);
      else if (two === '*/') this.at += 2;
      else if (two === '/*') {
        const opener = match(OPENER, this.text, this.at);
        if (opener !== '') this.at += opener.length;
        else {
          this.at += 2;
          yield* this.passComment();
        }
      } else return;
    }
  }

  private *passComment(): Reading<void> {
    do {
      yield* this.until('*', false);
      yield* this.has(1);
    } while (this.text[this.at] !== '/' && !(yield* this.isOver()));
    this.at += 1;
  }

  /** A word, such as a name without quotes; empty where something else is next. */
  *word(): Reading<string> {
    yield* this.gap();
    return yield* this.run(WORD, LONGEST_NAME);
  }

  /** A value without quotes; empty where something else is next. */
  *bare(): Reading<string> {
    return yield* this.run(BARE, LONGEST_VALUE);
  }

  /** Whether this is next after a gap; passes over it then. */
  *takes(wanted: string): Reading<boolean> {
    yield* this.gap();
    yield* this.has(wanted.length);
    const found = this.text.startsWith(wanted, this.at);
    if (found) this.at += wanted.length;
    return found;
  }

  /** What follows of characters of a kind, up to `most`. @param keep whether it is wanted; else it is passed over */
  private *run(kind: RegExp, most: number, keep = true): Reading<string> {
    let found = '';
    for (;;) {
      const part = match(kind, this.text, this.at);
      this.at += part.length;
      if (keep) found += part;
      if (found.length > most) throw new DumpError(`A name or value in the dump is longer than ${most} characters.`);
      if (this.at < this.text.length || (yield* this.isOver())) return found;
    }
  }

  /** Everything up to a character, which is passed over too. @param keep whether it is wanted */
  *until(end: string, keep = true): Reading<string> {
    const parts: string[] = [];
    for (;;) {
      const found = this.text.indexOf(end, this.at);
      const stop = found < 0 ? this.text.length : found;
      if (keep) parts.push(this.text.slice(this.at, stop));
      this.at = found < 0 ? stop : found + 1;
      if (found >= 0 || (yield* this.isOver())) return parts.join('');
    }
  }

  /** Whether nothing follows any more. */
  *isOver(): Reading<boolean> {
    return !(yield* this.has(1));
  }

  /** Asks for text until so many characters are there. @returns whether they are */
  private *has(characters: number): Reading<boolean> {
    while (this.text.length - this.at < characters) {
      if (this.ended) return false;
      const more = yield null;
      this.ended = more === null;
      this.text = this.text.slice(this.at) + (more ?? '');
      this.at = 0;
    }
    return true;
  }
}

function match(kind: RegExp, text: string, at: number): string {
  kind.lastIndex = at;
  return kind.exec(text)?.[0] ?? '';
}
