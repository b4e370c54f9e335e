import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HookRegistry } from '../../src/hooks/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let userCookie: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser();
  writePlugin(
    panel.dataDir,
    'healthy',
    functionPlugin(
      "svc.svc_register_ajax('user', 'p_healthy', () => ({ well: true })); svc.svc_add_action('own.tick', (list) => " +
        "{ list.push('healthy'); }, 20); svc.svc_register_widget('user', 'main', () => '<p>healthy widget</p>');",
    ),
  );
  await panel.enable('healthy');
});
afterAll(() => panel.close());

async function panelServes(): Promise<void> {
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_healthy' }) });
  expect(await response.json()).toEqual({ well: true });
  expect((await panel.adminFetch('/admin/plugins')).status).toBe(200);
  expect((await panel.fetch('/readyz')).status).toBe(200);
}

/** Registers one of everything. */
const EVERYTHING = [
  "svc.svc_register_ajax('user', 'p_bad_one', () => ({}))",
  "svc.svc_register_page('user', 'index', () => 'x', 'X')",
  "svc.svc_register_menu('user', { title: 'Bad', page: 'index' })",
  "svc.svc_register_widget('user', 'main', () => 'x')",
  "svc.svc_register_settings_tab('admin', { title: 'Bad', url: '/admin/' })",
  'svc.svc_register_home(() => null)',
  "svc.svc_register_notice_channel('bad', { title: 'Bad', fields: [], send: () => {} })",
  "svc.svc_register_route('GET', '/bad', () => 'x')",
  "svc.svc_register_page_override('user', 'orders', () => 'x')",
  "svc.svc_register_partial_override('user', 'foot', () => 'x')",
  "svc.svc_add_action('own.tick', () => {})",
  "svc.svc_add_filter('own.value', (value) => value)",
  "svc.svc_add_action('order.paid', () => {})",
  "svc.svc_register_payment('bad', { name: 'Bad', methods: { a: 'A' }, build: () => false, notify: () => 'x', return: () => '/' })",
];

const NEST = "const { Module, Inject } = require('@nestjs/common'); const { SVC_FACADE } = require('@svc/sdk'); const all = (svc) => {";

