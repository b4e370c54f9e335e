import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines, PluginCalls } from '../../src/common/index.js';
import { HookRegistry } from '../../src/hooks/index.js';
import { Orders, payPagePath, PaymentMethods } from '../../src/payment/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { CALLBACKS, hostilePlugin, letGo, MISBEHAVIOURS, type CallbackKind, type Misbehaviour } from '../support/hostile-plugins.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const LIMIT = 150;
const HEALTHY = functionPlugin(`
  svc.svc_add_action('menu.admin', (menu) => { menu.push({ title: 'Healthy entry', url: '/healthy' }); }, 20);
  svc.svc_add_action('menu.user', (menu) => { menu.push({ title: 'Healthy entry', url: '/healthy' }); }, 20);
  svc.svc_register_widget('admin', 'main', () => '<p>healthy widget</p>');
  svc.svc_register_ajax('user', 'p_healthy', () => ({ well: true }));
`);

let panel: TestPanel;
let userCookie: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  panel.get(RuntimeLimits).drain = 20;
  Object.assign(panel.get(CallDeadlines), {
    page: LIMIT,
    operation: LIMIT,
    route: LIMIT,
    payment: LIMIT,
    action: LIMIT,
    breakerMisses: 1_000,
  });
  userCookie = await panel.signInUser('hanging1');
  writePlugin(panel.dataDir, 'healthy', HEALTHY);
  await panel.enable('healthy');
});
afterAll(() => panel.close());
afterEach(async () => {
  letGo();
  await panel.disable('hostile');
});

async function enableHostile(how: Misbehaviour, ...at: CallbackKind[]): Promise<void> {
  writePlugin(panel.dataDir, 'hostile', hostilePlugin(how, ...at));
  await panel.enable('hostile');
}

async function operation(gn: string): Promise<Response> {
  return panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn }), headers: { 'Accept-Language': 'en' } });
}

/** A call location as shown in the list. */
const inChinese = (place: string): string =>
  place
    .replace(/^listener of (.+)$/, '$1 的监听函数')
    .replace(/^auth of (.+)$/, '$1 的权限检查')
    .replace(/^home page$/, '首页')
    .replace(/^operation /, '操作 ')
    .replace(/^page /, '页面 ')
    .replace(/^override /, '替换视图 ')
    .replace(/^widget /, '小部件 ')
    .replace(/^(\w+) of the gateway$/, '支付网关的 $1')
    .replace(/^route /, '路由 ');

async function expectNamed(place: string): Promise<void> {
  const row = await panel.row('hostile');
  expect(row).toMatchObject({ status: 'active', error: `${inChinese(place)}: 0.15 秒内没有响应` });
  expect(
    panel
      .get(PluginCalls)
      .statistics('hostile')
      .find((one) => one.place === place),
  ).toMatchObject({ errors: 0, timeouts: expect.any(Number) as number });
}

describe('P2 page rendering continues without a callback that hangs', () => {
  it.each([
    ['adminPage', '/admin/plugins', 'listener of init.admin'],
    ['adminMenu', '/admin/plugins', 'listener of menu.admin'],
    ['adminMenu', '/admin/settings', 'listener of menu.admin'],
    ['adminWidgets', '/admin/', 'listener of dashboard.admin.widgets'],
    ['settingsTabs', '/admin/settings', 'listener of settings.admin.tabs'],
    ['widget', '/admin/', 'widget admin/main'],
    ['pageOverride', '/admin/orders', 'override admin/orders'],
    ['partialOverride', '/admin/orders', 'override admin/list_search'],
  ] as const)('%s: %s', async (at, path, place) => {
    await enableHostile('hang', at);
    const response = await panel.adminFetch(path);
    const html = await response.text();
    expect([response.status, html.includes('Healthy entry'), html.includes('</html>')]).toEqual([200, true, true]);
    if (path === '/admin/') expect(html).toContain('healthy widget');
    await expectNamed(place);
  });

  it.each([
    ['userPage', 'listener of init.user'],
    ['userMenu', 'listener of menu.user'],
    ['userWidgets', 'listener of dashboard.user.widgets'],
  ] as const)('%s: /user/', async (at, place) => {
    await enableHostile('hang', at);
    const response = await panel.fetch('/user/', { headers: { Cookie: userCookie } });
    expect([response.status, (await response.text()).includes('Healthy entry')]).toEqual([200, true]);
    await expectNamed(place);
  });

  it.each([
    ['home', 'home page'],
    ['homeBlocks', 'listener of home.blocks'],
  ] as const)('%s: the panel shows its own', async (at, place) => {
    await enableHostile('hang', at);
    expect((await panel.fetch('/')).status).toBe(200);
    await expectNamed(place);
  });

  it('orderProducts: a coupon is still created', async () => {
    await enableHostile('hang', 'orderProducts');
    const response = await panel.adminFetch('/admin/coupon');
    expect([response.status, (await response.text()).includes('coupon-code')]).toEqual([200, true]);
    await expectNamed('listener of order.products');
  });

  it('page: 504 inside the panel, with an explanation', async () => {
    await enableHostile('hang', 'page');
    const response = await panel.adminFetch('/admin/plugin.php?p=hostile&page=index', { headers: { 'Accept-Language': 'en' } });
    const html = await response.text();
    expect(response.status).toBe(504);
    expect(html).toContain('The plugin hostile did not respond within');
    await expectNamed('page index');
  });

  it('changes a listener makes to the list after its deadline have no effect, and do not affect other entries', async () => {
    await enableHostile('answersLate', 'adminMenu');
    const menu = [{ title: 'Ours', url: '/ours' }];
    const list = (await panel.get(HookRegistry).applyByReference('menu.admin', menu)) as { title: string }[];
    expect(list.map(({ title }) => title)).toEqual(['Ours', 'Healthy entry']);
    expect(letGo()).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(list.map(({ title }) => title)).toEqual(['Ours', 'Healthy entry']);
  });
});

