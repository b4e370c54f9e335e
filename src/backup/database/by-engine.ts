import type { AppConfig } from '../../config/index.js';
import { dataSourceOptions } from '../../database/index.js';

import { MysqlSnapshot } from './mysql-snapshot.js';
import { MysqlTarget } from './mysql-target.js';
import type { RestoreTarget } from './restore-target.js';
import type { DatabaseSnapshot } from './snapshot.js';
import { SqliteSnapshot } from './sqlite-snapshot.js';
import { SqliteTarget } from './sqlite-target.js';

/** Takes a snapshot. @throws Error of the driver */
export function openSnapshot(config: AppConfig): Promise<DatabaseSnapshot> {
  return config.sqlitePath ? SqliteSnapshot.open(config.sqlitePath) : MysqlSnapshot.open(config.databaseUrl);
}

/** Where the configuration's database is to be. */
export function restoreTarget(config: AppConfig): RestoreTarget {
  const options = dataSourceOptions(config, []);
  return config.sqlitePath ? new SqliteTarget(config.sqlitePath, options) : new MysqlTarget(config.databaseUrl, options);
}
