import { expect } from 'vitest';

import type { Database, SqlValue } from '../../src/database/index.js';

/** Reads of every code path, TypeORM's too, get their statement here. */
interface Reader {
  prepare(sql: string): { all(...params: SqlValue[]): { detail: string }[] };
}

const readerOf = (of: Database): Reader => (of as unknown as { sqlite: { reader: Reader } }).sqlite.reader;

/** Steps of the plans of every read `work` makes on a SQLite database. */
export async function plansOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const reader = readerOf(database);
  const prepare = reader.prepare.bind(reader);
  const asked: string[] = [];
  reader.prepare = (sql) => {
    asked.push(sql);
    return prepare(sql);
  };
  try {
    await work();
  } finally {
    reader.prepare = prepare;
  }
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap((sql) => {
    const params = Array.from({ length: sql.split('?').length - 1 }, () => 1);
    return prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...params)
      .map(({ detail }) => detail);
  });
}

/** Steps that read a table from end to end, or sort what no index gave in order. `COUNT(*)` walks a narrow index, and that is its best. */
export const slow = (steps: string[]): string[] => steps.filter((step) => /^SCAN (?!.*USING (COVERING )?INDEX)|TEMP B-TREE/.test(step));
