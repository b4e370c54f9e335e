import { DumpError } from './dump-error.js';
import type { DumpEvent } from './dump-event.js';

/** Generator that yields null to receive the next chunk of text, or null at the end. */
export type Reading<T> = Generator<DumpEvent | null, T, string | null>;

/** Maximum characters of a value; relevant columns hold far less. */
const MAX_VALUE_LENGTH = 16 * 1024 * 1024;
/** Maximum characters of a name. */
export const MAX_NAME_LENGTH = 256;
/** Lookahead needed to recognize whitespace or a comment: `/*M!100100 `. */
const LOOKAHEAD = 12;
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a', '%': '\\%', _: '\\_' };

const BLANK = /[\s\uFEFF]+/y;
const WORD = /[A-Za-z0-9_$\u0080-\uFFFF]+/y;
/** Characters of an unquoted value. */
const BARE = /[^\s,()'"`;/#]+/y;
const OPENER = /\/\*M?!\d*/y;
const STOPS = { "'": /['\\]/g, '"': /["\\]/g } as const;

/** Streaming tokenizer for the text of a dump; holds one chunk at a time. */
export class DumpText {
  private text = '';
  private at = 0;
  private ended = false;

  /** The next character, if it has been received. */
  get next(): string | undefined {
    return this.text[this.at];
  }

  /** Skips the next character. */
  pass(): void {
    this.at += 1;
  }

  /** Reads a quoted text, starting at its opening quote. */
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
      if (length > MAX_VALUE_LENGTH) throw new DumpError(`A value in the dump is longer than ${MAX_VALUE_LENGTH} characters.`);
      if (!(yield* this.ensure(2))) {
        if (this.text[this.at] === quote) {
          this.at += 1;
          return parts.join('');
        }
        throw new DumpError('The dump is truncated: it ends inside a string. Export it again.');
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

  /** Reads a name, quoted or not; for `database`.`table` the last part. */
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
      if (!(yield* this.accept('.'))) return name;
    }
  }

  /** Skips the rest of a statement including its delimiter. */
  *passStatement(delimiter: string): Reading<void> {
    const stops = new RegExp(`['"\`#/-]|${delimiter[0]!.replace(/[^\w]/g, '\\$&')}`, 'g');
    for (;;) {
      stops.lastIndex = this.at;
      this.at = stops.exec(this.text)?.index ?? this.text.length;
      if (yield* this.isOver()) return;
      yield* this.ensure(Math.max(3, delimiter.length));
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

  /** Skips a quoted text of any length without buffering it. */
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
      // A doubled quote is treated as the end of one text and the start of another.
      if (isEnd) return;
      if (!(yield* this.isOver())) this.at += 1;
    }
  }

  /** Skips whitespace and comments; the content of executable comments is read as normal text. */
  *gap(): Reading<void> {
    for (;;) {
      if (this.text.length - this.at < LOOKAHEAD) yield* this.ensure(LOOKAHEAD);
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
      yield* this.ensure(1);
    } while (this.text[this.at] !== '/' && !(yield* this.isOver()));
    this.at += 1;
  }

  /** Reads a word, such as an unquoted name; empty if something else follows. */
  *word(): Reading<string> {
    yield* this.gap();
    return yield* this.run(WORD, MAX_NAME_LENGTH);
  }

  /** Reads an unquoted value; empty if something else follows. */
  *bare(): Reading<string> {
    return yield* this.run(BARE, MAX_VALUE_LENGTH);
  }

  /** Consumes this text if it follows, after whitespace. Returns whether it did. */
  *accept(text: string): Reading<boolean> {
    yield* this.gap();
    yield* this.ensure(text.length);
    const found = this.text.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  /** Reads characters matching a pattern, up to `max`. @param keep whether to return them; otherwise they are skipped */
  private *run(kind: RegExp, max: number, keep = true): Reading<string> {
    let found = '';
    for (;;) {
      const part = match(kind, this.text, this.at);
      this.at += part.length;
      if (keep) found += part;
      if (found.length > max) throw new DumpError(`A name or value in the dump is longer than ${max} characters.`);
      if (this.at < this.text.length || (yield* this.isOver())) return found;
    }
  }

  /** Reads up to and including a character. @param keep whether to return the text; otherwise it is skipped */
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

  /** Whether the end is reached. */
  *isOver(): Reading<boolean> {
    return !(yield* this.ensure(1));
  }

  /** Requests text until this many characters are available. @returns whether they are */
  private *ensure(characters: number): Reading<boolean> {
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
