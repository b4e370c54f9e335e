import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { startPanel, type Panel } from '../src/app/bootstrap.js';
import { Administrator } from '../src/auth/index.js';
import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { AppConfig } from '../src/config/index.js';
import { createDatabase, type Database } from '../src/database/index.js';
import { SiteConfig } from '../src/site/entities/index.js';
import { DurableEvent, EventDelivery } from '../src/hooks/index.js';
import { HostingNode } from '../src/hosting/index.js';
import { PaymentTransaction } from '../src/payment/index.js';

import { createStartedPlace, createTestPlace, type TestPlace } from './support/database.js';
import { MIDWAY_KILLER } from './support/killers.js';
import { writePlugin } from './support/plugins.js';
import { ServerProcess } from './support/server-process.js';
import { STARTER_PLAN } from './support/shop.js';

const ADMIN = { gn: 'login', user: 'admin', pass: 'svc-panel-admin' };
const BUYER = { username: 'crash-proof', password: 'a-password-of-my-own' };

/**
 * Kills its own panel, hard and from outside (a plugin may not use `process.kill`), when it first receives a paid order, before the shop's
 * listener has run.
 */
const KILLER = `
const { existsSync, writeFileSync } = require('node:fs');
module.exports = (svc) => {
  const marker = require('node:path').join(svc.path, 'killed');
  svc.svc_add_action('order.paid', async () => {
    if (existsSync(marker)) return;
    writeFileSync(marker, '');
    require('node:child_process').execFileSync('sh', ['-c', 'kill -9 ' + process.pid]);
    await new Promise(() => {});
  }, 1, { id: 'kill' });
};
`;

/** A route that has started when the file `begun` exists, and responds once the file `go` exists. */
const SLOW = `
const { existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
module.exports = (svc) => {
  svc.svc_register_route('GET', '/slow', async () => {
    writeFileSync(join(svc.path, 'begun'), '');
    while (!existsSync(join(svc.path, 'go'))) await new Promise((resolve) => setTimeout(resolve, 10));
    return { answered: true };
  });
};
`;

type Placed = Awaited<ReturnType<typeof order>>;

let place: TestPlace;
const running: ServerProcess[] = [];
const successors: Panel[] = [];

async function dispose(): Promise<void> {
  await Promise.all([...running.splice(0).map((panel) => panel.stop('SIGKILL')), ...successors.splice(0).map((panel) => panel.close())]);
  await place.dispose();
}

async function start(env: NodeJS.ProcessEnv = {}, ports?: [number, number]): Promise<ServerProcess> {
  const panel = await ServerProcess.start(place, env, ports);
  running.push(panel);
  return panel;
}

/** Starts the panel that takes over from a killed one, at its ports. It is not killed, so it runs in this process. */
async function succeed({ port, sitesPort }: ServerProcess): Promise<Panel> {
  const panel = await startPanel(
    new AppConfig({
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      PORT: String(port),
      SITES_PORT: String(sitesPort),
      CAPTCHA: 'off',
      SHUTDOWN_DRAIN_SECONDS: '0',
    }),
  );
  successors.push(panel);
  return panel;
}

/** Signs in, enables the plugins, puts a plan on sale and orders it; the order awaits payment. */
async function order(
  panel: ServerProcess,
  plugins: string[],
): Promise<{ cashier: string; form: Record<string, string>; statusUrl: string; visitor: DemoVisitor }> {
  const admin = new DemoVisitor(panel.url);
  await admin.operate('admin', ADMIN);
  for (const slug of plugins) {
    await admin.operate('admin', { gn: 'plugin_install', slug });
    await admin.operate('admin', { gn: 'plugin_enable', slug, enabled: 'true' });
  }
  await admin.operate('admin', { gn: 'p_hosting_shop_plan_save', ...STARTER_PLAN });
  const visitor = new DemoVisitor(panel.url);
  const created = await visitor.json('POST', '/shop/api/create_order', { plan_id: '1', period: 'month', ...BUYER });
  const cashier = await visitor.redirect('POST', String(created.pay_url), { type: 'sandbox__test' });
  return { cashier, form: await visitor.form(cashier), statusUrl: String(created.status_url), visitor };
}

async function hostsOf(panel: { url: string }): Promise<{ user: string; qk: string }[]> {
  const admin = new DemoVisitor(panel.url);
  await admin.operate('admin', ADMIN);
  return (await admin.operate('admin', { gn: 'listzj' })).rows as { user: string; qk: string }[];
}

async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase(ormOptions(place.config));
  await database.dataSource.initialize();
  try {
    return await work(database);
  } finally {
    await database.dataSource.destroy();
  }
}

/** The order was settled once, and every listener of its event has finished. */
async function expectSettledOnce(): Promise<void> {
  await inDatabase(async (database) => {
    expect(await database.repository(PaymentTransaction).count()).toBe(1);
    const [event, ...others] = await database.repository(DurableEvent).findBy({ hook: 'order.paid' });
    expect(others).toEqual([]);
    const states = async (): Promise<string[]> =>
      (await database.repository(EventDelivery).findBy({ eventId: event!.id })).map(({ state }) => state);
    // The shop may have opened the site on its own: the dead process's delivery is completed once its lease expires.
    await expect.poll(async () => new Set(await states()), { timeout: 60_000 }).toEqual(new Set(['done']));
    expect(await database.repository(DurableEvent).countBy({ hook: 'host.created' })).toBe(1);
  });
}

