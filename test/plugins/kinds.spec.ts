import { getMetadataArgsStorage } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { writePlugin } from '../support/plugins.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

async function call(gn: string): Promise<unknown> {
  return (await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }) })).json();
}

/** Decorators applied manually, as a compiler emits them. */
const NEST = `
const { Module, Injectable, Inject } = require('@nestjs/common');
const { SVC_FACADE, HostsService, OrdersService, PluginDatabase, PluginLogger } = require('@svc/sdk');
const trace = (globalThis.svcTrace ??= []);
const inject = (cls, ...tokens) => tokens.forEach((token, index) => Inject(token)(cls, undefined, index));
`;

function trace(): string[] {
  return ((globalThis as { svcTrace?: string[] }).svcTrace ??= []);
}

const register = (slug: string): string =>
  `(svc) => { svc.svc_register_ajax('user', 'p_${slug}', () => ({ from: svc.slug, path: svc.path })); }`;

it.each([
  ['kind_function', `module.exports = ${register('kind_function')};`],
  ['kind_async', `module.exports = async (svc) => { await new Promise((done) => setImmediate(done)); (${register('kind_async')})(svc); };`],
  ['kind_default', `exports.default = ${register('kind_default')}; exports.__esModule = true;`],
  ['kind_defined', `const { definePlugin } = require('@svc/sdk'); module.exports = definePlugin(${register('kind_defined')});`],
  ['kind_parts', `module.exports = require('./lib/part');`],
])('runs a plugin written as a function (%s)', async (slug, source) => {
  const folder = writePlugin(panel.dataDir, slug, {
    files: { 'index.js': source, 'lib/part.js': `module.exports = ${register('kind_parts')};` },
  });
  await panel.enable(slug);
  expect(await call(`p_${slug}`)).toEqual({ from: slug, path: folder });
});

it('runs a Nest module: services by injection, life-cycle hooks at both ends', async () => {
  writePlugin(
    panel.dataDir,
    'kind_module',
    `${NEST}
    class Greeter { constructor(svc, hosts, orders, db, log) { Object.assign(this, { svc, hosts, orders, db, log }); }
      async greet() { return { facade: this.svc.slug, nodes: (await this.hosts.nodes()).length > 0,
        order: await this.orders.get('none'), one: (await this.db.query('SELECT 1 AS one'))[0].one,
        same: this.hosts === this.svc.hosts && this.log === this.svc.log }; }
      onModuleDestroy() { trace.push('greeter destroyed'); } }
    Injectable()(Greeter); inject(Greeter, SVC_FACADE, HostsService, OrdersService, PluginDatabase, PluginLogger);
    class Feature {}
    Module({ providers: [Greeter], exports: [Greeter] })(Feature);
    class Plugin { constructor(svc, greeter) { this.svc = svc; this.greeter = greeter; trace.push('constructed'); }
      async onModuleInit() { trace.push('init'); this.svc.svc_register_ajax('user', 'p_kind_module', () => this.greeter.greet()); }
      onApplicationBootstrap() { trace.push('bootstrap'); }
      beforeApplicationShutdown() { trace.push('shutdown'); } }
    Module({ imports: [Feature] })(Plugin); inject(Plugin, SVC_FACADE, Greeter);
    module.exports = Plugin;`,
  );
  trace().length = 0;
  await panel.enable('kind_module');
  expect(trace()).toEqual(['constructed', 'init', 'bootstrap']);
  expect(await call('p_kind_module')).toEqual({ facade: 'kind_module', nodes: true, order: null, one: 1, same: true });
  await panel.disable('kind_module');
  expect(trace()).toEqual(['constructed', 'init', 'bootstrap', 'greeter destroyed', 'shutdown']);
  expect(panel.registrations('kind_module')).toEqual({});
});

it('injects services by the types that a TypeScript compiler emits', async () => {
  writePlugin(
    panel.dataDir,
    'kind_typed',
    `${NEST}
    class Worker { constructor(hosts) { this.hosts = hosts; } }
    Injectable()(Worker); Reflect.defineMetadata('design:paramtypes', [HostsService], Worker);
    class Plugin { constructor(svc, worker) { svc.svc_register_ajax('user', 'p_kind_typed', async () => ({
      nodes: (await worker.hosts.nodes()).length })); } }
    Module({ providers: [Worker] })(Plugin); Reflect.defineMetadata('design:paramtypes', [Object, Worker], Plugin);
      Inject(SVC_FACADE)(Plugin, undefined, 0);
    exports.default = Plugin;`,
  );
  await panel.enable('kind_typed');
  expect(await call('p_kind_typed')).toEqual({ nodes: 1 });
});

