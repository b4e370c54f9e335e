import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mysql from 'mysql2/promise';

import { ormOptions } from '../../ormconfig.js';
import { AppConfig } from '../../src/config/index.js';
import { createDatabase, type Database, type Engine } from '../../src/database/index.js';

/** Server of the MariaDB run, such as `mariadb://root@127.0.0.1:3306`; empty: SQLite. */
export const testServer = process.env.TEST_DATABASE_SERVER ?? '';

const mysqlUrl = testServer.replace(/^mariadb:/, 'mysql:');

/** Database engine of this run of the suite. */
export const testEngine: Engine = testServer ? 'mysql' : 'sqlite';

/** Data folder and empty database of a test file; `dispose` removes both. */
export interface TestPlace {
  dataDir: string;
  databaseUrl: string;
  config: AppConfig;
  dispose(): Promise<void>;
}

/**
 * Creates a data folder and an empty database for a test.
 *
 * @param env environment variables of its configuration
 * @param engine overrides the engine of the run
 */
export async function createTestPlace(env: NodeJS.ProcessEnv = {}, engine = testEngine): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'));
  let databaseUrl = `sqlite:${join(dataDir, 'panel.db')}`;
  let drop = async (): Promise<void> => undefined;
  if (engine === 'mysql') {
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

/** Function that copies the tables and rows of a prepared database, and its files of the data folder, into an empty place. */
type Copy = (place: TestPlace) => Promise<void>;
let migrated: Promise<Copy> | undefined;
let started: Promise<Copy> | undefined;

/** Prepares a database, once for each process that runs specs, and keeps a copy of it. */
async function prepareOnce(prepare: (database: Database, config: AppConfig) => Promise<unknown>): Promise<Copy> {
  const place = await createTestPlace();
  const database = createDatabase(ormOptions(place.config));
  const { dataSource } = database;
  try {
    await dataSource.initialize();
    await dataSource.runMigrations();
    await prepare(database, place.config);
    await dataSource.destroy();
    const files = readdirSync(place.dataDir).map((name) => [name, readFileSync(join(place.dataDir, name))] as const);
    const statements = testServer ? await tablesAsStatements(place) : null;
    return async (empty) => {
      for (const [name, content] of files) writeFileSync(join(empty.dataDir, name), content, { mode: 0o600 });
      if (statements) await onServer(empty, async (connection) => void (await connection.query(statements)));
    };
  } finally {
    await place.dispose();
  }
}

async function onServer<T>(place: TestPlace, work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
  const connection = await mysql.createConnection({
    uri: place.databaseUrl.replace(/^mariadb:/, 'mysql:'),
    multipleStatements: true,
    dateStrings: true,
  });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** Returns the SQL that creates all tables and rows of a database on the server. */
function tablesAsStatements(place: TestPlace): Promise<string> {
  return onServer(place, async (connection) => {
    const statements = ['SET foreign_key_checks = 0'];
    const [tables] = await connection.query<mysql.RowDataPacket[]>('SHOW TABLES');
    for (const table of tables.map((row) => String(Object.values(row)[0]))) {
      const [[made]] = await connection.query<mysql.RowDataPacket[]>('SHOW CREATE TABLE ??', [table]);
      statements.push(String(made!['Create Table']));
      const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT * FROM ??', [table]);
      for (const row of rows) statements.push(connection.format('INSERT INTO ?? SET ?', [table, row]));
    }
    return statements.join(';\n');
  });
}

/**
 * Creates a place with a migrated database: migrations take a quarter of the time a panel needs to start. Specs of the first start use
 * {@link createTestPlace}.
 */
export async function createMigratedPlace(env: NodeJS.ProcessEnv = {}): Promise<TestPlace> {
  const place = await createTestPlace(env);
  if (!env.DATABASE_URL) await (await (migrated ??= prepareOnce(() => Promise.resolve())))(place);
  return place;
}

/** Runs the first start; imported on demand, so that only specs that need it load the whole product. */
const startFirst = async (database: Database, config: AppConfig): Promise<unknown> =>
  (await import('../../src/app/first-start.js')).ensureFirstStart(database, config);

/** Variables that change what a first start creates. */
const OF_FIRST_START = ['ADMIN_USERNAME', 'ADMIN_PASSWORD', 'API_KEY', 'DATABASE_URL'];

/**
 * Creates a place where panel and store were started once: their administrators exist, whose password hashes take longer than the rest of a
 * start.
 */
export async function createStartedPlace(env: NodeJS.ProcessEnv = {}): Promise<TestPlace> {
  if (OF_FIRST_START.some((name) => env[name] !== undefined)) return createMigratedPlace(env);
  const place = await createTestPlace(env);
  await (
    await (started ??= prepareOnce(startFirst))
  )(place);
  return place;
}

/** Creates a migrated database without the rest of the product. */
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
