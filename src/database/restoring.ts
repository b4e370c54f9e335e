import type { Database } from './database.js';

/** Marker table in a server's database during a restore; lists the tables set aside. */
export const RESTORING_TABLE = 'SVC_restoring';
/** Its name after the restore is complete; the tables set aside can then be dropped. */
export const RESTORED_TABLE = 'SVC_restored_over';
/** Name prefix of tables set aside. */
export const ASIDE_PREFIX = 'svc_before_restore_';

/** Whether a table belongs to a running or completed restore and not to the data. */
export const isOfRestore = (name: string): boolean => {
  const small = name.toLowerCase();
  return small.startsWith(ASIDE_PREFIX) || small === RESTORING_TABLE.toLowerCase() || small === RESTORED_TABLE.toLowerCase();
};

/** Runs a statement on a connection. */
export type RunSql = (sql: string) => Promise<unknown>;

/** Drops the tables set aside by a completed restore, if any. */
export async function dropSetAside(tables: readonly string[], run: RunSql): Promise<void> {
  if (!tables.some((name) => name.toLowerCase() === RESTORED_TABLE.toLowerCase())) return;
  await run('SET SESSION foreign_key_checks = 0');
  for (const name of tables) if (name.toLowerCase().startsWith(ASIDE_PREFIX)) await run(`DROP TABLE IF EXISTS \`${name}\``);
  await run(`DROP TABLE IF EXISTS \`${RESTORED_TABLE}\``);
  await run('SET SESSION foreign_key_checks = 1');
}

/**
 * Cleans up after a completed restore.
 *
 * @throws Error after an incomplete restore: a panel must not start on half of its data
 */
export async function refuseHalfRestored(database: Database): Promise<void> {
  if (database.engine === 'sqlite') return;
  const rows = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const names = rows.map(({ name }) => name);
  if (names.some((name) => name.toLowerCase() === RESTORING_TABLE.toLowerCase()))
    throw new Error(
      'A restore of this database was interrupted: run svc restore again, which starts over, or svc restore --undo, ' +
        'which recovers the previous state.',
    );
  const runner = database.dataSource.createQueryRunner();
  try {
    await dropSetAside(names, (sql) => runner.query(sql));
  } finally {
    await runner.release();
  }
}