describe('P2 operations, routes and gateways respond in time', () => {
  it.each([
    ['operation', 'p_hostile', 'operation p_hostile'],
    ['operationAuth', 'p_hostile_auth', 'auth of operation p_hostile_auth'],
  ] as const)('%s: the response envelope names the plugin', async (at, gn, place) => {
    await enableHostile('hang', at);
    const response = await operation(gn);
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({
      success: false,
      qk: 4,
      err: 'E_BUSY',
      data: null,
      code: expect.stringMatching(/^The plugin hostile did not respond within/) as string,
    });
    await expectNamed(place);
  });

  it.each([
    ['route', '/hostile', 'route GET /hostile'],
    ['routeAuth', '/hostile/auth', 'auth of route GET /hostile/auth'],
  ] as const)('%s: a page with 504', async (at, path, place) => {
    await enableHostile('hang', at);
    const response = await panel.fetch(path, { headers: { 'Accept-Language': 'en' } });
    expect(response.status).toBe(504);
    expect(await response.text()).toContain('The plugin hostile did not respond within');
    await expectNamed(place);
  });

  it('a late response of a route is dropped: the next request is not affected', async () => {
    await enableHostile('answersLate', 'route');
    expect((await panel.fetch('/hostile')).status).toBe(504);
    const second = panel.fetch('/hostile');
    await expect.poll(() => (globalThis as { svcLate?: unknown[] }).svcLate?.length).toBe(2);
    letGo();
    const response = await second;
    expect([response.status, await response.text()]).toEqual([200, 'late answer']);
  });

  it('build: the buyer chooses again; notify and return: 504', async () => {
    await enableHostile('hang', 'paymentBuild');
    await panel.get(PaymentMethods).save([{ plugin: 'hostile', method: 'a', display_name: 'A', enabled: true, icon: '', sort: 1 }]);
    const order = await panel.get(Orders).create({ user: 'buyer', scene: 'test', name: 'Thing', amount: 100 });
    const paid = await panel.fetch(payPagePath(order), { method: 'POST', body: new URLSearchParams({ type: 'hostile__a' }) });
    expect(paid.status).toBe(422);
    await expectNamed('build of the gateway');
    for (const [at, path, place] of [
      ['paymentNotify', 'notify', 'notify of the gateway'],
      ['paymentReturn', 'return', 'return of the gateway'],
    ] as const) {
      await panel.disable('hostile');
      await enableHostile('hang', at);
      expect((await panel.fetch(`/pay/hostile/${path}`)).status).toBe(504);
      expect(
        panel
          .get(PluginCalls)
          .statistics('hostile')
          .find((one) => one.place === place),
      ).toMatchObject({ timeouts: 1 });
    }
  });
});

describe('P2 the panel keeps serving, whatever a callback returns', () => {
  const everywhere = (Object.keys(CALLBACKS) as CallbackKind[]).filter(
    (kind) =>
      !['orderPaid', 'orderClosed', 'hostCreated', 'cron', 'boot', 'dispatchFilter', 'paymentBuild', 'paymentReturn'].includes(kind),
  );
  const ways = (Object.keys(MISBEHAVIOURS) as Misbehaviour[]).filter((how) => how !== 'busy');

  it.each(ways)('%s, everywhere at once', async (how) => {
    await enableHostile(how, ...everywhere);
    const began = Date.now();
    const answers = await Promise.all([
      ...['/admin/', '/admin/plugins', '/admin/settings', '/admin/orders', '/admin/plugin.php?p=hostile&page=index'].map((path) =>
        panel.adminFetch(path),
      ),
      panel.fetch('/user/', { headers: { Cookie: userCookie } }),
      ...['/', '/hostile', '/hostile/auth', '/pay/hostile/notify'].map((path) => panel.fetch(path)),
      operation('p_hostile'),
      operation('p_hostile_auth'),
      operation('p_healthy'),
    ]);
    for (const answer of answers) await answer.arrayBuffer();
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(answers.slice(0, 4).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.at(-1)!.status).toBe(200);
    expect((await panel.fetch('/readyz')).status).toBe(200);
    expect((await panel.row('hostile'))?.status).toBe('active');
  });
});
