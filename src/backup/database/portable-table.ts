import { Table, TableIndex, type TableColumnOptions } from 'typeorm';

import type { Engine } from '../../database/index.js';
import { ArchiveError } from '../archive/archive-reader.js';
import type { Cell, ColumnDescription, TableDescription } from '../archive/manifest.js';

/** Column type of an engine. */
type Declared = Pick<TableColumnOptions, 'type' | 'length' | 'precision' | 'scale'>;

/** Type conversion per engine. @param sizes numbers in parentheses */
const TYPES: Readonly<Record<string, (engine: Engine, sizes: readonly number[]) => Declared>> = {
  // Any integer type of SQLite has 64 bits.
  integer: (engine) => ({ type: engine === 'sqlite' ? 'integer' : 'bigint' }),
  boolean: (engine) => ({ type: engine === 'sqlite' ? 'boolean' : 'tinyint' }),
  fraction: () => ({ type: 'double' }),
  decimal: (_engine, [precision, scale = 0]) => (precision === undefined ? { type: 'double' } : { type: 'decimal', precision, scale }),
  string: (engine, [length]) => (length === undefined ? longText(engine) : { type: 'varchar', length: String(length) }),
  text: (engine) => longText(engine),
  moment: () => ({ type: 'datetime', precision: 3 }),
  day: () => ({ type: 'date' }),
  hours: () => ({ type: 'time' }),
  bytes: (engine, [length]) => {
    if (engine === 'sqlite') return { type: 'blob' };
    return length === undefined ? { type: 'longblob' } : { type: 'varbinary', length: String(length) };
  },
};

const longText = (engine: Engine): Declared => ({ type: engine === 'sqlite' ? 'text' : 'longtext' });

/** Maps type names of both engines to {@link TYPES}. */
const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    integer: 'int integer tinyint smallint mediumint bigint year',
    boolean: 'bool boolean',
    fraction: 'double float real',
    decimal: 'decimal numeric',
    string: 'varchar char nvarchar character',
    text: 'text tinytext mediumtext longtext clob json enum set',
    moment: 'datetime timestamp',
    day: 'date',
    hours: 'time',
    bytes: 'blob tinyblob mediumblob longblob binary varbinary',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);

const LITERAL = /^(?:-?\d+(?:\.\d+)?|'(?:[^'\\]|'')*'|NULL)$/i;
const NOW = /^current_timestamp(?:\(\d*\))?$/i;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** Significant digits of a decimal that SQLite preserves. */
const EXACT_DIGITS = 15;

/** Converts a plugin's table to the other engine. @throws ArchiveError naming the unsupported features */
export function portableTable(table: TableDescription, engine: Engine): Table {
  if (table.peculiar.length > 0) throw refusal(table.name, `has ${table.peculiar.join(', ')}`);
  return new Table({
    name: table.name,
    columns: table.columns.map((column) => portableColumn(table.name, column, engine)),
    indices: table.indexes.map(
      ({ name, columns, isUnique }) =>
        // SQLite reserves the names of its automatic indexes.
        new TableIndex({ name: name.replace(/^sqlite_/, 'made_'), columnNames: [...columns], isUnique }),
    ),
  });
}

/** Returns a check for values the other engine would silently change. @returns function that throws an ArchiveError */
export function valueCheck(table: TableDescription, columns: readonly string[], to: Engine): (row: readonly Cell[]) => void {
  const checks = columns.map((name) => {
    const column = table.columns.find((one) => one.name === name);
    const kind = column && kindOf(column.type);
    const scale = column && sizesOf(column.type)[1];
    return (cell: Cell): string | null => {
      if (cell === null || kind === undefined) return null;
      if (kind === 'bytes') return null;
      if (typeof cell === 'object' && 'base64' in cell) return 'bytes that are not text';
      const text = typeof cell === 'object' ? cell.integer : String(cell);
      if (kind === 'integer' && to === 'sqlite' && !fitsInt64(text)) return `${text}, which has more than 64 bits`;
      if (kind === 'decimal' && to === 'sqlite' && text.replace(/\D/g, '').replace(/^0+/, '').length > EXACT_DIGITS)
        return `${text}, which has more than ${EXACT_DIGITS} digits`;
      if (kind === 'decimal' && to === 'mysql' && isRounded(Number(text), scale)) return `${text}, which has more digits than its column`;
      if (kind === 'moment' && /\.\d{3}0*[1-9]/.test(text)) return `${text}, which is more precise than milliseconds`;
      return null;
    };
  });
  return (row) => {
    for (const [at, check] of checks.entries()) {
      const problem = check(row[at]!);
      if (problem !== null) throw refusal(table.name, `contains, in the column ${columns[at]!}, ${problem}`);
    }
  };
}

/** Error for data that cannot be converted to the other engine. @param what predicate of the sentence about the table */
export function refusal(table: string, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    `The table ${table} ${what}: this cannot be converted to the other kind of database. Restore to the kind of ` +
      'database that was backed up.',
    { cause },
  );
}

function portableColumn(table: string, column: ColumnDescription, engine: Engine): TableColumnOptions {
  const kind = kindOf(column.type);
  if (kind === undefined) throw refusal(table, `has the column ${column.name} of the type ${column.type || 'none'}`);
  const declared = TYPES[kind]!(engine, sizesOf(column.type));
  const isText = kind === 'string' || kind === 'text';
  return {
    name: column.name,
    ...declared,
    ...(isText && engine === 'mysql' ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {}),
    isNullable: column.isNullable,
    isPrimary: column.isPrimary,
    ...(column.isCounted ? { isGenerated: true, generationStrategy: 'increment' } : {}),
    ...(column.default === null ? {} : { default: portableDefault(table, column, engine) }),
  };
}

function portableDefault(table: string, { name, default: value }: ColumnDescription, engine: Engine): string {
  if (value !== null && LITERAL.test(value)) return value;
  if (value !== null && NOW.test(value)) return engine === 'sqlite' ? 'CURRENT_TIMESTAMP' : 'CURRENT_TIMESTAMP(3)';
  throw refusal(table, `has the column ${name} with the default ${String(value)}`);
}

const kindOf = (type: string): string | undefined => KINDS[/^\w*/.exec(type)![0].toLowerCase()];
const sizesOf = (type: string): number[] => [...(/\(([\d\s,]+)\)/.exec(type)?.[1] ?? '').matchAll(/\d+/g)].map(([size]) => Number(size));

function fitsInt64(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return true;
  const value = BigInt(text);
  return value >= INT64.min && value <= INT64.max;
}

/** Whether a column of this scale would round the value; ignores floating point noise. */
const isRounded = (value: number, scale: number | undefined): boolean =>
  scale !== undefined && Math.abs(value - Number(value.toFixed(scale))) > 1e-9 * Math.max(1, Math.abs(value));
