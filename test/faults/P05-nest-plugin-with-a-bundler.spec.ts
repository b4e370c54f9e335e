import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BUNDLE_COMMAND } from '../../src/plugin-registry/package/module-loader.js';
import { TestPanel } from '../support/panel.js';
import { writePlugin } from '../support/plugins.js';
import { TypeScriptPlugin, codeBlocks } from '../support/typescript-plugin.js';

const [, tsconfig, source, bundle] = codeBlocks('plugin-api.md', '### From TypeScript') as [string, string, string, string];

describe('P5 a Nest plugin and its bundler', () => {
  let panel: TestPanel;
  let author: TypeScriptPlugin;

  beforeAll(async () => {
    panel = await TestPanel.start();
    author = await TypeScriptPlugin.create();
    author.write('tsconfig.json', tsconfig);
  });
  afterAll(async () => {
    author.dispose();
    await panel.close();
  });

  /** Ships the build output as the plugin `coupons`. */
  const ship = (): void => void writePlugin(panel.dataDir, 'coupons', author.read('index.js'));

  const answers = async (): Promise<void> => {
    await panel.enable('coupons');
    expect(await (await panel.fetch('/coupons')).json()).toEqual({ nodes: 1 });
    await panel.disable('coupons');
  };

  it('runs the example of the docs as compiled by tsc', { timeout: 60_000 }, async () => {
    author.write('src/index.ts', source);
    await author.run('npx tsc');
    ship();
    await answers();
  });

  it('runs the example of the docs as bundled by the command that error messages name', { timeout: 60_000 }, async () => {
    expect(bundle.trim()).toBe(BUNDLE_COMMAND);
    author.write('src/index.ts', source);
    await author.run(bundle);
    ship();
    await answers();
  });

  it.each([
    ['compiled', 'npx tsc'],
    ['bundled', BUNDLE_COMMAND],
  ])('runs the DynamicModule of the docs, with a repository of its table (%s)', { timeout: 60_000 }, async (_name, command) => {
    author.write('src/index.ts', codeBlocks('plugin-api.md', '### A DynamicModule with a table of its own')[0]!);
    await author.run(command);
    ship();
    await panel.enable('coupons');
    const code = command.startsWith('npx tsc') ? 'SPRING' : 'SUMMER';
    expect(await panel.admin('p_coupons_add', { code })).toMatchObject({ success: true });
    expect(await panel.admin('p_coupons_add', { code: '?' })).toMatchObject({ success: false });
    expect(await (await panel.fetch(`/coupons/${code}`)).json()).toEqual({ percent: 10 });
    expect((await panel.fetch('/coupons/NONE')).status).toBe(404);
    await panel.disable('coupons');
  });

  it('names class and parameter when a bundler dropped the types, and says what to write', async () => {
    author.write('src/index.ts', source.replace('@Inject(HostsService) ', ''));
    await author.run(bundle);
    ship();
    const answer = await panel.admin('plugin_enable', { slug: 'coupons', enabled: 'true' });
    expect(answer.success).toBe(false);
    expect(answer.code).toMatch(/Coupons.*hosts #2.*@Inject\(HostsService\)/);
    expect(panel.registrations('coupons')).toEqual({});
  });

  it('uses the types alone when the compiler emitted them', { timeout: 60_000 }, async () => {
    author.write('src/index.ts', source.replace('@Inject(HostsService) ', ''));
    await author.run('npx tsc --emitDecoratorMetadata');
    ship();
    await answers();
  });

  const NEST =
    "const { Inject, Injectable, Module, Optional, forwardRef } = require('@nestjs/common'); const { " +
    "HostsService, SVC_FACADE } = require('@svc/sdk');";
  const inject = 'const inject = (cls, ...tokens) => tokens.forEach((token, index) => token && Inject(token)(cls, undefined, index));';

  it.each([
    [
      'an interface, written down as Object',
      'class Worker { constructor(rates) {} } Reflect.defineMetadata("design:paramtypes", [Object], Worker); ' +
        'Injectable()(Worker); class Plugin {} Module({ providers: [Worker] })(Plugin);',
      /Worker.*rates #1/,
    ],
    [
      'a provider by useClass',
      'class Worker { constructor(hosts) {} } class Plugin {} Module({ providers: [{ provide: "W", useClass: Worker }] })(Plugin);',
      /Worker.*hosts #1/,
    ],
    [
      'the constructor of a parent',
      'class Base { constructor(hosts) {} } class Worker extends Base {} class Plugin {} Module({ providers: [Worker] })(Plugin);',
      /Worker.*hosts #1/,
    ],
    [
      'a module that is imported later',
      'class Worker { constructor(a, hosts) {} } inject(Worker, SVC_FACADE); class Inner {} Module({ providers: ' +
        '[Worker] })(Inner); class Plugin {} Module({ imports: [forwardRef(() => Inner)] })(Plugin);',
      /Worker.*hosts #2/,
    ],
    [
      'a property',
      'class Worker {} Inject()(Worker.prototype, "hosts"); class Plugin {} Module({ providers: [Worker] })(Plugin);',
      /Worker.*hosts/,
    ],
    ['the module itself', 'class Plugin { constructor(hosts) {} } Module({})(Plugin);', /Plugin.*hosts #1/],
  ])('names %s', async (_name, body, reason) => {
    writePlugin(panel.dataDir, 'coupons', `${NEST} ${inject} ${body} module.exports = Plugin;`);
    expect((await panel.tryEnable('coupons')).code).toMatch(reason);
  });

  it('ignores what needs no injection', async () => {
    writePlugin(
      panel.dataDir,
      'coupons',
      `${NEST} ${inject}
       class Quiet { constructor(size = 3) { this.size = size; } }
       class Choosy { constructor(hosts, extra) { this.hosts = hosts; this.extra = extra; } } inject(Choosy, HostsService, null);
         Optional()(Choosy, undefined, 1);
       class Plugin { constructor(svc, choosy) { svc.svc_register_route('GET', '/coupons', async () => ({
         nodes: (await choosy.hosts.nodes()).length })); } } inject(Plugin, SVC_FACADE, Choosy);
       Module({ providers: [Quiet, Choosy] })(Plugin); module.exports = Plugin;`,
    );
    await answers();
  });
});
