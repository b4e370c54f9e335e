import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { createMigratedPlace, testEngine, type TestPlace } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { ServerProcess } from '../support/server-process.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';

const MADE =
  "{ id: '001', up: async (schema) => { await schema.createTable({ name: 'item', columns: [{ name: 'price', " +
  "type: 'integer' }] }); await svc.db.run('INSERT INTO {item} (price) VALUES (?)', [1]); } }";
const plugin = (steps: string): string =>
  functionPlugin(`
  await svc.db.migrate([${MADE}, ${steps}]);
  svc.svc_register_ajax('admin', 'p_migrating', async () => ({ code: 'ok',
    items: await svc.db.query('SELECT * FROM {item} ORDER BY id') }), 'admin');`);

describe('P8 migration steps that fail', () => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.start();
  });
  afterAll(() => panel.close());

  const items = async (): Promise<unknown> => ((await panel.admin('p_migrating')) as unknown as { items: unknown }).items;
  const tables = async (slug: string): Promise<string[]> => {
    const list =
      testEngine === 'mysql'
        ? 'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()'
        : "SELECT name FROM sqlite_master WHERE type = 'table'";
    const rows = await panel.get(Database).query<{ name: string }>(list);
    return rows
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`SVC_plg_${slug}_`))
      .sort();
  };
  /** Enables a new plugin with these steps; returns why it did not start, or ''. */
  const tryPlugin = async (slug: string, steps: string): Promise<string> => {
    writePlugin(panel.dataDir, slug, functionPlugin(`await svc.db.migrate([${steps}]);`));
    await panel.admin('plugin_install', { slug });
    const { success, code } = await panel.tryEnable(slug);
    return success ? '' : code;
  };

  it('leave data, tables and columns unchanged, and continue from the right step once they are fixed', async () => {
    const failing = [
      "{ id: '002', up: async () => { await svc.db.run('UPDATE {item} SET price = 99'); throw new Error('after the update'); } }",
      "{ id: '002', up: async (schema) => { await schema.addColumn('item', { name: 'note', type: 'string', " +
        "nullable: true }); await schema.createTable({ name: 'other', columns: [] }); await svc.db.run('UPDATE {item} " +
        "SET price = 99'); throw new Error('after the tables'); } }",
    ];
    await panel.admin('plugin_install', { slug: 'migrating' }).catch(() => undefined);
    for (const step of failing) {
      writePlugin(panel.dataDir, 'migrating', plugin(step));
      await panel.admin('plugin_install', { slug: 'migrating' });
      expect((await panel.tryEnable('migrating')).code).toMatch(/after the (?:update|tables)/);
      expect(await tables('migrating')).toEqual(['SVC_plg_migrating_item']);
      writePlugin(panel.dataDir, 'migrating', plugin(''));
      await panel.enable('migrating');
      expect(await items()).toEqual([{ id: 1, price: 1 }]);
      await panel.disable('migrating');
    }
    writePlugin(panel.dataDir, 'migrating', plugin(failing[1]!.replace(/throw new Error\([^)]*\);/, '')));
    await panel.enable('migrating');
    expect(await items()).toEqual([{ id: 1, price: 99, note: null }]);
  });

  it('that write rows before they change tables are refused by name, unless the rows are in a table of the step', async () => {
    const first =
      "{ id: '1', up: async (schema) => { await schema.createTable({ name: 'a', columns: [{ name: 'n', type: " +
      "'integer' }] }); await svc.db.run('INSERT INTO {a} (n) VALUES (1)'); await schema.createTable({ name: 'b', " +
      'columns: [] }); } }';
    expect(await tryPlugin('rowsfirst', first)).toBe('');
    await panel.disable('rowsfirst');
    const second =
      "{ id: 'rows-first', up: async (schema) => { await svc.db.run('UPDATE {a} SET n = 2'); await " +
      "schema.createTable({ name: 'c', columns: [] }); } }";
    expect(await tryPlugin('rowsfirst', `${first}, ${second}`)).toMatch(/rows-first.*UPDATE \{a\}/);
    expect(await tables('rowsfirst')).toEqual(['SVC_plg_rowsfirst_a', 'SVC_plg_rowsfirst_b']);
    expect(await panel.get(Database).query('SELECT n FROM SVC_plg_rowsfirst_a')).toEqual([{ n: 1 }]);
  });

  it('that change tables by SQL need a down, which undoes them', async () => {
    const step = (down: string, then: string): string =>
      `{ id: 'own-sql', up: async () => { await svc.db.run('CREATE TABLE {mine} (n integer)'); ${then} }, ${down} }`;
    const down = "down: async () => { await svc.db.run('DROP TABLE IF EXISTS {mine}'); }";
    expect(await tryPlugin('ownsql', step('', ''))).toMatch(/own-sql.*CREATE TABLE \{mine\}.*down/);
    expect(await tables('ownsql')).toEqual([]);
    expect(await tryPlugin('ownsql', step(down, "throw new Error('not to its end');"))).toMatch('not to its end');
    expect(await tables('ownsql')).toEqual([]);
    expect(await tryPlugin('ownsql', step(down, ''))).toBe('');
    expect(await tables('ownsql')).toEqual(['SVC_plg_ownsql_mine']);
  });

  it('remove their own index again, and add it once the step is fixed', async () => {
    const indexes = async (): Promise<string[]> => {
      const list =
        testEngine === 'mysql'
          ? "SELECT DISTINCT INDEX_NAME AS name FROM information_schema.STATISTICS WHERE TABLE_NAME = 'SVC_plg_indexed_a' " +
            'AND TABLE_SCHEMA = DATABASE()'
          : "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'SVC_plg_indexed_a'";
      const rows = await panel.get(Database).query<{ name: string }>(list);
      return rows.map(({ name }) => name).filter((name) => name.startsWith('IX_'));
    };
    const made =
      "{ id: '1', up: async (schema) => { await schema.createTable({ name: 'a', columns: [{ name: 'n', type: " +
      "'integer' }, { name: 'm', type: 'integer' }] }); await svc.db.run('INSERT INTO {a} (n, m) VALUES (1, 1), (1, " +
      "2)'); } }";
    const step = (index: string, then = ''): string =>
      `${made}, { id: '2', up: async (schema) => { await schema.addIndex('a', ${index}); ${then} } }`;
    expect(await tryPlugin('indexed', step("{ columns: ['n', 'm'] }", "throw new Error('late');"))).toMatch('late');
    expect(await indexes()).toEqual([]);
    expect(await tryPlugin('indexed', step("{ columns: ['n'], unique: true }"))).toMatch(/unique|duplicate/i);
    expect(await indexes()).toEqual([]);
    expect(await tryPlugin('indexed', step("{ columns: ['n', 'm'], unique: true }"))).toBe('');
    expect(await indexes()).toEqual(['IX_indexed_a_n_m']);
    const again =
      `${step("{ columns: ['n', 'm'], unique: true }")}, { id: '3', up: (schema) ` + `=> schema.addIndex('a', { columns: ['n', 'm'] }) }`;
    expect(await tryPlugin('indexed', again)).toMatch('already has an index on n, m');
    expect(await indexes()).toEqual(['IX_indexed_a_n_m']);
  });

  it('keep a table they were to drop, and do not claim one that existed before', async () => {
    const made = "{ id: '1', up: (schema) => schema.createTable({ name: 'a', columns: [] }) }";
    const dropping = (then: string): string => `${made}, { id: '2', up: async (schema) => { await schema.dropTable('a'); ${then} } }`;
    expect(await tryPlugin('dropping', dropping("throw new Error('kept');"))).toMatch('kept');
    expect(await tables('dropping')).toEqual(['SVC_plg_dropping_a']);
    expect(await tryPlugin('dropping', `${made}, { id: '2', up: (schema) => schema.createTable({ name: 'a', columns: [] }) }`)).toMatch(
      'already exists',
    );
    expect(await tables('dropping')).toEqual(['SVC_plg_dropping_a']);
    expect(await tryPlugin('dropping', dropping(''))).toBe('');
    expect(await tables('dropping')).toEqual([]);
  });
});