describe('a failing activation', () => {
  const fails = async (source: string, reason: RegExp): Promise<void> => {
    writePlugin(panel.dataDir, 'bad', source);
    const answer = await panel.tryEnable('bad');
    expect(answer).toMatchObject({ success: false, err: 'E_STATE', code: expect.stringMatching(reason) as string });
    expect(panel.registrations('bad')).toEqual({});
    const row = await panel.row('bad');
    expect(row).toMatchObject({ enabled: false });
    expect(row?.error).toMatch(reason);
    await panelServes();
  };

  it.each([
    ['at load, by a wrong syntax', 'module.exports = (svc => {', /Unexpected|missing/],
    ['at load, by throwing', "throw new Error('load broke');", /load broke/],
    ['at load, by throwing no error', "throw 'only text';", /only text/],
    ['at load, by throwing nothing', 'throw undefined;', /./],
    ['in a file it requires', "require('./nowhere');", /nowhere/],
    [
      'in an asynchronous function',
      `module.exports = async (svc) => { ${EVERYTHING.join(';')}; await null; throw new Error('promise broke'); };`,
      /promise broke/,
    ],
    [
      'in a constructor',
      `${NEST} ${EVERYTHING.join(';')} }; class P { constructor(svc) { all(svc); throw new Error('constructor ` +
        `broke'); } } Module({})(P); Inject(SVC_FACADE)(P, undefined, 0); module.exports = P;`,
      /constructor broke/,
    ],
    [
      'in onModuleInit',
      `${NEST} ${EVERYTHING.join(';')} }; class P { constructor(svc) { this.svc = svc; } async ` +
        `onModuleInit() { all(this.svc); await null; throw new Error('init broke'); } } ` +
        'Module({})(P); Inject(SVC_FACADE)(P, undefined, 0); module.exports = P;',
      /init broke/,
    ],
    [
      'in onApplicationBootstrap',
      `${NEST} ${EVERYTHING.join(';')} }; class P { constructor(svc) { all(svc); } onApplicationBootstrap() { ` +
        `throw new Error('bootstrap broke'); } } Module({})(P); Inject(SVC_FACADE)(P, undefined, 0); module.exports ` +
        '= P;',
      /bootstrap broke/,
    ],
    [
      'for want of something to inject',
      `${NEST} }; class P { constructor(x) {} } Module({})(P); Inject('NOBODY')(P, undefined, 0); module.exports = P;`,
      /NOBODY/,
    ],
    ['by its texts', 'module.exports = () => {};', /lang/],
  ])('%s, leaves nothing behind and is reported', async (name, source, reason) => {
    const broken = name === 'by its texts';
    if (broken) writePlugin(panel.dataDir, 'bad', { files: { 'lang/en.json': '{"a": 1}' } });
    await fails(source, reason);
    if (broken) writePlugin(panel.dataDir, 'bad', { files: { 'lang/en.json': '{}' } });
  });

  it.each(EVERYTHING.map((call, step) => [step + 1, call] as const))(
    'after its registration step %i (%s) leaves nothing behind',
    async (step) => {
      await fails(
        functionPlugin(`${EVERYTHING.slice(0, step).join(';\n')};\nthrow new Error('step ${step} broke');`),
        new RegExp(`step ${step} broke`),
      );
    },
  );

  it.each(EVERYTHING.map((call, step) => [step + 1, call] as const))(
    'in its registration step %i (%s) leaves nothing behind',
    async (_step, call) => {
      const wrong = call.replace(/\((?=[^)]*)/, '(Symbol("wrong"), ');
      await fails(functionPlugin(`${EVERYTHING.filter((other) => other !== call).join(';\n')};\n${wrong};`), /./);
    },
  );

  it('is aborted if it never ends; registrations and timers made too late have no effect', async () => {
    const limits = panel.get(RuntimeLimits);
    const before = limits.activation;
    limits.activation = 150;
    const late = globalThis as { svcLate?: { go: () => void; outcome: string; closed?: boolean } };
    try {
      await fails(functionPlugin(`${EVERYTHING.join(';')}; await new Promise(() => {});`), /0\.15/);
      await fails(
        functionPlugin(`
          const late = (globalThis.svcLate = { outcome: '' });
          await new Promise((done) => { late.go = done; });
          try { svc.svc_register_ajax('user', 'p_bad_late', () => ({})); late.outcome = 'registered';
            } catch (error) { late.outcome = error.message; }`),
        /0\.15/,
      );
      late.svcLate!.go();
      await expect.poll(() => late.svcLate!.outcome).toMatch(/disabled/);
      expect(panel.registrations('bad')).toEqual({});

      await fails(
        `${NEST} }; const late = (globalThis.svcLate = { closed: false }); class P { async ` +
          'onModuleInit() { await new Promise((done) => { late.go = done; }); } onModuleDestroy() { ' +
          'late.closed = true; } } Module({})(P); module.exports = P;',
        /0\.15/,
      );
      late.svcLate!.go();
      await expect.poll(() => late.svcLate!.closed).toBe(true);
    } finally {
      limits.activation = before;
      delete late.svcLate;
    }
    await panelServes();
  });

  it('is retried with new files, which clears its error', async () => {
    writePlugin(panel.dataDir, 'bad', functionPlugin(EVERYTHING.join(';\n')));
    await panel.enable('bad');
    expect(panel.registrations('bad')).toEqual({
      operations: 1,
      routes: 3,
      homes: 1,
      pages: 1,
      menus: 1,
      widgets: 1,
      tabs: 1,
      overrides: 1,
      hooks: 2,
      durable: 1,
      gateways: 1,
      channels: 1,
    });
    expect(await panel.row('bad')).toMatchObject({ status: 'active', error: '' });
    await panel.disable('bad');
    expect(panel.registrations('bad')).toEqual({});
  });
});

