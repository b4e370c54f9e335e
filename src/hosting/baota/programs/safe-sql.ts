import { DatabaseProblem } from '../../driver/index.js';

/**
 * Statements allowed on a server that runs everything as root: tables and their content, in the current database only. Anything that could
 * reach another database, files, users or a shell is rejected, along with some harmless statements: views, triggers, procedures.
 */
const STATEMENT =
  /^(?:CREATE (?:TEMPORARY )?TABLE|CREATE (?:UNIQUE |FULLTEXT |SPATIAL )?INDEX|DROP (?:TEMPORARY )?TABLE|DROP INDEX|ALTER TABLE|INSERT|REPLACE|UPDATE|DELETE|TRUNCATE|LOCK TABLES?|UNLOCK TABLES?|SET|START TRANSACTION|BEGIN|COMMIT|ROLLBACK)\b/;
/** MariaDB also has compound statements that begin with these words. */
const PLAIN_TRANSACTION = /^(?:START TRANSACTION|(?:BEGIN|COMMIT|ROLLBACK)(?: WORK)?)$/;
const FORBIDDEN_WORDS = new Set(
  (
    'SELECT OUTFILE DUMPFILE INFILE LOAD LOAD_FILE DIRECTORY TABLESPACE CONNECTION FEDERATED CONNECT SPIDER ' +
    'SPHINX MROONGA OQGRAPH CALL PREPARE EXECUTE ' +
    'HANDLER GRANT REVOKE TRIGGER PROCEDURE EVENT GLOBAL PERSIST PERSIST_ONLY PASSWORD DEFINER PLUGIN SONAME ' +
    'SLEEP BENCHMARK GET_LOCK SYS_EXEC SYS_EVAL DELIMITER SOURCE'
  ).split(' '),
);
const ENGINES = new Set(['INNODB', 'MYISAM', 'ARIA', 'MEMORY', 'ARCHIVE']);
const CHARSETS = /^(?:utf8|utf8mb3|utf8mb4|latin1|ascii|binary)$/i;
const MAX_EXCERPT = 80;

/** Allowed assignments of a `SET`: patterns of the variable and of its value. */
const ALLOWED_ASSIGNMENTS: readonly [RegExp, RegExp][] = [
  [/^@\w+$/, /^@@\w+$/],
  [/^(?:character_set_\w+|collation_\w+)$/i, /^(?:@\w+|'?(?:utf8|utf8mb3|utf8mb4|latin1|ascii|binary)\w*'?)$/i],
  [/^sql_mode$/i, /^(?:@\w+|'(?:(?!ANSI|BACKSLASH)[A-Z_,])*')$/i],
  [/^time_zone$/i, /^(?:@\w+|'[+-]\d\d:\d\d'|'SYSTEM')$/i],
  [/^(?:foreign_key_checks|unique_checks|sql_notes|autocommit|note_verbosity)$/i, /^(?:@\w+|[01]|ON|OFF)$/i],
];

/**
 * Returns a dump in the form in which it may be run: without comments, and with version-specific comments as plain SQL.
 *
 * @param sql in latin1, one character per byte
 * @throws DatabaseProblem DATABASE_SQL naming the rejected part
 */
export function safeSql(sql: string): string {
  const reader = new SqlReader(sql);
  let safe = '';
  for (let statement = reader.next(); statement !== null; statement = reader.next()) {
    check(statement);
    if (statement.words.length > 0) safe += `${statement.text.trim()};\n`;
  }
  return safe;
}

/** Kind and text of a part of a statement. */
type Token = ['end' | 'comment' | 'space' | 'word' | 'name' | 'text' | 'other', string];

const NUMBER = /^(?:\d+(?:[eE]\d*)?|0x[0-9A-Fa-f]+)$/;
const SIGNS = '(),=.*+-/<>!%';

/** A parsed statement. */
interface Statement {
  /** Without comments. */
  readonly text: string;
  /** Words outside quotes, in upper case. */
  readonly words: readonly string[];
  /** Whether a name is qualified, as in `database.table`. */
  readonly isQualified: boolean;
}

/** Reads one statement after another, split as MySQL's own client does. */
class SqlReader {
  private at = 0;

  constructor(private readonly sql: string) {}

  next(): Statement | null {
    if (this.at >= this.sql.length) return null;
    let text = '';
    const words: string[] = [];
    let before = 'other' as 'name' | 'dot' | 'other';
    let isQualified = false;
    while (this.at < this.sql.length) {
      const [kind, part] = this.token();
      if (kind === 'end') break;
      if (kind === 'comment') text += ' ';
      else text += part;
      if (kind === 'word') words.push(part.toUpperCase());
      if (kind === 'space' || kind === 'comment') continue;
      const isName = kind === 'name' || kind === 'word';
      if (isName && before === 'dot') isQualified = true;
      before = isName ? 'name' : part === '.' && before === 'name' ? 'dot' : 'other';
    }
    return { text, words, isQualified };
  }