async function expectOneSite(panel: Pick<Panel, 'url' | 'sitesPort'>, statusUrl: string): Promise<void> {
  const visitor = new DemoVisitor(panel.url);
  await visitor.waitFor(
    statusUrl,
    (page) => page.includes(`${BUYER.username}.localhost`),
    'the site to be opened after the restart',
    60_000,
  );
  expect(await hostsOf(panel)).toMatchObject([{ user: BUYER.username, qk: 'true' }]);
  expect((await visitor.site(panel.sitesPort, `${BUYER.username}.localhost`)).status).toBe(200);
  expect(readdirSync(join(place.dataDir, 'sites')).filter((name) => !name.startsWith('.'))).toHaveLength(1);
  await expectSettledOnce();
}

describe('the main job, in separate processes', () => {
  beforeEach(async () => void (place = await createStartedPlace()));
  afterEach(dispose);

  it('survives kill -9 between the notification and the provisioning', { timeout: 150_000 }, async () => {
    writePlugin(place.dataDir, 'killer', KILLER);
    const first = await (await start()).ready();
    const { form, statusUrl, visitor } = await order(first, ['killer', 'sandbox', 'hosting_shop']);
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' }).catch(() => undefined);
    expect(await first.ended).toBe('SIGKILL');
    const second = await succeed(first);
    await expectOneSite(second, statusUrl);
  });

  it('survives kill -9 while the account is being opened', { timeout: 150_000 }, async () => {
    writePlugin(place.dataDir, 'midway', MIDWAY_KILLER);
    const first = await (await start()).ready();
    const { form, statusUrl, visitor } = await order(first, ['midway', 'sandbox', 'hosting_shop']);
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' }).catch(() => undefined);
    const end = await Promise.race([first.ended, new Promise((resolve) => setTimeout(() => resolve('still running'), 10_000))]);
    expect(end).toBe('SIGKILL');
    const second = await succeed(first);
    await expectOneSite(second, statusUrl);
  });

  it('lets two processes start at once on an empty database', { timeout: 60_000 }, async () => {
    await place.dispose();
    place = await createTestPlace();
    const panels = await Promise.all([start(), start()]);
    await Promise.all(panels.map((panel) => panel.ready()));
    const announced = panels.filter((panel) => panel.output.includes('svc-panel-admin'));
    expect(announced).toHaveLength(1);
    for (const panel of panels) expect(await hostsOf(panel)).toEqual([]);
    const counts = await inDatabase((database) =>
      Promise.all([Administrator, SiteConfig, HostingNode].map((entity) => database.repository<object>(entity).count())),
    );
    expect(counts).toEqual([1, 1, 1]);
  });

  it('rejects weak settings in production', { timeout: 60_000 }, async () => {
    const panel = await start({ NODE_ENV: 'production' });
    expect(await panel.ended).toBe(1);
    expect(panel.output).toContain('CAPTCHA must be svg');
  });
});

/** One process, from an unpaid order to its end. */
describe('the main job, in one process', () => {
  let panel: ServerProcess;
  let placed: Placed;
  beforeAll(async () => {
    place = await createStartedPlace();
    panel = await (await start()).ready();
    placed = await order(panel, ['sandbox', 'hosting_shop']);
  });
  afterAll(dispose);

  it('does not accept a forged notification as a payment', { timeout: 60_000 }, async () => {
    const forged = await fetch(`${panel.url}/pay/sandbox/notify`, {
      method: 'POST',
      body: new URLSearchParams({ ...placed.form, trade_no: 'X', sign: '0'.repeat(64) }),
    });
    expect([forged.status, await forged.text(), forged.headers.get('content-type')]).toEqual([200, 'fail', 'text/plain; charset=utf-8']);
    expect(await hostsOf(panel)).toEqual([]);
  });

  it('settles once and opens one site for twenty notifications at once', { timeout: 60_000 }, async () => {
    const { form, statusUrl, visitor } = placed;
    await Promise.all(Array.from({ length: 20 }, () => visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' })));
    await expectOneSite(panel, statusUrl);
  });

  it('says which port is in use and what to do about it', { timeout: 60_000 }, async () => {
    for (const [name, ports] of [
      ['PORT', [panel.port, 0]],
      ['SITES_PORT', [0, panel.sitesPort]],
    ] as const) {
      const taken = await start({}, [...ports]);
      expect(await taken.ended).toBe(1);
      expect(taken.output).toContain(
        `${name}: port ${name === 'PORT' ? panel.port : panel.sitesPort} of 127.0.0.1 is in use by another program.`,
      );
      expect(taken.output).not.toContain('    at ');
    }
  });

  it('completes the current request on SIGTERM, accepts no new one, and exits with 0', { timeout: 60_000 }, async () => {
    writePlugin(place.dataDir, 'slow', SLOW);
    const admin = new DemoVisitor(panel.url);
    await admin.operate('admin', ADMIN);
    await admin.operate('admin', { gn: 'plugin_install', slug: 'slow' });
    await admin.operate('admin', { gn: 'plugin_enable', slug: 'slow', enabled: 'true' });
    const files = join(place.dataDir, 'plugins', 'slow');
    const answer = fetch(`${panel.url}/slow`).then((response) => response.json());
    await expect.poll(() => existsSync(join(files, 'begun'))).toBe(true);
    const ended = panel.stop('SIGTERM');
    // The health check fails for a moment before connections are refused, so that load balancers notice.
    await expect
      .poll(
        () =>
          fetch(`${panel.url}/healthz`).then(
            () => 'answered',
            () => 'refused',
          ),
        { timeout: 10_000 },
      )
      .toBe('refused');
    writeFileSync(join(files, 'go'), '');
    expect(await answer).toEqual({ answered: true });
    expect(await ended).toBe(0);
  });
});
