import { expect } from 'vitest';

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
