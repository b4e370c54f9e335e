import { In, type EntityTarget, type FindOptionsWhere } from 'typeorm';

import type { Database } from './database.js';

/**
 * Deletes rows by id in one transaction and records each for the operation log. Ids that do not exist are skipped.
 *
 * @param of type of the subject in the log, as in {@link Database.noteChange}
 * @param only fields included in the log
 * @returns number of deleted rows
 * @example
 * ```ts
 * const removed = await removeRows(database, Announcement, [3, 4], 'announcement', ['title', 'content']);
 * ```
 */
export function removeRows<Entity extends { id: number }>(
  database: Database,
  target: EntityTarget<Entity>,
  ids: readonly number[],
  of: string,
  only: readonly (keyof Entity & string)[],
): Promise<number> {
  const rows = database.repository(target);
  return database.transaction(async () => {
    let removed = 0;
    for (const present of await rows.findBy({ id: In([...ids]) } as FindOptionsWhere<Entity>)) {
      const { id } = present;
      if ((await rows.delete({ id } as FindOptionsWhere<Entity>)).affected !== 1) continue;
      removed += 1;
      database.noteChange({ of, id, only }, present as Record<string, unknown>, null);
    }
    return removed;
  });
}
