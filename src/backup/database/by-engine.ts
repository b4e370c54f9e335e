import type { AppConfig } from '../../config/index.js';
import { dataSourceOptions } from '../../database/index.js';

import { MysqlSnapshot } from './mysql-snapshot.js';
import { MysqlTarget } from './mysql-target.js';
import type { RestoreTarget } from './restore-target.js';
import type { DatabaseSnapshot } from './snapshot.js';
import { SqliteSnapshot } from './sqlite-snapshot.js';
import { SqliteTarget } from './sqlite-target.js';

/** Opens a database snapshot. @throws Error of the driver */
export function openSnapshot(config: AppConfig): Promise<DatabaseSnapshot> {
  return config.sqlitePath ? SqliteSnapshot.open(config.sqlitePath) : MysqlSnapshot.open(config.databaseUrl);
}

/** Returns the restore target for the configured database. */
export function restoreTarget(config: AppConfig): RestoreTarget {
  const options = dataSourceOptions(config, []);
  return config.sqlitePath ? new SqliteTarget(config.sqlitePath, options) : new MysqlTarget(config.databaseUrl, options);
}
