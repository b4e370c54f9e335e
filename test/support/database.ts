import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mysql from 'mysql2/promise';

import { ormOptions } from '../../ormconfig.js';
import { AppConfig } from '../../src/config/index.js';
import { createDatabase, type Database } from '../../src/database/index.js';

/** Server of the MariaDB run, such as `mariadb://root@127.0.0.1:3306`; unset: SQLite. */
export const testServer = process.env.TEST_DATABASE_SERVER ?? '';

const mysqlUrl = testServer.replace(/^mariadb:/, 'mysql:');

/** Which engine this run of the suite is on. */
export const testEngine = testServer ? 'mysql' : 'sqlite';

/** A data folder and an empty database for one test file; `dispose` takes both away. */
export interface TestPlace {
  dataDir: string;
  databaseUrl: string;
  config: AppConfig;
  dispose(): Promise<void>;
}

/** Makes a place of its own for a test; `env` adds to or replaces the variables of its configuration. */
export async function createTestPlace(env: NodeJS.ProcessEnv = {}): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'));
  let databaseUrl = `sqlite:${join(dataDir, 'panel.db')}`;
  let drop = async (): Promise<void> => undefined;
  if (testServer) {
    const name = `svc_test_${randomBytes(6).toString('hex')}`;
    const server = await mysql.createConnection(mysqlUrl);
    await server.query(`CREATE DATABASE \`${name}\``);
    await server.end();
    databaseUrl = `${testServer.replace(/\/$/, '')}/${name}`;
    drop = async () => {
      const connection = await mysql.createConnection(mysqlUrl);
      await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
      await connection.end();
    };
  }
  const config = new AppConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SITES_PORT: '0', PORT: '0', ...env });
  return {
    dataDir,
    databaseUrl,
    config,
    dispose: async () => {
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let migrated: Promise<string> | undefined;

/** Makes a file of SQLite with all tables and no rows, once for each process that runs specs. @returns its path */
async function makeMigratedFile(): Promise<string> {
  const place = await createTestPlace();
  process.once('exit', () => rmSync(place.dataDir, { recursive: true, force: true }));
  const { dataSource } = createDatabase(ormOptions(place.config));
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  return join(place.dataDir, 'panel.db');
}

/**
 * A place whose database has its tables already: on SQLite a copy, as migrations are a fourth of a panel's start.
 * Specs of the first start take {@link createTestPlace}.
 */
export async function createMigratedPlace(env: NodeJS.ProcessEnv = {}): Promise<TestPlace> {
  const place = await createTestPlace(env);
  if (!testServer && !env.DATABASE_URL) copyFileSync(await (migrated ??= makeMigratedFile()), join(place.dataDir, 'panel.db'));
  return place;
}

/** A migrated database without the rest of the product. */
export async function createTestDatabase(): Promise<{ database: Database; place: TestPlace; dispose(): Promise<void> }> {
  const place = await createMigratedPlace();
  const database = createDatabase(ormOptions(place.config));
  await database.dataSource.initialize();
  await database.dataSource.runMigrations();
  return {
    database,
    place,
    dispose: async () => {
      if (database.dataSource.isInitialized) await database.dataSource.destroy();
      await place.dispose();
    },
  };
}
