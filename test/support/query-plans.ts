import { expect, vi } from 'vitest';

import type { Database, SqlValue } from '../../src/database/index.js';

/** Read connection of a SQLite database, which prepares the statements of all reads, including those of TypeORM. */
interface Reader {
  prepare(sql: string): { all(...params: SqlValue[]): { detail: string }[] };
  rows(sql: string): unknown;
}

const readerOf = (of: Database): Reader => (of as unknown as { sqlite: { reader: Reader } }).sqlite.reader;

/** Returns the SQL of all reads of `work` on a SQLite database. */
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

/** Returns the steps of a query plan. */
export function planOf(database: Database, sql: string): string[] {
  const params = Array.from({ length: sql.split('?').length - 1 }, () => 1);
  return readerOf(database)
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...params)
    .map(({ detail }) => detail);
}

/** Returns the steps of the query plans of all reads of `work` on a SQLite database. */
export async function plansOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const asked = await readsOf(database, work);
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap((sql) => planOf(database, sql));
}

/** Returns the steps that scan a whole table or sort without an index. `COUNT(*)` scans a narrow index, which is the best possible plan. */
export const slow = (steps: string[]): string[] => steps.filter((step) => /^SCAN (?!.*USING (COVERING )?INDEX)|TEMP B-TREE/.test(step));

/** Step of a query plan of MySQL or MariaDB. */
export interface MysqlStep {
  readonly table: string | null;
  /** `ALL` scans the table, `index` scans a whole index. */
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

/** Returns the steps of the query plans of all reads of `work` on a MySQL database; reads of TypeORM are not included. */
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
