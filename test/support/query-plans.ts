import { expect, vi } from 'vitest';

import type { Database, SqlValue } from '../../src/database/index.js';

/** Reads of every code path, TypeORM's too, get their statement here. */
interface Reader {
  prepare(sql: string): { all(...params: SqlValue[]): { detail: string }[] };
  rows(sql: string): unknown;
}

const readerOf = (of: Database): Reader => (of as unknown as { sqlite: { reader: Reader } }).sqlite.reader;

/** Every read `work` makes on a SQLite database, as statements. */
export async function readsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const reader = readerOf(database);
  const prepare = reader.prepare.bind(reader);
  const rows = reader.rows.bind(reader);
  const asked: string[] = [];
  reader.prepare = (sql) => {
    asked.push(sql);
    return prepare(sql);
  };
  reader.rows = (sql) => {
    asked.push(sql);
    return rows(sql);
  };
  try {
    await work();
  } finally {
    reader.prepare = prepare;
    reader.rows = rows;
  }
  return asked;
}

/** Steps of the plan of a read, in their order. */
export function planOf(database: Database, sql: string): string[] {
  const params = Array.from({ length: sql.split('?').length - 1 }, () => 1);
  return readerOf(database)
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...params)
    .map(({ detail }) => detail);
}

/** Steps of the plans of every read `work` makes on a SQLite database. */
export async function plansOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const asked = await readsOf(database, work);
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap((sql) => planOf(database, sql));
}

/** Steps that read a table from end to end, or sort what no index gave in order. `COUNT(*)` walks a narrow index, and that is its best. */
export const slow = (steps: string[]): string[] => steps.filter((step) => /^SCAN (?!.*USING (COVERING )?INDEX)|TEMP B-TREE/.test(step));

/** A step of a plan of MySQL or MariaDB. */
export interface MysqlStep {
  readonly table: string | null;
  /** `ALL` reads every row, `index` every entry of an index. */
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

/** Steps of the plans of every read `work` makes by statements on a MySQL database. */
export async function mysqlPlansOf(database: Database, work: () => Promise<unknown>): Promise<MysqlStep[]> {
  const asked: [sql: string, params: readonly SqlValue[]][] = [];
  const reads = (['query', 'rows', 'first'] as const).map((name) => {
    const read = database[name].bind(database) as (sql: string, params?: readonly SqlValue[]) => never;
    return vi.spyOn(database, name).mockImplementation((sql: string, params: readonly SqlValue[] = []) => {
      asked.push([sql, params]);
      return read(sql, params);
    });
  });
  try {
    await work();
  } finally {
    for (const read of reads) read.mockRestore();
  }
  expect(asked.length).toBeGreaterThan(0);
  const plans = await Promise.all(asked.map(([sql, params]) => database.query<MysqlStep>(`EXPLAIN ${sql}`, params)));
  return plans.flat();
}
