import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines, PluginCalls } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { EventDelivery, EventDispatcher, HookRegistry } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { CronScheduler } from '../../src/jobs/index.js';
import { OrderClosing, Orders, Settlement } from '../../src/payment/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { hostilePlugin, letGo, type CallbackKind, type Misbehaviour } from '../support/hostile-plugins.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const LIMIT = 150;
/** Receives what the hostile plugins before it let through. */
const WITNESS = functionPlugin(`
  globalThis.svcWitness = [];
  for (const hook of ['order.paid', 'order.closed', 'host.created', 'cron', 'boot']) {
    svc.svc_add_action(hook, () => { globalThis.svcWitness.push(hook); }, 20, { id: 'witness' });
  }
  svc.svc_register_payment(svc.slug, { name: 'Witness', methods: { a: 'A' }, build: () => 'https://gateway.example/' });
`);

let panel: TestPanel;
const witnessed = (): string[] => (globalThis as unknown as { svcWitness: string[] }).svcWitness;

beforeAll(async () => {
  panel = await TestPanel.start();
  panel.get(RuntimeLimits).drain = 20;
  Object.assign(panel.get(CallDeadlines), { durable: LIMIT, cron: LIMIT, action: LIMIT });
  writePlugin(panel.dataDir, 'witness', WITNESS);
  await panel.enable('witness');
});
afterAll(() => panel.close());
afterEach(async () => {
  letGo();
  await panel.disable('hostile');
  await panel.get(EventDispatcher).idle();
  witnessed().length = 0;
});

async function enableHostile(how: Misbehaviour, ...at: CallbackKind[]): Promise<void> {
  writePlugin(panel.dataDir, 'hostile', hostilePlugin(how, ...at));
  await panel.enable('hostile');
}

async function payAnOrder(): Promise<void> {
  const order = await panel.get(Orders).create({ user: 'buyer', scene: 'test', name: 'Thing', amount: 100, type: 'witness__a' });
  await panel.get(Settlement).settle(order.number, 'witness', { trade_no: `T${order.number}`, money: '1.00' });
}

async function closeAnOrder(): Promise<void> {
  const order = await panel.get(Orders).create({ user: 'buyer', scene: 'test', name: 'Thing', amount: 100 });
  await panel.get(OrderClosing).close(order.id, { source: 'admin' });
}

let hosts = 0;
async function openAHost(): Promise<void> {
  await panel.get(HostingService).provision({ node: 'local', user: `hanging${++hosts}`, password: 'secret-1', expiresOn: null }, 'admin');
}

/** The last delivery to the hostile plugin. */
async function hostileDelivery(): Promise<EventDelivery | null> {
  return panel
    .get(Database)
    .repository(EventDelivery)
    .createQueryBuilder('d')
    .where("d.listenerKey LIKE 'hostile:%'")
    .orderBy('d.id', 'DESC')
    .getOne();
}

describe('P1 a listener that hangs blocks nobody but itself', () => {
  it.each([
    ['order.paid', 'hang', 'orderPaid', payAnOrder],
    ['order.closed', 'hang', 'orderClosed', closeAnOrder],
    ['host.created', 'thenableThatHangs', 'hostCreated', openAHost],
    ['host.created', 'thenableOfHanging', 'hostCreated', openAHost],
  ] as const)('in %s (%s): the next listener gets the event, the attempt failed, the plugin is named', async (hook, how, at, happen) => {
    await enableHostile(how, at);
    await happen();
    await expect.poll(witnessed, { timeout: 5_000 }).toEqual([hook]);
    await expect
      .poll(hostileDelivery)
      .toMatchObject({ state: 'pending', attempts: 1, lastError: 'no response within 0.15 s', claimedBy: null });
    const row = await panel.row('hostile');
    expect(row?.status).toBe('active');
    expect(row?.error).toBe(`${hook} 的监听函数: 0.15 秒内没有响应`);
  });

  it('in order.paid: disabling it releases everything immediately', async () => {
    await enableHostile('hang', 'orderPaid');
    await payAnOrder();
    expect(await panel.disable('hostile')).toMatchObject({ success: true });
    await expect.poll(witnessed, { timeout: 5_000 }).toEqual(['order.paid']);
  });

  it('a result after the deadline is ignored, and is not treated as an error of the process', async () => {
    await enableHostile('rejectsLate', 'hostCreated');
    await openAHost();
    await expect.poll(hostileDelivery, { timeout: 5_000 }).toMatchObject({ state: 'pending', attempts: 1 });
    const before = await hostileDelivery();
    expect(letGo()).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await hostileDelivery()).toEqual(before);
    expect(
      panel
        .get(PluginCalls)
        .statistics('hostile')
        .find(({ place }) => place === 'listener of host.created'),
    ).toMatchObject({ calls: 1, errors: 0, timeouts: 1 });
  });

  it.each(['hang', 'thenableThatThrows', 'throwsNothing'] as const)(
    'in cron (%s): the tick ends and the next listener runs',
    async (how) => {
      await enableHostile(how, 'cron');
      const minute = new Date(Date.UTC(2031, 0, 1, 0, hosts++));
      expect(await panel.get(CronScheduler).tick(minute)).toBe(true);
      expect(witnessed()).toEqual(['cron']);
      expect((await panel.row('hostile'))?.error).toMatch(/^cron 的监听函数: /);
    },
  );

  it('in boot: the start continues', async () => {
    await enableHostile('hang', 'boot');
    await panel.get(HookRegistry).doAction('boot');
    expect(witnessed()).toEqual(['boot']);
  });

  it('a listener may request more time, within limits, when nobody waits for it', async () => {
    const asks = (hook: string, seconds: unknown): string =>
      functionPlugin(`svc.svc_add_action('${hook}', () => {}, 10, { id: 'x', deadlineSeconds: ${String(seconds)} });`);
    for (const [hook, seconds] of [
      ['menu.admin', 120],
      ['order.paid', 5],
      ['order.paid', 4_000],
      ['cron', "'90'"],
    ] as const) {
      writePlugin(panel.dataDir, 'hostile', asks(hook, seconds));
      await panel.admin('plugin_install', { slug: 'hostile' });
      expect((await panel.tryEnable('hostile')).code).toContain('deadlineSeconds');
    }
    writePlugin(
      panel.dataDir,
      'hostile',
      functionPlugin(
        "svc.svc_add_action('host.created', () => new Promise((done) => setTimeout(done, 400)), 10, { id: 'x', deadlineSeconds: 120 });",
      ),
    );
    await panel.enable('hostile');
    await openAHost();
    await expect.poll(async () => (await hostileDelivery())?.state, { timeout: 5_000 }).toBe('done');
  });
});