it('runs a DynamicModule', async () => {
  writePlugin(
    panel.dataDir,
    'kind_dynamic',
    `${NEST}
    class Plugin { constructor(svc, word) { svc.svc_register_ajax('user', 'p_kind_dynamic', () => ({ word })); } }
    Module({})(Plugin); inject(Plugin, SVC_FACADE, 'WORD');
    Plugin.withWord = (word) => ({ module: Plugin, providers: [{ provide: 'WORD', useValue: word }] });
    module.exports = Plugin.withWord('given');`,
  );
  await panel.enable('kind_dynamic');
  expect(await call('p_kind_dynamic')).toEqual({ word: 'given' });
});

describe('repositories of a Nest plugin', () => {
  /** Entity with two columns, as created by the migration step below. */
  const ENTITY = `
const { Column, Entity, PrimaryGeneratedColumn } = require('typeorm');
const { InjectRepository, TypeOrmModule } = require('@nestjs/typeorm');
class Coupon {}
PrimaryGeneratedColumn()(Coupon.prototype, 'id');
Column('varchar', { length: 32 })(Coupon.prototype, 'code');
Column('bigint')(Coupon.prototype, 'price');
const injectRepository = (cls, index, entity) => InjectRepository(entity)(cls, undefined, index);
`;
  const STEP =
    "{ id: '001', up: (schema) => schema.createTable({ name: 'coupon', columns: [{ name: 'code', type: 'string', " +
    "length: 32 }, { name: 'price', type: 'money' }], indexes: [{ columns: ['code'], unique: true }] }) }";
  const plugin = (body: string): string => `${NEST}${ENTITY}
    Entity('coupon')(Coupon);
    class Coupons { constructor(coupons, svc) { this.coupons = coupons; this.svc = svc; }
      async onModuleInit() { await this.svc.db.migrate([${STEP}]); ${body} } }
    Injectable()(Coupons); injectRepository(Coupons, 0, Coupon); Inject(SVC_FACADE)(Coupons, undefined, 1);
    class Feature {} Module({ imports: [TypeOrmModule.forFeature([Coupon])], providers: [Coupons], exports: [TypeOrmModule] })(Feature);
    class Plugin {} Module({ imports: [Feature] })(Plugin); module.exports = Plugin;`;

  it('are for its own tables, and join its transactions', async () => {
    writePlugin(
      panel.dataDir,
      'kind_rows',
      plugin(`const all = () => this.coupons.find({ select: { code: true, price: true }, order: { code: 'ASC' } });
        const fails = (work) => work.then(() => 'done', (error) => error.message);
        this.svc.svc_register_ajax('user', 'p_kind_rows', async () => {
          await this.coupons.save({ code: 'A1', price: 990 });
          const undone = await fails(this.svc.db.transaction(async () => {
            await this.coupons.insert({ code: 'B2', price: 1 });
            await this.svc.db.run('INSERT INTO {coupon} (code, price) VALUES (?, ?)', ['C3', 2]);
            if ((await this.coupons.count()) !== 3) throw new Error('not joined');
            throw new Error('undone');
          }));
          const both = await fails(this.coupons.manager.transaction(async (manager) => {
            await manager.getRepository(Coupon).insert({ code: 'D4', price: 3 });
            await this.svc.db.run('UPDATE {coupon} SET price = 4 WHERE code = ?', ['D4']);
          }));
          const rows = (await all()).map(({ code, price }) => [code, Number(price)]);
          await this.coupons.clear();
          return { undone, both, rows };
        });`),
    );
    await panel.enable('kind_rows');
    expect(await call('p_kind_rows')).toEqual({
      undone: 'undone',
      both: 'done',
      rows: [
        ['A1', 990],
        ['D4', 4],
      ],
    });
  });

  it('cannot access entities of the panel, and leave the connection alone', async () => {
    writePlugin(
      panel.dataDir,
      'kind_walls',
      plugin(`const { manager } = this.coupons; const source = manager.dataSource;
        const fails = async (work) => { try { await work(); return 'done'; } catch (error) { return error.message; } };
        this.svc.svc_register_ajax('user', 'p_kind_walls', async () => ({
          names: source.entityMetadatas.map(({ tableName }) => tableName),
          refused: [await fails(() => manager.getRepository('Administrator').find()), await fails(() =>
            manager.getRepository('SVC_admin').find())],
          connection: [await fails(() => source.initialize()), await fails(() => source.dropDatabase()), await fails(() =>
            source.destroy()), await fails(() => source.synchronize(true))],
          step: await fails(() => this.svc.db.migrate([{ id: '002', up: () => this.coupons.count() }])),
        }));`),
    );
    await panel.enable('kind_walls');
    const answer = (await call('p_kind_walls')) as { names: string[]; refused: string[]; connection: string[]; step: string };
    expect(answer.names).toEqual(['SVC_plg_kind_walls_coupon']);
    for (const refusal of answer.refused) expect(refusal).toContain('No metadata');
    for (const refusal of answer.connection) expect(refusal).toMatch(/only database connection|not.*established|not.*connect/i);
    expect(answer.step).toContain('"002" uses a repository');
    expect((await panel.row('kind_walls'))?.status).toBe('active');
  });

  it.each([
    ['a table of the panel', `Entity('SVC_admin')(Coupon);`, 'forFeature([Coupon])', /Coupon.*SVC_admin/],
    ['a table of another database', `Entity({ name: 'coupon', database: 'other' })(Coupon);`, 'forFeature([Coupon])', /Coupon.*other/],
    ['a data source of another name', `Entity('coupon')(Coupon);`, "forFeature([Coupon], 'mine')", /数据库连接只有面板/],
    [
      'a connection of its own',
      `Entity('coupon')(Coupon);`,
      "forRoot({ type: 'better-sqlite3', database: 'mine.db' })",
      /数据库连接只有面板/,
    ],
  ])('are refused for %s, by name', async (_name, entity, module, reason) => {
    const source =
      `${NEST}${ENTITY} ${entity} class Plugin {} Module({ imports: ` + `[TypeOrmModule.${module}] })(Plugin); module.exports = Plugin;`;
    writePlugin(panel.dataDir, 'kind_refused', source);
    expect((await panel.tryEnable('kind_refused')).code).toMatch(reason);
  });

  it('end with the plugin, and leave nothing in TypeORM’s storage', async () => {
    const notes = (): number =>
      Object.values(getMetadataArgsStorage()).reduce((sum: number, list: unknown) => sum + (Array.isArray(list) ? list.length : 0), 0);
    writePlugin(panel.dataDir, 'kind_ends', plugin('globalThis.svcCoupons = this.coupons;'));
    const before = notes();
    await panel.enable('kind_ends');
    expect(notes()).toBe(before);
    const { svcCoupons } = globalThis as unknown as { svcCoupons: { count(): Promise<number> } };
    expect(await svcCoupons.count()).toBe(0);
    await panel.disable('kind_ends');
    await expect((async () => svcCoupons.count())()).rejects.toThrow('was stopped');
  });
});

