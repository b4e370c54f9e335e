import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { runInFrame } from '../common/index.js';
import { SiteConfig } from '../site/entities/index.js';

import type { Database } from './database.js';
import { SlowQueries, withoutValues } from './slow-queries.js';

let database: Database;
let dispose: () => Promise<void>;
beforeAll(async () => ({ database, dispose } = await createTestDatabase()));
afterAll(() => dispose());

it.each([
  [
    'mysql',
    "SELECT * FROM a WHERE b = 'it''s \\' 5' AND c IN (1, 2,3) AND d=-1.5e3",
    'SELECT * FROM a WHERE b = ? AND c IN (?, …) AND d=?',
  ],
  ['mysql', 'SELECT "a ""secret\\"" FROM `b` # secret', 'SELECT ? FROM `b`'],
  ['sqlite', "SELECT \"col\" FROM a WHERE b = 'C:\\' AND c = 'secret'", 'SELECT "col" FROM a WHERE b = ? AND c = ?'],
  [
    'sqlite',
    "SELECT 1 FROM a WHERE b = 'x -- y'\n AND c = 'secret /*' AND d = '*/ secret'",
    'SELECT ? FROM a WHERE b = ? AND c = ? AND d = ?',
  ],
  [
    'sqlite',
    "SELECT `col2`, t1.x FROM `a1` t1 WHERE y = X'00ff' OR z = 0xAB -- secret\n LIMIT 10",
    'SELECT `col2`, t1.x FROM `a1` t1 WHERE y = ? OR z = ? LIMIT ?',
  ],
  ['sqlite', "INSERT INTO a VALUES (?, ?), (?, ?), ('x', 'y')", 'INSERT INTO a VALUES (?, …)'],
  ['sqlite', "SELECT 'never closed", 'SELECT ?'],
  ['sqlite', '/* 5 */ SELECT  ?', 'SELECT ?'],
] as const)('replaces the values of %s: %s', (engine, sql, shown) => expect(withoutValues(sql, engine)).toBe(shown));

it('records slow queries of every access path, with their callers, from the threshold on', async () => {
  // Everything takes longer than nothing.
  database.slow.useThreshold({ current: () => Number.MIN_VALUE });
  await runInFrame({ owner: 'shop', hook: 'order.paid' }, async () => {
    await database.query('SELECT 11 AS one');
    await database.first('SELECT 12 AS one, 1 AS first');
    await database.rows('SELECT 13 AS one, 1 AS rows_of', []);
    await database.run("UPDATE SVC_config SET name = 'secret' WHERE id = 99");
    await database.repository(SiteConfig).findOneBy({ name: 'secret' });
    await database.transaction(() => database.run('DELETE FROM SVC_config WHERE id = 98'));
  });
  database.slow.useThreshold({ current: () => 0 });
  await database.query('SELECT 1 AS not_kept');
  const kept = database.slow.list();
  const texts = kept.map(({ text }) => text);
  for (const text of ['SELECT ? AS one', 'UPDATE SVC_config SET name = ? WHERE id = ?', 'DELETE FROM SVC_config WHERE id = ?'])
    expect(texts).toContain(text);
  expect(
    texts.filter((text) => /rows_of|AS first|^SELECT … FROM .SVC_config. .* WHERE .*name.* = \?/.test(text)).length,
  ).toBeGreaterThanOrEqual(3);
  expect(texts.filter((text) => /secret|1[123]|not_kept/.test(text))).toEqual([]);
  for (const { callers, count, total, longest } of kept)
    expect([callers, count > 0, longest <= total]).toEqual([['shop order.paid'], true, true]);
});

it('keeps the hundred most expensive queries', () => {
  const slow = new SlowQueries('sqlite');
  slow.useThreshold({ current: () => 1 });
  const long = performance.now() - 5_000;
  slow.ended('SELECT the_longest', long);
  for (let nth = 0; nth < 500; nth += 1) slow.ended(`SELECT c${nth}`, performance.now() - 10);
  expect(slow.list().length).toBe(100);
  expect(slow.list()[0]).toMatchObject({ text: 'SELECT the_longest', count: 1 });
  expect(slow.count).toBe(501);
});
