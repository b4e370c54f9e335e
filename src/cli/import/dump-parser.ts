import { DumpError } from './dump-error.js';
import type { DumpValue } from './dump-event.js';
import { DumpText, MAX_NAME_LENGTH, type Reading } from './dump-text.js';

const MODIFIERS = new Set(['LOW_PRIORITY', 'DELAYED', 'HIGH_PRIORITY', 'IGNORE', 'INTO']);
/** Keywords that start a line of `CREATE TABLE` other than a column. */
const NO_COLUMN = new Set(['PRIMARY', 'KEY', 'UNIQUE', 'INDEX', 'CONSTRAINT', 'FULLTEXT', 'SPATIAL', 'FOREIGN', 'CHECK', 'PERIOD']);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Streaming parser of the `INSERT`s in a MySQL dump; executes nothing. Holds one row and one chunk of text at a time. Existing parsers
 * build the tree of a whole statement, and a statement may be as large as the server allows.
 */
export class DumpParser {
  private readonly text = new DumpText();
  private delimiter = ';';

  /** @param isWanted whether to read rows and columns of a table; others are skipped */
  constructor(private readonly isWanted: (table: string) => boolean) {}

  /**
   * Parses the dump. Yields null to request more text, which is passed to `next`, or null at the end. @throws DumpError with what cannot be
   * parsed
   */
  *read(): Reading<void> {
    for (;;) {
      yield* this.text.gap();
      if (yield* this.text.isOver()) return;
      if (yield* this.text.accept(this.delimiter)) continue;
      const word = (yield* this.text.word()).toUpperCase();
      if (word === 'DELIMITER') yield* this.newDelimiter();
      else if (word === 'INSERT' || word === 'REPLACE') yield* this.insert();
      else if (word === 'CREATE') yield* this.create();
      else if (word === 'SET') yield* this.set();
      else {
        if (word === '') this.text.pass();
        yield* this.text.passStatement(this.delimiter);
      }
    }
  }

  private *insert(): Reading<void> {
    let table = yield* this.text.name();
    while (MODIFIERS.has(table.toUpperCase())) table = yield* this.text.name();
    if (!this.isWanted(table)) return yield* this.text.passStatement(this.delimiter);
    const columns = (yield* this.text.accept('(')) ? yield* this.names() : null;
    const word = (yield* this.text.word()).toUpperCase();
    if (word !== 'VALUES' && word !== 'VALUE')
      throw new DumpError(
        `The dump inserts into ${table} with ${word || 'an unsupported statement'} instead of VALUES. Export it with ` +
          'mysqldump or phpMyAdmin.',
      );
    do {
      if (!(yield* this.text.accept('('))) throw new DumpError(`A row of ${table} in the dump does not begin with "(".`);
      const values: DumpValue[] = [];
      do values.push(yield* this.value(table));
      while (yield* this.text.accept(','));
      if (!(yield* this.text.accept(')')))
        throw new DumpError(`A row of ${table} in the dump contains something other than values, or is truncated.`);
      yield { kind: 'row', table, columns, values };
    } while (yield* this.text.accept(','));
    // ON DUPLICATE KEY UPDATE may follow.
    yield* this.text.passStatement(this.delimiter);
  }

  private *create(): Reading<void> {
    const word = (yield* this.text.word()).toUpperCase();
    if (word === 'TEMPORARY') yield* this.text.word();
    else if (word !== 'TABLE') return yield* this.text.passStatement(this.delimiter);
    let table = yield* this.text.name();
    while (['IF', 'NOT', 'EXISTS'].includes(table.toUpperCase())) table = yield* this.text.name();
    if (!this.isWanted(table) || !(yield* this.text.accept('('))) return yield* this.text.passStatement(this.delimiter);
    const columns: string[] = [];
    do {
      yield* this.text.gap();
      const isQuoted = this.text.next === '`' || this.text.next === '"';
      const name = yield* this.text.name();
      if (isQuoted || !NO_COLUMN.has(name.toUpperCase())) columns.push(name);
      yield* this.definition();
    } while (yield* this.text.accept(','));
    yield { kind: 'table', table, columns };
    yield* this.text.passStatement(this.delimiter);
  }

  private *set(): Reading<void> {
    if ((yield* this.text.word()).toUpperCase() === 'NAMES') {
      yield* this.text.gap();
      const quote = this.text.next;
      yield { kind: 'charset', name: quote === "'" || quote === '"' ? yield* this.text.quoted(quote) : yield* this.text.word() };
    }
    yield* this.text.passStatement(this.delimiter);
  }

  private *newDelimiter(): Reading<void> {
    const line = yield* this.text.until('\n');
    const delimiter = line.trim();
    if (delimiter !== '' && delimiter.length <= MAX_NAME_LENGTH) this.delimiter = delimiter;
  }

  private *value(table: string): Reading<DumpValue> {
    yield* this.text.gap();
    const quote = this.text.next;
    if (quote === "'" || quote === '"') return yield* this.text.quoted(quote);
    const bare = yield* this.text.bare();
    const next = this.text.next;
    const word = bare.toUpperCase();
    if (word === 'NULL') return null;
    if (NUMBER.test(bare)) return bare;
    if (/^0x([0-9a-f]{2})*$/i.test(bare)) return fromHex(bare.slice(2));
    if (/^0b[01]+$/i.test(bare)) return String(BigInt(bare.toLowerCase()));
    if (word === 'TRUE' || word === 'FALSE') return word === 'TRUE' ? '1' : '0';
    if (word === 'X' && next === "'") return fromHex(yield* this.text.quoted(next));
    if (word === 'B' && next === "'") return String(BigInt(`0b${(yield* this.text.quoted(next)) || '0'}`));
    // Text with a character set introducer, such as _binary'…' or _utf8mb4 0x….
    if (word === 'N' || /^_[A-Z0-9]+$/.test(word)) return yield* this.value(table);
    throw new DumpError(
      `A row of ${table} in the dump contains "${bare.slice(0, 40)}" instead of a value. Export the dump with mysqldump or phpMyAdmin.`,
    );
  }

  /** Reads names up to the closing parenthesis. */
  private *names(): Reading<string[]> {
    const names: string[] = [];
    do names.push(yield* this.text.name());
    while (yield* this.text.accept(','));
    if (!(yield* this.text.accept(')'))) throw new DumpError('A list of columns in the dump is truncated. Export the dump again.');
    return names;
  }

  /** Skips the rest of a line of `CREATE TABLE`, up to the comma or parenthesis that ends it. */
  private *definition(): Reading<void> {
    for (let depth = 0; ;) {
      yield* this.text.gap();
      if (yield* this.text.isOver()) throw new DumpError('The dump is truncated: it ends inside CREATE TABLE. Export it again.');
      const character = this.text.next!;
      if (depth === 0 && (character === ',' || character === ')')) return;
      if (character === "'" || character === '"') yield* this.text.quoted(character);
      else if (character === '`') yield* this.text.name();
      else {
        if (character === '(') depth += 1;
        if (character === ')') depth -= 1;
        this.text.pass();
      }
    }
  }
}

const fromHex = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');
