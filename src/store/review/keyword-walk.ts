import { TurnBudget } from '../../common/index.js';
import type { Database } from '../../database/index.js';

import type { SearchCondition } from './keyword-condition.js';

/** Ids per statement: a few milliseconds on SQLite, which blocks the event loop. */
const ID_BATCH = 2_000;

/**
 * Returns the ids of items that match, newest first, for conditions without an index. Scans the table in batches and yields to other
 * requests in between.
 */
export async function walkItems(database: Database, conditions: readonly SearchCondition[]): Promise<number[]> {
  const newest = Number(
    (await database.first<{ id: number | null }>(database.resolve('SELECT MAX({StoreItem.id}) AS id FROM {StoreItem}')))?.id ?? 0,
  );
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const sql = database.resolve(
    `SELECT {StoreItem.id} AS id FROM {StoreItem} WHERE {StoreItem.id} > ? AND {StoreItem.id} <= ? AND ${where}
      ORDER BY {StoreItem.id} DESC`,
  );
  const params = conditions.flatMap((condition) => [...condition.params]);
  const budget = new TurnBudget();
  const ids: number[] = [];
  for (let to = newest; to > 0; to -= ID_BATCH) {
    await budget.take();
    for (const { id } of await database.query<{ id: number }>(sql, [to - ID_BATCH, to, ...params])) ids.push(Number(id));
  }
  return ids;
}