describe('P8 a process killed during a migration step', () => {
  let place: TestPlace | undefined;
  let server: ServerProcess | undefined;
  afterEach(async () => {
    await server?.stop('SIGKILL');
    await place?.dispose();
    [place, server] = [undefined, undefined];
  });

  async function admin(gn: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const post = (body: Record<string, string>, cookie = ''): Promise<Response> =>
      fetch(`${server!.url}/admin/ajax.php`, { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams(body) });
    const login = await post({ gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
    const cookie = login.headers
      .getSetCookie()
      .find((line) => line.startsWith('admin_token='))!
      .split(';')[0]!;
    return (await (await post({ gn, ...fields }, cookie)).json()) as Record<string, unknown>;
  }

  it.each([
    ['between two tables', 'kill();', ''],
    ['between a column and the rows', '', 'kill();'],
  ])(
    '%s: the next start undoes it and runs it again',
    async (_when, between, late) => {
      place = await createMigratedPlace();
      const ports: [number, number] = [(server = await ServerProcess.start(place)).port, server.sitesPort];
      await server.ready();
      writePlugin(
        place.dataDir,
        'killed',
        functionPlugin(`
      const fs = require('fs'), marker = require('path').join(svc.path, 'killed');
      const kill = () => {
        if (fs.existsSync(marker)) return;
        fs.writeFileSync(marker, '');
        require('child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
      };
      await svc.db.migrate([
        ${MADE},
        { id: '002', up: async (schema) => {
          await schema.createTable({ name: 'first', columns: [] });
          await svc.db.run('CREATE INDEX IX_killed ON {item} (price)');
          ${between}
          await schema.addColumn('item', { name: 'note', type: 'string', nullable: true });
          await svc.db.run('UPDATE {item} SET price = price + 1');
          ${late}
        }, down: async () => {
          fs.writeFileSync(require('path').join(svc.path, 'undone'), '');
          await svc.db.run(${testEngine === 'mysql' ? "'DROP INDEX IF EXISTS IX_killed ON {item}'" : "'DROP INDEX IF EXISTS IX_killed'"});
        } },
      ]);
      svc.svc_register_ajax('admin', 'p_killed', async () => ({ code: 'ok',
        items: await svc.db.query('SELECT * FROM {item} ORDER BY id'), first: await svc.db.query('SELECT * FROM {first}') }), 'admin');`),
      );
      await admin('plugin_install', { slug: 'killed' });
      await admin('plugin_enable', { slug: 'killed', enabled: 'true' }).catch(() => undefined);
      expect(await server.ended).toBe('SIGKILL');

      server = await (await ServerProcess.start(place, {}, ports)).ready();
      expect(await admin('plugin_enable', { slug: 'killed', enabled: 'true' })).toMatchObject({ success: true });
      expect(await admin('p_killed', {})).toMatchObject({ items: [{ id: 1, price: 2, note: null }], first: [] });
      // SQLite rolls all of it back on its own.
      expect(existsSync(join(place.dataDir, 'plugins/killed/undone'))).toBe(testEngine === 'mysql');
    },
    120_000,
  );
});