describe('a plugin that fails at run time', () => {
  const error = async (): Promise<string> => (await panel.row('faulty'))?.error ?? '';
  const user = (path: string): Promise<Response> => panel.fetch(path, { headers: { Cookie: userCookie, Accept: 'text/html' } });
  const faulty = async (body: string, files: Record<string, string> = {}): Promise<void> => {
    writePlugin(panel.dataDir, 'faulty', {
      files: { 'index.js': functionPlugin(`const broken = (what) => () => { throw new Error(what + ' broke'); };\n${body}`), ...files },
    });
    await panel.enable('faulty');
    expect(await error()).toBe('');
  };
  const GATEWAY =
    "svc.svc_register_payment('faulty', { name: 'F', methods: { a: 'A' }, build: broken('build'), notify: " +
    "broken('notify'), return: broken('return') });";

  it.each([
    ['page', "svc.svc_register_page('user', 'index', broken('page'), 'Page');", '/user/plugin.php?p=faulty', 500, /页面 index: page broke/],
    ['page file', "svc.svc_register_page('user', 'index', 'broken.liquid', 'File');", '/user/plugin.php?p=faulty', 500, /页面 index/],
    ['route', "svc.svc_register_route('GET', '/faulty', broken('route'));", '/faulty', 500, /路由 GET \/faulty: route broke/],
    [
      'check of a route',
      "svc.svc_register_route('GET', '/faulty', () => 'in', 10, async () => { throw new Error('check broke'); });",
      '/faulty',
      500,
      /check broke/,
    ],
    ['answer of a route', "svc.svc_register_route('GET', '/faulty', () => ({ status: 99, body: '' }));", '/faulty', 500, /99/],
    [
      'header of a route',
      "svc.svc_register_route('GET', '/faulty', () => ({ status: 200, headers: { 'X-A': 'a\\nb' }, body: '' }));",
      '/faulty',
      500,
      /header/i,
    ],
    [
      'widget',
      "svc.svc_register_widget('user', 'main', async () => { throw new Error('widget broke'); });",
      '/user/',
      200,
      /小部件 user\/main: widget broke/,
    ],
    ['home page', "svc.svc_register_home(broken('home'));", '/', 200, /首页: home broke/],
    [
      'page override',
      "svc.svc_register_page_override('user', 'orders', broken('override'));",
      '/user/orders',
      200,
      /替换视图 user\/orders: override broke/,
    ],
    [
      'partial override',
      "svc.svc_register_partial_override('user', 'topbar', async () => { throw new Error('partial broke'); });",
      '/user/',
      200,
      /替换视图 user\/topbar: partial broke/,
    ],
    ['listener of a menu', "svc.svc_add_action('menu.user', broken('menu'));", '/user/', 200, /menu\.user 的监听函数: menu broke/],
    ['listener of widgets', "svc.svc_add_action('dashboard.user.widgets', broken('widgets'));", '/user/', 200, /widgets broke/],
    ['notify of a gateway', GATEWAY, '/pay/faulty/notify', 500, /notify broke/],
    ['return of a gateway', GATEWAY, '/pay/faulty/return', 500, /return broke/],
  ])('is reported for its %s, and the page does not show the error', async (_name, body, path, status, reason) => {
    await faulty(body, { 'broken.liquid': '{% if %}' });
    const response = await user(path);
    const text = await response.text();
    expect(response.status).toBe(status);
    expect(text).toContain('</html>');
    expect(text).not.toMatch(/ broke|index\.js|at .*:\d+:\d+/);
    if (path === '/user/') expect(text).toContain('healthy widget');
    expect(await error()).toMatch(reason);
    await panelServes();
  });

  it.each([
    ['operation', "svc.svc_register_ajax('user', 'p_faulty', broken('operation'));", /操作 p_faulty: operation broke/],
    ['check of an operation', "svc.svc_register_ajax('user', 'p_faulty', () => ({}), broken('check'));", /check broke/],
  ])('is reported for its %s', async (_name, body, reason) => {
    await faulty(body);
    const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_faulty' }) });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ success: false, qk: 4, data: null });
    expect(text).not.toContain('broke');
    expect(await error()).toMatch(reason);
  });

  it('is reported for the page of its settings tab, which shows a notice instead', async () => {
    await faulty(
      "svc.svc_register_page('admin', 'tab', broken('tab'), 'Tab'); svc.svc_register_settings_tab('admin', { id: " +
        "'faulty', title: 'Faulty tab', page: 'tab' });",
    );
    const tab = await panel.adminFetch('/admin/settings?tab=faulty');
    const text = await tab.text();
    expect([tab.status, text.includes('Faulty tab'), text.includes('tab broke')]).toEqual([200, true, false]);
    expect(await error()).toMatch(/页面 tab: tab broke/);
  });

  it('is reported for its build, and the calling plugin gets false', async () => {
    await faulty(GATEWAY);
    writePlugin(
      panel.dataDir,
      'shop',
      functionPlugin(
        "svc.svc_register_ajax('user', 'p_shop', async () => { const order = await svc.orders.create({ user: 'b', " +
          "scene: 's', name: 'n', amount: 100 }); return { built: await svc.svc_pay_dispatch_gateway(order, " +
          "'faulty__a') }; });",
      ),
    );
    await panel.enable('shop');
    const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_shop' }) });
    expect(await response.json()).toEqual({ built: false });
    expect(await error()).toMatch(/build broke/);
    expect((await panel.row('shop'))?.error).toBe('');
  });

  it('does not affect the other listeners of a hook', async () => {
    await faulty("svc.svc_add_action('own.tick', broken('listener'));");
    const list: string[] = [];
    await panel.get(HookRegistry).doAction('own.tick', list);
    expect(list).toEqual(['healthy']);
    expect(await error()).toMatch(/own\.tick.*listener broke/);
  });

  it('stops although its stop callback throws', async () => {
    writePlugin(
      panel.dataDir,
      'faulty',
      `${NEST} }; class P { onApplicationShutdown() { throw new Error('end broke'); } } Module({})(P); module.exports = P;`,
    );
    await panel.enable('faulty');
    expect(await panel.disable('faulty')).toMatchObject({ success: true });
    expect(await panel.row('faulty')).toMatchObject({ status: 'installed' });
    await panelServes();
  });
});
