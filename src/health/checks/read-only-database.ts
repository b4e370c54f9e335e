import { existsSync } from 'node:fs';

import Sqlite from 'better-sqlite3';

import type { AppConfig } from '../../config/index.js';

/** Read-only access to a database: takes no locks that would block a panel. */
export interface ReadOnlyDatabase {
  readonly engine: 'sqlite' | 'mysql';
  query<Row>(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** Connection timeout in milliseconds. */
const CONNECT_MS = 5_000;

/**
 * Opens the database of an installation for reading.
 *
 * @returns null if the SQLite file does not exist yet
 * @throws Error of the driver if it is unreachable
 */
export async function openReadOnly(config: AppConfig): Promise<ReadOnlyDatabase | null> {
  if (config.sqlitePath) {
    if (!existsSync(config.sqlitePath)) return null;
    const handle = new Sqlite(config.sqlitePath, { readonly: true, fileMustExist: true, timeout: 2_000 });
    return {
      engine: 'sqlite',
      query: <Row>(sql: string) => Promise.resolve(handle.prepare(sql).all() as Row[]),
      close: () => Promise.resolve(void handle.close()),
    };
  }
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({
    uri: config.databaseUrl.replace(/^mariadb:/, 'mysql:'),
    dateStrings: true,
    timezone: 'Z',
    connectTimeout: CONNECT_MS,
  });
  await connection.query('SET SESSION TRANSACTION READ ONLY');
  return {
    engine: 'mysql',
    query: async <Row>(sql: string) => (await connection.query(sql))[0] as Row[],
    close: () => connection.end(),
  };
}
