import { DumpError } from './dump-error.js';

/** One value of a row, as text; what is written in hexadecimal is read as UTF-8. */
export type DumpValue = string | null;

/** What a dump says that an import wants to know. */
export type DumpEvent =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  /** `columns` is null where the statement names none: they are those of the table, in its order. */
  | { readonly kind: 'row'; readonly table: string; readonly columns: readonly string[] | null; readonly values: readonly DumpValue[] }
  | { readonly kind: 'charset'; readonly name: string };

/** Reads on when it is given the next piece of the text, and ends with null; what it yields null for. */
type Reading<T> = Generator<DumpEvent | null, T, string | null>;

/** Characters one value may have; the columns of this family hold far less. */
const LONGEST_VALUE = 16 * 1024 * 1024;
const LONGEST_NAME = 256;
/** Characters that have to be there to see what a blank or comment is: `/*M!100100 `. */
const FARTHEST = 12;
const MODIFIERS = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);
/** What begins a line of `CREATE TABLE` that is no column. */
const NO_COLUMN = new Set(['PRIMARY', 'KEY', 'UNIQUE', 'INDEX', 'CONSTRAINT', 'FULLTEXT', 'SPATIAL', 'FOREIGN', 'CHECK', 'PERIOD']);
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a', '%': '\\%', _: '\\_' };

