import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from './support/start-panel.js';
import { EventDispatcher } from '../src/hooks/index.js';
import { CronScheduler } from '../src/jobs/index.js';
import { Settlement, Orders } from '../src/payment/index.js';
import { HostingService } from '../src/hosting/index.js';

import { createMigratedPlace, type TestPlace } from './support/database.js';

const SLUG = 'recorder';
const HOOKS = [
  'boot',
  'host.created',
  'host.paused',
  'host.unpaused',
  'host.renewed',
  'host.deleted',
  'order.paid',
  'cron',
  'menu.admin',
  'menu.user',
  'dashboard.admin.widgets',
  'dashboard.user.widgets',
  'settings.admin.tabs',
];

/** Records every hook it receives, with its arguments as JSON and the result of `svc.event()`. */
const RECORDER = `
module.exports = (svc) => {
  globalThis.__recordedHooks ??= [];
  for (const hook of ${JSON.stringify(HOOKS)}) {
    svc.svc_add_action(hook, (...args) => {
      globalThis.__recordedHooks.push({ hook, args: structuredClone(args), event: svc.event() });
    });
  }
  svc.svc_register_payment('${SLUG}', { name: 'Recorder', methods: { test: 'Test' }, build: () => 'https://gateway.example/' });
};
`;

interface Recorded {
  hook: string;
  args: unknown[];
  event: { id: number; hook: string; source: string; row: Record<string, unknown>; idempotencyKey: string } | null;
}

const recorded = (): Recorded[] => (globalThis as unknown as { __recordedHooks: Recorded[] }).__recordedHooks;

describe('the hooks of the contract', () => {
  let place: TestPlace;
  let panel: Panel;
  let cookies = '';

  const start = async (): Promise<void> => {
    panel = await startPanel(place.config);
  };
  const idle = (): Promise<void> => panel.app.get(EventDispatcher).idle();
  const of = (hook: string): Recorded[] => recorded().filter((entry) => entry.hook === hook);

  async function call(side: 'admin' | 'user', fields: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(`${panel.url}/${side}/ajax.php`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie: cookies },
    });
    const cookie = response.headers.get('set-cookie');
    if (cookie) cookies = [cookies, cookie.split(';')[0]].filter(Boolean).join('; ');
    return (await response.json()) as Record<string, unknown>;
  }

  beforeAll(async () => {
    place = await createMigratedPlace({ CAPTCHA: 'off' });
    const folder = join(place.dataDir, 'plugins', SLUG);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: SLUG, name: 'Recorder', version: '1.0.0' }));
    writeFileSync(join(folder, 'index.js'), RECORDER);
    await start();
    await call('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    await call('admin', { gn: 'plugin_install', slug: SLUG });
    expect(await call('admin', { gn: 'plugin_enable', slug: SLUG, enabled: 'true' })).toMatchObject({ qk: 1 });
  });
  afterAll(async () => {
    await panel.close();
    await place.dispose();
  });

  it('boot fires without arguments once the plugins of a start are active', async () => {
    await panel.close();
    recorded().length = 0;
    await start();
    expect(of('boot')).toMatchObject([{ args: [] }]);
  });

  it('host.* fire once per change, with the account, its id and the related data', async () => {
    const hosting = panel.app.get(HostingService);
    const host = await hosting.provision({ node: 'local', user: 'hookuser', password: 'secret-1', expiresOn: null }, 'admin');
    await hosting.pause(host.id, 'admin', 'admin');
    await hosting.pause(host.id, 'admin', 'admin');
    await hosting.unpause(host.id, 'admin', 'admin');
    await hosting.renew(host.id, '2031-02-28', 'admin');
    await hosting.renew(host.id, null, 'admin');
    await hosting.terminate(host.id, 'admin');
    await idle();
    expect(of('host.created').map((entry) => entry.args)).toEqual([['hookuser', host.id, 'local']]);
    expect(of('host.paused').map((entry) => entry.args)).toEqual([['hookuser', host.id]]);
    expect(of('host.unpaused').map((entry) => entry.args)).toEqual([['hookuser', host.id]]);
    expect(of('host.renewed').map((entry) => entry.args)).toEqual([
      ['hookuser', host.id, '2031-02-28'],
      ['hookuser', host.id, '0000-00-00'],
    ]);
    expect(of('host.deleted').map((entry) => entry.args)).toEqual([['hookuser', host.id]]);
    const { event } = of('host.created')[0]!;
    expect(event).toMatchObject({ hook: 'host.created', source: 'admin' });
    expect(JSON.stringify(event)).not.toMatch(/\$2[aby]\$|secret-1/);
  });

  it('order.paid fires once per order, with the order', async () => {
    const order = await panel.app
      .get(Orders)
      .create({ user: 'buyer', scene: 'test_scene', name: 'Thing', amount: 1_250, type: `${SLUG}__test`, context: { plan: 3 } });
    const settle = () => panel.app.get(Settlement).settle(order.number, SLUG, { trade_no: 'T1', money: '12.50' });
    const results = await Promise.all([settle(), settle(), settle()]);
    expect(results.filter((result) => result.ok && !result.already)).toHaveLength(1);
    await idle();
    const paid = of('order.paid');
    expect(paid).toHaveLength(1);
    expect(paid[0]!.args).toEqual([
      {
        id: order.id,
        out_trade_no: order.number,
        ddh: order.number,
        name: 'Thing',
        money: '12.50',
        amount: 1_250,
        type: `${SLUG}__test`,
        scene: 'test_scene',
        user: 'buyer',
        siteurl: panel.url,
        notify_url: `${panel.url}/pay/${SLUG}/notify`,
        return_url: `${panel.url}/pay/${SLUG}/return`,
        context: { plan: 3 },
      },
    ]);
    expect(paid[0]!.event?.idempotencyKey).toMatch(/^.{16,128}$/);
    expect(JSON.stringify(paid[0]!.event)).not.toContain(order.accessKey);
  });

  it('cron fires once per tick, without arguments', async () => {
    const minute = new Date('2031-01-01T00:00:00Z');
    const scheduler = panel.app.get(CronScheduler);
    await Promise.all([scheduler.tick(minute), scheduler.tick(minute)]);
    expect(of('cron').map((entry) => entry.args)).toEqual([[]]);
  });

  it('the by-reference hooks get the list when their page is built', async () => {
    const hosting = panel.app.get(HostingService);
    await hosting.provision({ node: 'local', user: 'pageuser', password: 'secret-2', expiresOn: null }, 'admin');
    cookies = '';
    await call('admin', { gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
    await call('user', { gn: 'login', user: 'pageuser', pass: 'secret-2' });
    for (const path of ['/admin/', '/admin/settings', '/user/']) {
      const response = await fetch(panel.url + path, { headers: { cookie: cookies }, redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 200]);
    }
    for (const hook of ['menu.admin', 'menu.user', 'dashboard.admin.widgets', 'dashboard.user.widgets', 'settings.admin.tabs']) {
      const entries = of(hook);
      expect([hook, entries.length > 0]).toEqual([hook, true]);
      for (const entry of entries) expect([hook, entry.args.length, Array.isArray(entry.args[0])]).toEqual([hook, 1, true]);
    }
  });
});