  private token(): Token {
    const { sql, at } = this;
    const first = sql[at]!;
    if (first === ';') return this.taken('end', ';');
    if (first === "'" || first === '"') return ['text', this.quoted(first)];
    if (first === '`') return ['name', this.quoted('`')];
    if (first === '#' || /^--(?:[ \t\r\n]|$)/.test(sql.slice(at, at + 3))) return ['comment', this.upTo(/\n/g)];
    if (sql.startsWith('/*', at)) return this.comment();
    if (sql.startsWith('*/', at)) return this.taken('comment', '*/');
    const run = /[A-Za-z0-9_$@\x80-\xff]+|[ \t\r\n]+/y;
    run.lastIndex = at;
    const [found] = run.exec(sql) ?? [first];
    if (/^[ \t\r\n]/.test(found)) return this.taken('space', found);
    if (/^[A-Za-z_$@\x80-\xff]/.test(found)) return this.taken('word', found);
    // Only numbers and signs that every server tokenizes alike, so that no text is a comment to one parser and a string to another.
    const isPlain = NUMBER.test(found) || (SIGNS.includes(found) && !sql.startsWith('--', at));
    if (!isPlain) throw refusal(sql.slice(at));
    return this.taken('other', found);
  }

  private taken(kind: Token[0], text: string): Token {
    this.at += text.length;
    return [kind, text];
  }

  /** Treats the content of a version-specific comment as plain SQL and skips its end. */
  private comment(): Token {
    const version = /\/\*M?!(\d{5,6})?/y;
    version.lastIndex = this.at;
    const [head, number] = version.exec(this.sql) ?? [];
    // 999999 is no server version: MariaDB dumps use it for commands to the client, which are skipped.
    if (head !== undefined && number !== '999999') return ((this.at += head.length), ['comment', '']);
    return ['comment', this.upTo(/\*\//g)];
  }

  private upTo(end: RegExp): string {
    end.lastIndex = this.at;
    const found = end.exec(this.sql);
    this.at = found ? end.lastIndex : this.sql.length;
    return '';
  }

  private quoted(quote: string): string {
    const from = this.at;
    for (this.at += 1; this.at < this.sql.length; this.at += 1) {
      const character = this.sql[this.at]!;
      if (character === '\\' && quote !== '`') this.at += 1;
      else if (character === quote) {
        if (this.sql[this.at + 1] !== quote) {
          this.at += 1;
          return this.sql.slice(from, this.at);
        }
        this.at += 1;
      }
    }
    throw refusal(this.sql.slice(from));
  }
}

function check({ text, words, isQualified }: Statement): void {
  if (words.length === 0) {
    if (text.trim() !== '') throw refusal(text);
    return;
  }
  const isSet = words[0] === 'SET';
  if (/^(?:START|BEGIN|COMMIT|ROLLBACK)$/.test(words[0]!) && !PLAIN_TRANSACTION.test(words.join(' '))) throw refusal(text);
  if (!STATEMENT.test(words.slice(0, 4).join(' ')) || isQualified || !/^\s*[A-Za-z]/.test(text)) throw refusal(text);
  const forbidden = words.find((word) => FORBIDDEN_WORDS.has(word));
  if (forbidden !== undefined) throw refusal(forbidden);
  if (!isSet && words.some((word) => word.startsWith('@'))) throw refusal(text);
  for (const [index, word] of words.entries()) if (word === 'ENGINE' && !ENGINES.has(words[index + 1] ?? '')) throw refusal(text);
  if (isSet) checkSet(text);
}

function checkSet(text: string): void {
  const body = text
    .trim()
    .replace(/^SET\s+(?:SESSION\s+)?/i, '')
    .replace(/\s+/g, ' ');
  const [, charset] = /^NAMES '?(\w+)'?(?: COLLATE '?\w+'?)?$/i.exec(body) ?? [];
  if (charset !== undefined && CHARSETS.test(charset)) return;
  for (const part of body.split(/,(?=\s*@?\w+\s*=)/)) {
    const [, name = '', value = ''] = /^\s*(@?\w+)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (!ALLOWED_ASSIGNMENTS.some(([names, values]) => names.test(name) && values.test(value))) throw refusal(text);
  }
}

function refusal(what: string): DatabaseProblem {
  return new DatabaseProblem('DATABASE_SQL', { answer: what.trim().slice(0, MAX_EXCERPT) });
}
