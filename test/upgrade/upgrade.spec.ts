import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { ormOptions } from '../../ormconfig.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/entities/index.js';
import { createTestDatabase, createTestPlace, testEngine, type TestPlace } from '../support/database.js';
import { TestStore } from '../support/store.js';

const PASSWORD = 'a-password-of-my-own';

/** A folder with the stored database: a small installation as left by the commit in the file's name. */
async function keptPlace(): Promise<TestPlace> {
  const place = await createTestPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  const sql = readFileSync(join(import.meta.dirname, `3e9eb24.${testEngine === 'mysql' ? 'mariadb' : 'sqlite'}.sql`), 'utf8');
  if (testEngine === 'mysql') {
    const connection = await mysql.createConnection({
      uri: place.databaseUrl.replace(/^mariadb:/, 'mysql:'),
      multipleStatements: true,
      charset: 'utf8mb4',
    });
    await connection.query(`SET FOREIGN_KEY_CHECKS = 0; ${sql} SET FOREIGN_KEY_CHECKS = 1;`);
    await connection.end();
  } else {
    const file = new Sqlite(place.config.sqlitePath!);
    file.pragma('foreign_keys = OFF');
    file.exec(sql);
    file.close();
  }
  return place;
}

/** Every column and index, as lines to compare. */
async function schemaOf(database: Database): Promise<string[]> {
  const query = (sql: string): Promise<Record<string, unknown>[]> => database.dataSource.query(sql);
  if (testEngine === 'mysql') {
    const columns = await query(
      'SELECT TABLE_NAME t, COLUMN_NAME c, COLUMN_TYPE y, IS_NULLABLE n, COLUMN_DEFAULT d, COLLATION_NAME o ' +
        'FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()',
    );
    const indexes = await query(
      'SELECT TABLE_NAME t, INDEX_NAME i, SEQ_IN_INDEX s, COLUMN_NAME c, NON_UNIQUE n ' +
        'FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()',
    );
    return [...columns, ...indexes].map((row) => JSON.stringify(row)).sort();
  }
  const tables = await query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const lines: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    for (const { cid: _place, ...column } of await query(`PRAGMA table_info("${name}")`)) lines.push(JSON.stringify([name, column]));
    for (const index of (await query(`PRAGMA index_list("${name}")`)) as { name: string; unique: number }[]) {
      const columns = (await query(`PRAGMA index_info("${index.name}")`)).map((column) => column.name);
      lines.push(JSON.stringify([name, index.name.startsWith('sqlite_autoindex') ? 'auto' : index.name, index.unique, columns]));
    }
  }
  return lines.sort();
}

