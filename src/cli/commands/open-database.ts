import { existsSync } from 'node:fs';

import { ormOptions } from '../../../ormconfig.js';

import type { AppConfig } from '../../config/index.js';
import { createDatabase, type Database } from '../../database/index.js';

import { migrationState } from '../../health/index.js';

import { CommandError } from './command.js';

/**
 * Runs `work` with the installation's database, which must exist and be migrated. Safe next to a running panel: commands use short
 * transactions and change only data that panels reload.
 *
 * @throws CommandError with instructions
 */
export async function withDatabase<T>(config: AppConfig, work: (database: Database) => Promise<T>): Promise<T> {
  if (config.sqlitePath && !existsSync(config.sqlitePath))
    throw new CommandError(
      `There is no database at ${config.sqlitePath}. Check that DATA_DIR is the data folder of the panel. To create a ` +
        'new installation, start the panel.',
    );
  const database = createDatabase(ormOptions(config));
  await database.dataSource.initialize();
  try {
    const { pending, unknown } = await migrationState({ query: (sql) => database.query(sql) }).catch(() => {
      throw new CommandError('This database is empty. Start the panel, or run: svc migrate');
    });
    if (unknown.length > 0)
      throw new CommandError('This database belongs to a newer version of the panel. Use the svc command of that version.');
    if (pending.length > 0)
      throw new CommandError('This database belongs to an older version of the panel. Make a backup, then run: svc migrate');
    return await work(database);
  } finally {
    await database.dataSource.destroy();
  }
}
