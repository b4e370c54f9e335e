import { dirname } from 'node:path';

import { makeFolders } from '../common/index.js';
import type { AppConfig } from '../config/index.js';
import Sqlite from 'better-sqlite3';
import { DataSource, type DataSourceOptions, type MixedList } from 'typeorm';

import { Database } from './database.js';
import { migrations } from './migrations/index.js';
import { joinMysqlTransactions } from './mysql-runner.js';
import { SlowQueries } from './slow-queries.js';
import { gateSqlite } from './sqlite-handles.js';
import { TableWriteCounter } from './table-write-counter.js';

/**
 * Options of the data source, shared by app, tests and TypeORM's command line.
 * SQLite runs in WAL mode with `synchronous=NORMAL`: a commit survives a process crash; a power failure keeps the file consistent but may
 * lose the last commits. Commits that must not be lost, such as a payment confirmed to a gateway, need a durable transaction.
 */
export function dataSourceOptions(config: AppConfig, entities: MixedList<new () => object>): DataSourceOptions {
  const common = { entities, migrations, migrationsTableName: 'SVC_migration', synchronize: false, logging: false } as const;
  const path = config.sqlitePath;
  if (path) {
    return {
      ...common,
      type: 'better-sqlite3',
      database: path,
      driver: Sqlite,
      enableWAL: true,
      prepareDatabase: (handle: Sqlite.Database) => {
        handle.pragma('synchronous = NORMAL');
        handle.pragma('busy_timeout = 10000');
      },
    };
  }
  return {
    ...common,
    type: config.databaseUrl.startsWith('mariadb:') ? 'mariadb' : 'mysql',
    url: config.databaseUrl,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    extra: { connectionLimit: 10, connectTimeout: 10_000 },
  };
}

/** Creates a data source with safe transactions (see {@link Database}); does not connect yet. */
export function createDatabase(options: DataSourceOptions): Database {
  if (options.type === 'better-sqlite3') makeFolders(dirname(String(options.database)), 0o700);
  const dataSource = new DataSource(options);
  const writes = new TableWriteCounter();
  const slow = new SlowQueries(options.type === 'better-sqlite3' ? 'sqlite' : 'mysql');
  return options.type === 'better-sqlite3'
    ? new Database(dataSource, writes, gateSqlite(dataSource, writes, slow), null, slow)
    : new Database(dataSource, writes, null, joinMysqlTransactions(dataSource, writes, slow), slow);
}