describe('an upgraded installation', () => {
  let place: TestPlace;
  let store: TestStore;
  let admin: DemoVisitor;
  beforeAll(async () => {
    place = await keptPlace();
    store = await TestStore.on(place);
    admin = new DemoVisitor(store.url);
    await admin.operate('admin', { gn: 'login', user: 'admin', pass: 'kept-password' });
  });
  afterAll(() => store.close());

  const rows = async (gn: string): Promise<Record<string, string>[]> =>
    (await admin.operate('admin', { gn, limit: '100' })).rows as Record<string, string>[];

  it('has the tables, columns and indexes of a new one', async () => {
    const fresh = await createTestDatabase();
    try {
      // Tables of plugins belong to them.
      const ownTables = (lines: string[]): string[] => lines.filter((line) => !line.includes('SVC_plg_'));
      expect(ownTables(await schemaOf(store.database))).toEqual(ownTables(await schemaOf(fresh.database)));
    } finally {
      await fresh.dispose();
    }
  });

  it('keeps its accounts with their states and passwords', async () => {
    const hosts = await rows('listzj');
    expect(hosts.map(({ user }) => user).sort()).toEqual(['kept-buyer', 'kept-expired', 'kept-later', 'kept-paused']);
    expect(hosts.find(({ user }) => user === 'kept-paused')).toMatchObject({ zjzt: 'paused' });
    expect(hosts.find(({ user }) => user === 'kept-buyer')).toMatchObject({ datae: '2026-12-22' });
    const owner = new DemoVisitor(store.url);
    await owner.operate('user', { gn: 'login', user: 'kept-later', pass: PASSWORD });
    expect(await owner.operate('user', { gn: 'zjxx' })).toMatchObject({ success: true });
  });

  it('knows who opened an account, and by which request', async () => {
    const accounts = await store.database.repository(HostingAccount).find({ order: { id: 'ASC' } });
    expect(accounts.map(({ openedBy, requestId }) => [openedBy, requestId])).toEqual([
      ['hosting_shop', expect.stringMatching(/^hosting_shop:\d{20}$/)],
      ['api', 'order-7'],
      ['cron', null],
      ['cron', null],
    ]);
  });

  it('keeps its orders, each only with the account it was created for', async () => {
    const orders = await rows('listdd');
    expect(orders).toHaveLength(4);
    expect(orders.filter(({ qk }) => qk === 'paid')).toHaveLength(1);
    const owner = new DemoVisitor(store.url);
    await owner.operate('user', { gn: 'login', user: 'kept-later', pass: PASSWORD });
    const own = (await owner.operate('user', { gn: 'listdd' })).rows as Record<string, string>[];
    expect(own.map((order) => order.name ?? order.spname)).toEqual(['After the account']);
  });

  it('keeps its plugins running', async () => {
    const plugins = (await rows('plugin_list')) as unknown as { slug: string; status: string }[];
    for (const slug of ['sandbox', 'hosting_shop'])
      expect(plugins.find((plugin) => plugin.slug === slug)).toMatchObject({ status: 'active' });
  });

  it('keeps its agent', async () => {
    expect(await rows('listnode')).toEqual([expect.objectContaining({ node_id: 'kept-agent' })]);
  });

  it('keeps its store: items, versions, authors, and no markup in their texts', async () => {
    const author = store.visitor();
    expect((await author.login('kept-author', 'kept-password-1')).code).toBe(0);
    const items = await store.visitor().get<{ items: { slug: string; version: string }[] }>('/items');
    expect(items.data.items).toEqual([expect.objectContaining({ slug: 'kept-plugin', version: '1.0.0' })]);
    const marked = store.visitor();
    const signedIn = await marked.login('kept-markup', 'kept-password-1');
    expect(signedIn.code).toBe(0);
    expect(JSON.stringify(signedIn.data)).not.toContain('<');
    // Two names that look alike existed: both stay.
    expect((await store.visitor().login('kept-ɑuthor', 'kept-password-1')).code).toBe(0);
  });
});

describe('a downgrade', () => {
  it('reverts every migration since, and keeps all earlier rows and columns', async () => {
    const place = await keptPlace();
    const open = async (): Promise<Database> => {
      const database = createDatabase(ormOptions(place.config));
      await database.dataSource.initialize();
      return database;
    };
    const rowsOf = async (database: Database): Promise<string[]> => {
      const tables = await database.query<{ name: string }>(
        testEngine === 'mysql'
          ? 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'
          : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      );
      const counts = tables.map(
        async ({ name }) => `${name} ${(await database.first<{ n: number }>(`SELECT COUNT(*) AS n FROM \`${name}\``))!.n}`,
      );
      return (await Promise.all(counts)).sort();
    };
    const database = await open();
    try {
      const before = { schema: await schemaOf(database), rows: await rowsOf(database) };
      const applied = await database.dataSource.runMigrations();
      expect(applied.length).toBeGreaterThan(5);
      for (const _migration of applied) await database.dataSource.undoLastMigration();
      expect(await rowsOf(database)).toEqual(before.rows);
      expect(await schemaOf(database)).toEqual(before.schema);
      if (testEngine === 'sqlite') {
        expect(await database.dataSource.query('PRAGMA foreign_key_check')).toEqual([]);
        expect(await database.dataSource.query('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
      }
    } finally {
      await database.dataSource.destroy();
      await place.dispose();
    }
  });
});
