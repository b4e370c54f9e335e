import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';

import type { Database } from './database.js';

let database: Database;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());

const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\u0001', '主', '😀', '\u2028', ',', ']', "'", '{', '?'),
  maxLength: 20,
});
const whole = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

describe('columns with short values', () => {
  it('give the values the engine gives one by one', async () => {
    await database.run('CREATE TABLE t_short (id INTEGER PRIMARY KEY, a VARCHAR(200), n BIGINT, f DOUBLE, b TINYINT)', []);
    const columns = database.shortColumns([
      ['t_short.a', 'text'],
      ['n + 0', 'whole "number"'],
      ['f', 'part'],
      ['b', 'flag'],
      ['EXISTS (SELECT 1 FROM t_short AS o WHERE o.id = t_short.id + 1)', 'next'],
    ]);
    const row = fc.record({
      a: fc.option(text),
      n: fc.option(whole),
      f: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      b: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        await database.run('DELETE FROM t_short', []);
        for (const [id, { a, n, f, b }] of rows.entries())
          await database.run('INSERT INTO t_short VALUES (?, ?, ?, ?, ?)', [id, a, n, f, b]);
        const packed = columns.read(await database.statement(`SELECT ${columns.sql} FROM t_short ORDER BY id`).all());
        const plain = await database.query('SELECT a, n, f, b FROM t_short ORDER BY id');
        expect(packed.map((found) => [found.text, found['whole "number"'], found.part, found.flag])).toEqual(
          plain.map(({ a, n, f, b }) => [a, n, f, b]),
        );
        expect(packed.map(({ next }) => Boolean(next))).toEqual(rows.map((_row, at) => at < rows.length - 1));
      }),
      { numRuns: 60 },
    );
  });
});
