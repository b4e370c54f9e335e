import { In, type EntityTarget, type FindOptionsWhere } from 'typeorm';

import type { Database } from './database.js';

/**
 * Removes rows by their ids, all or none of them, and notes of each what it was. Rows that are gone already are left out.
 *
 * @param of what it is in the log, as in {@link Database.noteChange}
 * @param only fields the log tells
 * @returns how many there were of these
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
