import { afterAll, beforeAll, expect, it } from 'vitest';

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

/** Decorators applied by hand, as a compiler writes them. */
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
      async greet() { return { facade: this.svc.slug, nodes: (await this.hosts.nodes()).length > 0, order: await this.orders.get('none'), one: (await this.db.query('SELECT 1 AS one'))[0].one, same: this.hosts === this.svc.hosts && this.log === this.svc.log }; }
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

it('injects the services by the types a TypeScript compiler writes down', async () => {
  writePlugin(
    panel.dataDir,
    'kind_typed',
    `${NEST}
    class Worker { constructor(hosts) { this.hosts = hosts; } }
    Injectable()(Worker); Reflect.defineMetadata('design:paramtypes', [HostsService], Worker);
    class Plugin { constructor(svc, worker) { svc.svc_register_ajax('user', 'p_kind_typed', async () => ({ nodes: (await worker.hosts.nodes()).length })); } }
    Module({ providers: [Worker] })(Plugin); Reflect.defineMetadata('design:paramtypes', [Object, Worker], Plugin); Inject(SVC_FACADE)(Plugin, undefined, 0);
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

it('gives each load modules of its own: nothing stays of the one before', async () => {
  writePlugin(panel.dataDir, 'kind_fresh', {
    files: {
      'index.js': `const state = require('./state'); state.loads += 1; module.exports = (svc) => { svc.svc_register_ajax('user', 'p_kind_fresh', () => ({ loads: state.loads, again: require('./state') === state })); };`,
      'state.js': 'exports.loads = 0;',
    },
  });
  for (let round = 0; round < 3; round += 1) {
    await panel.enable('kind_fresh');
    expect(await call('p_kind_fresh')).toEqual({ loads: 1, again: true });
  }
});

it("finds packages in the plugin's own node_modules, and names one that is missing", async () => {
  writePlugin(panel.dataDir, 'kind_packages', {
    files: {
      'index.js': `const word = require('word'); const deep = require('@scope/deep/part'); module.exports = (svc) => { svc.svc_register_ajax('user', 'p_kind_packages', () => ({ word, deep })); };`,
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
])('refuses an entry that exports %s, saying what it may export', async (_name, source) => {
  writePlugin(panel.dataDir, 'kind_wrong', source);
  expect((await panel.tryEnable('kind_wrong')).code).toMatch(/function.*DynamicModule/);
});
