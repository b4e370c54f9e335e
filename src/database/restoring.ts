import type { Database } from './database.js';

/** Stands in the database of a server while a backup is put back into it, and says which tables were set aside for that. */
export const RESTORING_TABLE = 'SVC_restoring';
/** The same once the backup is in place: what was set aside is nobody's any more. */
export const RESTORED_TABLE = 'SVC_restored_over';
/** Begins the names of tables that were set aside. */
export const ASIDE_PREFIX = 'svc_before_restore_';

/** Whether a table belongs to a restore that is under way or over, and not to the data. */
export const isOfRestore = (name: string): boolean => {
  const small = name.toLowerCase();
  return small.startsWith(ASIDE_PREFIX) || small === RESTORING_TABLE.toLowerCase() || small === RESTORED_TABLE.toLowerCase();
};

/** Runs a statement on a connection. */
export type RunSql = (sql: string) => Promise<unknown>;

/** Drops what a restore that is over had set aside: nothing where none is over. */
export async function dropSetAside(tables: readonly string[], run: RunSql): Promise<void> {
  if (!tables.some((name) => name.toLowerCase() === RESTORED_TABLE.toLowerCase())) return;
  await run('SET SESSION foreign_key_checks = 0');
  for (const name of tables) if (name.toLowerCase().startsWith(ASIDE_PREFIX)) await run(`DROP TABLE IF EXISTS \`${name}\``);
  await run(`DROP TABLE IF EXISTS \`${RESTORED_TABLE}\``);
  await run('SET SESSION foreign_key_checks = 1');
}

/**
 * Clears away what a restore of this database left behind once it was over.
 *
 * @throws Error where a backup was put back only in part: a panel that started would take half of its data for all of it
 */
export async function refuseHalfRestored(database: Database): Promise<void> {
  if (database.engine === 'sqlite') return;
  const rows = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const names = rows.map(({ name }) => name);
  if (names.some((name) => name.toLowerCase() === RESTORING_TABLE.toLowerCase()))
    throw new Error(
      'A restore of this database was interrupted: run svc restore again, which begins anew, or svc restore --undo, ' +
        'which puts back what was there before.',
    );
  const runner = database.dataSource.createQueryRunner();
  try {
    await dropSetAside(names, (sql) => runner.query(sql));
  } finally {
    await runner.release();
  }
}