const BLANK = /[\s\uFEFF]+/y;
const WORD = /[A-Za-z0-9_$\u0080-\uFFFF]+/y;
/** Up to where a value without quotes goes. */
const BARE = /[^\s,()'"`;/#]+/y;
const OPENER = /\/\*M?!\d*/y;
const STOPS = { "'": /['\\]/g, '"': /["\\]/g } as const;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads the `INSERT`s of a MySQL dump as its text comes in, and runs nothing of it. It holds one row and one piece of the text at a time.
 * Written here because the parsers there are build the tree of a whole statement, and one statement is as large as its server allows.
 */
export class DumpParser {
  private text = '';
  private at = 0;
  private ended = false;
  private delimiter = ';';

  /** @param wants whether the rows and columns of a table are read; those of others are passed over */
  constructor(private readonly wants: (table: string) => boolean) {}

  /** Yields null where it needs more text: `next` takes it, and null at the end. @throws DumpError saying what cannot be read */
  *read(): Reading<void> {
    for (;;) {
      yield* this.gap();
      if (yield* this.isOver()) return;
      if (yield* this.takes(this.delimiter)) continue;
      const word = (yield* this.word()).toUpperCase();
      if (word === 'DELIMITER') yield* this.newDelimiter();
      else if (word === 'INSERT' || word === 'REPLACE') yield* this.insert();
      else if (word === 'CREATE') yield* this.create();
      else if (word === 'SET') yield* this.set();
      else {
        if (word === '') this.at += 1;
        yield* this.skip();
      }
    }
  }

  private *insert(): Reading<void> {
    let table = yield* this.name();
    while (MODIFIERS.has(table.toUpperCase())) table = yield* this.name();
    if (!this.wants(table)) return yield* this.skip();
    const columns = (yield* this.takes('(')) ? yield* this.names() : null;
    const word = (yield* this.word()).toUpperCase();
    if (word !== 'VALUES' && word !== 'VALUE')
      throw new DumpError(`The dump fills ${table} with ${word || 'something'} instead of VALUES.`);
    do {
      if (!(yield* this.takes('('))) throw new DumpError(`A row of ${table} in the dump does not begin with "(".`);
      const values: DumpValue[] = [];
      do values.push(yield* this.value(table));
      while (yield* this.takes(','));
      if (!(yield* this.takes(')'))) throw new DumpError(`A row of ${table} in the dump holds more than values, or is cut off.`);
      yield { kind: 'row', table, columns, values };
    } while (yield* this.takes(','));
    // ON DUPLICATE KEY UPDATE may follow.
    yield* this.skip();
  }

  private *create(): Reading<void> {
    const word = (yield* this.word()).toUpperCase();
    if (word === 'TEMPORARY') yield* this.word();
    else if (word !== 'TABLE') return yield* this.skip();
    let table = yield* this.name();
    while (['IF', 'NOT', 'EXISTS'].includes(table.toUpperCase())) table = yield* this.name();
    if (!this.wants(table) || !(yield* this.takes('('))) return yield* this.skip();
    const columns: string[] = [];
    do {
      yield* this.gap();
      const isQuoted = this.text[this.at] === '`' || this.text[this.at] === '"';
      const name = yield* this.name();
      if (isQuoted || !NO_COLUMN.has(name.toUpperCase())) columns.push(name);
      yield* this.definition();
    } while (yield* this.takes(','));
    yield { kind: 'table', table, columns };
    yield* this.skip();
  }

  private *set(): Reading<void> {
    if ((yield* this.word()).toUpperCase() === 'NAMES') {
      yield* this.gap();
      const quote = this.text[this.at];
      yield { kind: 'charset', name: quote === "'" || quote === '"' ? yield* this.quoted(quote) : yield* this.word() };
    }
    yield* this.skip();
  }

  private *newDelimiter(): Reading<void> {
    const from = this.at;
    const line = yield* this.until('\n', from);
    const delimiter = line.trim();
    if (delimiter !== '' && delimiter.length <= LONGEST_NAME) this.delimiter = delimiter;
  }

  private *value(table: string): Reading<DumpValue> {
    yield* this.gap();
    const quote = this.text[this.at];
    if (quote === "'" || quote === '"') return yield* this.quoted(quote);
    const bare = yield* this.run(BARE, LONGEST_VALUE);
    const next = this.text[this.at];
    const word = bare.toUpperCase();
    if (word === 'NULL') return null;
    if (NUMBER.test(bare)) return bare;
    if (/^0x([0-9a-f]{2})*$/i.test(bare)) return fromHex(bare.slice(2));
    if (/^0b[01]+$/i.test(bare)) return String(BigInt(bare.toLowerCase()));
    if (word === 'TRUE' || word === 'FALSE') return word === 'TRUE' ? '1' : '0';
    if (word === 'X' && next === "'") return fromHex(yield* this.quoted(next));
    if (word === 'B' && next === "'") return String(BigInt(`0b${(yield* this.quoted(next)) || '0'}`));
    // A text with its character set, as _binary'…' or _utf8mb4 0x….
    if (word === 'N' || /^_[A-Z0-9]+$/.test(word)) return yield* this.value(table);
    throw new DumpError(
      `A row of ${table} in the dump holds "${bare.slice(0, 40)}" where a value belongs: make the dump with mysqldump or phpMyAdmin.`,
    );
  }

  /** A text in quotes; its opening one is next. */
  private *quoted(quote: "'" | '"'): Reading<string> {
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
  private *name(): Reading<string> {
    for (;;) {
      yield* this.gap();
      const quote = this.text[this.at];
      let name: string;
      if (quote === '`' || quote === '"') {
        this.at += 1;
        name = yield* this.until(quote, this.at);
        while (this.text[this.at] === quote) {
          this.at += 1;
          name += quote + (yield* this.until(quote, this.at));
        }
      } else name = yield* this.word();
      if (name === '') throw new DumpError('The dump has a statement without the name of a table or column.');
      if (!(yield* this.takes('.'))) return name;
    }
  }

  /** Names up to the closing bracket. */
  private *names(): Reading<string[]> {
    const names: string[] = [];
    do names.push(yield* this.name());
    while (yield* this.takes(','));
    if (!(yield* this.takes(')'))) throw new DumpError('A list of columns in the dump is cut off.');
    return names;
  }

  /** Passes over the rest of a line of `CREATE TABLE`, up to the comma or bracket that ends it. */
  private *definition(): Reading<void> {
    for (let depth = 0; ;) {
      yield* this.gap();
      if (yield* this.isOver()) throw new DumpError('The dump is cut off: it ends within CREATE TABLE. Make it again.');
      const character = this.text[this.at]!;
      if (depth === 0 && (character === ',' || character === ')')) return;
      if (character === "'" || character === '"') yield* this.quoted(character);
      else if (character === '`') yield* this.name();
      else {
        if (character === '(') depth += 1;
        if (character === ')') depth -= 1;
        this.at += 1;
      }
    }
  }

  /** Passes over the rest of a statement. */
  private *skip(): Reading<void> {
    const stops = new RegExp(`['"\`#/-]|${this.delimiter[0]!.replace(/[^\w]/g, '\\$&')}`, 'g');
    for (;;) {
      stops.lastIndex = this.at;
      this.at = stops.exec(this.text)?.index ?? this.text.length;
      if (yield* this.isOver()) return;
      yield* this.has(Math.max(3, this.delimiter.length));
      const character = this.text[this.at]!;
      if (this.text.startsWith(this.delimiter, this.at)) return void (this.at += this.delimiter.length);
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
  private *gap(): Reading<void> {
    for (;;) {
      if (this.text.length - this.at < FARTHEST) yield* this.has(FARTHEST);
      const two = this.text.slice(this.at, this.at + 2);
      if (match(BLANK, this.text, this.at) !== '') yield* this.run(BLANK, Infinity, false);
      else if (two[0] === '#' || (/^--$/.test(two) && /^$|\s/.test(this.text[this.at + 2] ?? ''))) yield* this.until('\n', this.at, false);
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
      yield* this.until('*', this.at, false);
      yield* this.has(1);
    } while (this.text[this.at] !== '/' && !(yield* this.isOver()));
    this.at += 1;
  }

  private *word(): Reading<string> {
    yield* this.gap();
    return yield* this.run(WORD, LONGEST_NAME);
  }

  /** Whether this is next after a gap; passes over it then. */
  private *takes(wanted: string): Reading<boolean> {
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
  private *until(end: string, from: number, keep = true): Reading<string> {
    const parts: string[] = [];
    this.at = from;
    for (;;) {
      const found = this.text.indexOf(end, this.at);
      const stop = found < 0 ? this.text.length : found;
      if (keep) parts.push(this.text.slice(this.at, stop));
      this.at = found < 0 ? stop : found + 1;
      if (found >= 0 || (yield* this.isOver())) return parts.join('');
    }
  }

  /** Whether nothing follows any more. */
  private *isOver(): Reading<boolean> {
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

const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');