it('gives each load its own modules: nothing of the previous load remains', async () => {
  writePlugin(panel.dataDir, 'kind_fresh', {
    files: {
      'index.js':
        `const state = require('./state'); state.loads += 1; module.exports = (svc) => { ` +
        `svc.svc_register_ajax('user', 'p_kind_fresh', () => ({ loads: state.loads, again: require('./state') === ` +
        'state })); };',
      'state.js': 'exports.loads = 0;',
    },
  });
  for (let round = 0; round < 3; round += 1) {
    await panel.enable('kind_fresh');
    expect(await call('p_kind_fresh')).toEqual({ loads: 1, again: true });
  }
});

it('finds packages in the plugin’s own node_modules, and names a missing one', async () => {
  writePlugin(panel.dataDir, 'kind_packages', {
    files: {
      'index.js':
        `const word = require('word'); const deep = require('@scope/deep/part'); module.exports = (svc) => { ` +
        `svc.svc_register_ajax('user', 'p_kind_packages', () => ({ word, deep })); };`,
      'node_modules/word/package.json': '{ "main": "lib/main.js" }',
      'node_modules/word/lib/main.js': "module.exports = require('./other') + 'd';",
      'node_modules/word/lib/other.js': "module.exports = 'wor';",
      'node_modules/@scope/deep/part.js': "module.exports = require('word') + '!';",
    },
  });
  await panel.enable('kind_packages');
  expect(await call('p_kind_packages')).toEqual({ word: 'word', deep: 'word!' });
  writePlugin(panel.dataDir, 'kind_missing', "require('left-pad');");
  expect((await panel.tryEnable('kind_missing')).code).toContain('left-pad');
});

it.each([
  ['nothing', ''],
  ['a text', "module.exports = 'plugin';"],
  ['an object that is no module', 'module.exports = { name: 1 };'],
])('refuses an entry that exports %s, and says what it may export', async (_name, source) => {
  writePlugin(panel.dataDir, 'kind_wrong', source);
  expect((await panel.tryEnable('kind_wrong')).code).toMatch(/function.*DynamicModule/);
});
