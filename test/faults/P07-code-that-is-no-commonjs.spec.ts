import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

describe('P7 unsupported plugin code', () => {
  let panel: TestPanel;

  beforeAll(async () => {
    panel = await TestPanel.start();
  });
  afterAll(() => panel.close());

  const BUNDLE = /index\.js.*--format=cjs/s;

  it.each([
    ['export default', { 'index.js': '// one\nexport default (svc) => {};' }, /ES 模块（第 2 行）.*--format=cjs/s],
    ['import', { 'index.js': "import { readFileSync } from 'node:fs';\nmodule.exports = () => {};" }, BUNDLE],
    ['import.meta', { 'index.js': 'module.exports = () => import.meta.url;' }, BUNDLE],
    ['an .mjs file', { 'index.js': "module.exports = require('./lib.mjs');", 'lib.mjs': 'module.exports = () => {};' }, /lib\.mjs/],
    [
      'a package that is an ES module',
      {
        'index.js': "require('rates');",
        'node_modules/rates/package.json': '{ "type": "module", "main": "index.js" }',
        'node_modules/rates/index.js': 'export const rate = 1;',
      },
      /node_modules\/rates\/index\.js.*--format=cjs/s,
    ],
    ['await outside of functions', { 'index.js': 'const a = 1;\n\nawait a;' }, /第 3 行.*onModuleInit/s],
    ['what does not parse', { 'index.js': 'const a = ;' }, /index\.js.*第 1 行.*Unexpected token/s],
    ['broken JSON', { 'index.js': "require('./rates.json');", 'rates.json': '{ "a": }' }, /rates\.json/],
    ['a native add-on', { 'index.js': "require('./build/rates.node');", 'build/rates.node': '\u007fELF' }, /build\/rates\.node.*原生扩展/s],
    [
      'a native add-on without its ending',
      { 'index.js': "require('./build/rates');", 'build/rates.node': '\u007fELF' },
      /build\/rates\.node.*原生扩展/s,
    ],
    ['import() while it starts', { 'index.js': functionPlugin("await import('node:fs');") }, /import\(\).*require\(\)/s],
  ])('is rejected for %s with a helpful message', async (_name, files, reason) => {
    writePlugin(panel.dataDir, 'wrong', { files: files as Record<string, string> });
    const answer = await panel.tryEnable('wrong');
    expect(answer.success).toBe(false);
    expect(answer.code).toMatch(reason);
  });

  it('is rejected in English as well', async () => {
    writePlugin(panel.dataDir, 'wrong', 'export default 1;');
    await panel.tryEnable('wrong');
    const answer = await panel.adminFetch('/admin/ajax.php', {
      method: 'POST',
      body: new URLSearchParams({ gn: 'plugin_enable', slug: 'wrong', enabled: 'true' }),
      headers: { 'Accept-Language': 'en' },
    });
    expect(((await answer.json()) as { code: string }).code).toMatch(/ES module \(line 1\).*esbuild/);
  });

  it('is rejected for an .mjs entry', async () => {
    writePlugin(panel.dataDir, 'entry', { manifest: { main: 'index.mjs' }, files: { 'index.mjs': 'export default () => {};' } });
    expect((await panel.tryEnable('entry')).code).toMatch(/index\.mjs.*ES 模块/);
  });

  it('is named in the list when import() is called while it runs', async () => {
    writePlugin(
      panel.dataDir,
      'later',
      functionPlugin("svc.svc_register_route('GET', '/later', async () => { await import('node:fs'); });"),
    );
    await panel.enable('later');
    expect((await panel.fetch('/later')).status).toBe(500);
    expect((await panel.row('later'))?.error).toMatch(/路由 GET \/later: .*import\(\).*require\(\)/);
  });

  it('finds its own files with require.resolve', async () => {
    const folder = writePlugin(panel.dataDir, 'finder', {
      files: {
        'index.js': functionPlugin(
          "svc.svc_register_route('GET', '/finder', () => ({ own: require.resolve('./lib/part'), pack: " +
            "require.resolve('word'), node: require.resolve('node:fs'), sdk: require.resolve('@svc/sdk'), code: (() => { " +
            "try { require.resolve('./none'); } catch (error) { return error.code; } })() }));",
        ),
        'lib/part.js': '',
        'node_modules/word/index.js': '',
      },
    });
    await panel.enable('finder');
    expect(await (await panel.fetch('/finder')).json()).toEqual({
      own: `${folder}/lib/part.js`,
      pack: `${folder}/node_modules/word/index.js`,
      node: 'node:fs',
      sdk: '@svc/sdk',
      code: 'MODULE_NOT_FOUND',
    });
  });

  it.each([
    [
      'configure() of a module it imports',
      'class Inner { configure(consumer) {} } Module({})(Inner); Module({ imports: [Inner] })(Plugin);',
      /Inner.*configure\(\)/,
    ],
    [
      'a guard for everything',
      'class Guard { canActivate() { return false; } } Module({ providers: [{ provide: APP_GUARD, useClass: Guard }] })(Plugin);',
      /Plugin.*APP_GUARD/,
    ],
    [
      'a filter of a dynamic module',
      'class Inner {} Module({})(Inner); Module({ imports: [{ module: Inner, providers: [{ provide: APP_FILTER, ' +
        'useValue: {} }] }] })(Plugin);',
      /Inner.*APP_FILTER/,
    ],
  ])('is refused for %s, which no request would reach', async (_name, body, reason) => {
    writePlugin(
      panel.dataDir,
      'unmet',
      `const { Module } = require('@nestjs/common'); const { APP_GUARD, APP_FILTER } = ` +
        `require('@nestjs/core'); class Plugin {} ${body} module.exports = Plugin;`,
    );
    await panel.admin('plugin_install', { slug: 'unmet' });
    expect((await panel.tryEnable('unmet')).code).toMatch(reason);
  });

  it.each([
    ['in its module', 'Module({ controllers: [Rates] })(Plugin);'],
    ['in a module it imports', 'class Inner {} Module({ controllers: [Rates] })(Inner); Module({ imports: [Inner] })(Plugin);'],
    [
      'in a dynamic module',
      'class Inner {} Module({})(Inner); Module({ imports: [Promise.resolve({ module: Inner, controllers: [Rates] })] })(Plugin);',
    ],
    ['among its providers', 'Module({ providers: [Rates] })(Plugin);'],
  ])('is refused for a controller %s, by its name', async (_name, body) => {
    writePlugin(
      panel.dataDir,
      'routed',
      `const { Controller, Get, Module } = require('@nestjs/common'); class Rates { list() {} } ` +
        `Controller('rates')(Rates); class Plugin {} ${body} module.exports = Plugin;`,
    );
    expect((await panel.tryEnable('routed')).code).toMatch(/Rates.*svc_register_route/);
  });
});
