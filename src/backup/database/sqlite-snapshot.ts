import { setImmediate as turn } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';

import { quotedName } from '../../database/index.js';
import type { Cell, ColumnDescription, SchemaStatement, TableDescription } from '../archive/manifest.js';

import type { DatabaseSnapshot, TableShape } from './snapshot.js';

/** Rows read before yielding to other requests. */
const SLICE = 200;
/** AUTOINCREMENT counters: data in a table that SQLite itself creates. */
const COUNTERS = 'sqlite_sequence';

/** A WAL read transaction on its own connection. */
export class SqliteSnapshot implements DatabaseSnapshot {
  readonly engine = 'sqlite';

  private constructor(private readonly handle: Sqlite.Database) {}

  static async open(path: string): Promise<SqliteSnapshot> {
    const handle = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    handle.defaultSafeIntegers(true);
    handle.exec('BEGIN');
    // The snapshot is taken at the first read.
    handle.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    return Promise.resolve(new SqliteSnapshot(handle));
  }

  schema(): Promise<readonly SchemaStatement[]> {
    const rows = this.handle
      .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid")
      .all() as { type: string; name: string; sql: string }[];
    return Promise.resolve(
      rows.map(({ type, name, sql }) =>
        type === 'table' ? { kind: 'table', sql, table: describeTable(this.handle, name, sql) } : { kind: 'rest', sql },
      ),
    );
  }

  tables(): Promise<readonly TableShape[]> {
    const names = this.handle
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND (name = '${COUNTERS}' OR name NOT LIKE 'sqlite!_%' ESCAPE '!')
          ORDER BY name`,
      )
      .pluck()
      .all() as string[];
    return Promise.resolve(names.map((name) => ({ name, columns: this.columnsOf(name) })));
  }

  async *rows({ name, columns }: TableShape): AsyncGenerator<readonly (readonly Cell[])[]> {
    const select = this.handle.prepare(`SELECT ${columns.map(quotedName).join(', ')} FROM ${quotedName(name)}`).raw();
    let slice: Cell[][] = [];
    for (const row of select.iterate() as IterableIterator<unknown[]>) {
      slice.push(row.map(cellOf));
      if (slice.length < SLICE) continue;
      yield slice;
      slice = [];
      await turn();
    }
    if (slice.length > 0) yield slice;
  }

  close(): Promise<void> {
    this.handle.close();
    return Promise.resolve();
  }

  /** Stored columns only; SQLite computes generated ones. */
  private columnsOf(table: string): string[] {
    const rows = this.handle.prepare(`SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid`).pluck().all(table);
    return rows as string[];
  }
}

/** Describes a table independently of the engine. @param sql its CREATE statement */
function describeTable(handle: Sqlite.Database, name: string, sql: string): TableDescription {
  const rowsOf = <Row>(select: string, about: string = name): Row[] => handle.prepare(select).safeIntegers(false).all(about) as Row[];
  const columns = rowsOf<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number; hidden: number }>(
    'SELECT * FROM pragma_table_xinfo(?) ORDER BY cid',
  );
  const indexes = rowsOf<{ name: string; unique: number; origin: string; partial: number }>(
    'SELECT * FROM pragma_index_list(?) ORDER BY seq',
  )
    .filter(({ origin }) => origin !== 'pk')
    .map((index) => ({
      ...index,
      columns: rowsOf<{ name: string | null }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', index.name).map((part) => part.name),
    }));
  const keys = rowsOf('SELECT 1 FROM pragma_foreign_key_list(?)');
  const triggers = rowsOf<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?");
  return {
    name,
    columns: columns
      .filter(({ hidden }) => hidden === 0)
      .map((column): ColumnDescription => ({
        name: column.name,
        type: column.type,
        isNullable: column.notnull === 0 && column.pk === 0,
        default: column.dflt_value,
        isPrimary: column.pk > 0,
        isCounted: column.pk > 0 && /\bAUTOINCREMENT\b/i.test(sql),
      })),
    indexes: indexes
      .filter((index) => index.partial === 0 && !index.columns.includes(null))
      .map((index) => ({ name: index.name, columns: index.columns as string[], isUnique: index.unique === 1 })),
    peculiar: [
      ...(/^\s*CREATE\s+VIRTUAL\b/i.test(sql) ? ['a virtual table'] : []),
      ...(/\bCHECK\s*\(/i.test(sql) ? ['a CHECK'] : []),
      ...(keys.length > 0 ? ['a foreign key'] : []),
      ...columns.filter(({ hidden }) => hidden > 0).map((column) => `the computed column ${column.name}`),
      ...indexes.filter((index) => index.partial === 1 || index.columns.includes(null)).map((index) => `the index ${index.name}`),
      ...triggers.map((trigger) => `the trigger ${trigger.name}`),
    ],
  };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { integer: String(value) };
  }
  return Buffer.isBuffer(value) ? { base64: value.toString('base64') } : (value as Cell);
}
