/** Change of package: its price, ordered once, delivered once, scheduled for the renewal, and refusals. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { Database } from '../src/database/index.js';
import { EventDelivery, HookRegistry } from '../src/hooks/index.js';
import { dayAfter, HostingAccount, HostingService } from '../src/hosting/index.js';
import { type Order, Orders, Settlement } from '../src/payment/index.js';
import { HostPayment, PackageDelivery } from '../src/packages/index.js';
import type { HostRecord, PackageOffer, RenewalOffer } from '../src/sdk/index.js';

import { TestPanel } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';
import { STARTER_PLAN } from './support/shop.js';

const PASSWORD = 'secret-pass-1';
const MB = 1024 ** 2;

const plan = (name: string, month: number, webMb: number, domains = 5): PackageOffer => ({
  package: `test:${name}`,
  name,
  prices: [
    { months: 1, amount: month },
    { months: 12, amount: month * 10 },
  ],
  limits: { webMb, databaseMb: 0, trafficGb: 0, domains },
});
const [SMALL, MIDDLE, LARGE] = [plan('small', 3_100, 100), plan('middle', 6_200, 200), plan('large', 9_300, 300)];

describe('a change of package', { timeout: 60_000 }, () => {
  let panel: TestPanel;
  let hosting: HostingService;
  const offers = vi.fn<(host: HostRecord) => unknown>();
  const undo: (() => void)[] = [];
  const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());

  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'off', TIMEZONE: 'Asia/Shanghai' });
    await panel.enable('sandbox');
    hosting = panel.get(HostingService);
    const hooks = panel.get(HookRegistry);
    undo.push(
      hooks.addFilter('host.package.offers', (_offers: PackageOffer[], host: HostRecord) => offers(host) as PackageOffer[], {
        owner: 'core',
      }),
      hooks.addFilter(
        'host.renewal.offers',
        (_offers: RenewalOffer[], host: HostRecord) => {
          const of = [SMALL, MIDDLE, LARGE].find((one) => one.package === host.package);
          return of ? of.prices.map(({ months, amount }) => ({ months, amount, name: of.name, package: of.package })) : [];
        },
        { owner: 'core' },
      ),
    );
  });
  afterAll(() => panel.close());
  beforeEach(() => void offers.mockReset().mockReturnValue([SMALL, MIDDLE, LARGE]));

  /** A host with this many days left, and a paid month of the package. */
  const open = async (user: string, days: number | null, key: string | null = SMALL.package): Promise<number> => {
    const expiresOn = days === null ? null : dayAfter(today(), days);
    const { id } = await hosting.provision(
      { node: 'local', user, password: PASSWORD, expiresOn, webMb: 100, domains: 5, ...(key === null ? {} : { package: key }) },
      'admin',
    );
    return id;
  };
  const assigned = async (user: string, days: number, key = SMALL.package, rmb = ''): Promise<number> => {
    const id = await open(user, days, null);
    const done = await panel.admin('zjfptc', { id: String(id), spid: key, rmb });
    expect(JSON.stringify(done)).toContain(`"success":true`);
    return id;
  };
  const signedIn = async (user: string): Promise<PanelClient> => {
    const client = new PanelClient(panel.url);
    await client.ajax('user', { gn: 'login', user, pass: PASSWORD });
    return client;
  };
  type Answer = Record<string, never> & { ddh?: string; rmb?: string };
  const change = async (client: PanelClient, to: PackageOffer | string, fields: Record<string, string> = {}): Promise<Answer> =>
    (await client.ajax('user', { gn: 'xdd', scene: 'bg', spid: typeof to === 'string' ? to : to.package, ...fields })).json as never;
  const pay = async (ddh: string): Promise<unknown> => {
    const order = (await panel.get(Orders).get(ddh))!;
    await panel.get(Orders).chooseType(order.id, 'sandbox__test');
    return panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: ddh, amount: order.amount });
  };
  const packageOf = async (id: number): Promise<string | null> => (await hosting.get(id))!.package;
  const period = (until: string): number => {
    const [year, month, day] = until.split('-').map(Number) as [number, number, number];
    const before = new Date(Date.UTC(year, month - 2, Math.min(day, new Date(Date.UTC(year, month - 1, 0)).getUTCDate())));
    return Math.round((Date.parse(until) - before.getTime()) / 86_400_000);
  };
  const rest = (month: number, days: number): number => Math.floor((month * days) / period(dayAfter(today(), days)));
  const yuan = (fen: number): string => (fen / 100).toFixed(2);
  const rows = async (client: PanelClient): Promise<Record<string, unknown>[]> =>
    (await client.ajax('user', { gn: 'bgjg' })).json.rows as unknown as Record<string, unknown>[];
  const deliveryOf = (order: Order) =>
    panel
      .get(Database)
      .repository(EventDelivery)
      .findOneBy({ subject: `order:${order.id}`, listenerKey: 'core:order.paid:package' });
  const refusedDelivery = async (ddh: string, words: RegExp): Promise<void> => {
    const order = (await panel.get(Orders).get(ddh))!;
    await expect.poll(async () => (await deliveryOf(order))?.lastError, { timeout: 20_000 }).toMatch(words);
    await panel
      .get(Database)
      .repository(EventDelivery)
      .update({ id: (await deliveryOf(order))!.id }, { state: 'discarded' });
  };

  it('upwards is made immediately for the price difference of the remaining days', async () => {
    const id = await assigned('upward01', 10);
    const client = await signedIn('upward01');
    const amount = rest(6_200, 10) - rest(3_100, 10);
    expect((await rows(client)).map(({ spid, when, rmb }) => [spid, when, rmb])).toEqual([
      ['test:middle', 'now', yuan(amount)],
      ['test:large', 'now', yuan(rest(9_300, 10) - rest(3_100, 10))],
    ]);
    expect(await change(client, MIDDLE, { rmb: '0.01' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    const made = await Promise.all([1, 2, 3].map(() => change(client, MIDDLE, { qqh: 'one', rmb: yuan(amount) })));
    expect(new Set(made.map(({ ddh }) => ddh)).size).toBe(1);
    expect(made[0]!.rmb).toBe(yuan(amount));
    await Promise.all([pay(made[0]!.ddh!), pay(made[0]!.ddh!)]);
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:middle');
    expect(await hosting.get(id)).toMatchObject({ webMb: 200, expiresOn: dayAfter(today(), 10) });
    const order = (await panel.get(Orders).get(made[0]!.ddh!))!;
    await Promise.all([1, 2, 3].map(() => panel.get(PackageDelivery).deliver(panel.get(Orders).toOrderRecord(order))));
    expect(await panel.get(Database).repository(HostPayment).countBy({ orderId: order.id })).toBe(1);
    // The paid amount now equals the package's price: the next change costs the difference again.
    expect((await rows(client)).find(({ spid }) => spid === 'test:large')).toMatchObject({ rmb: yuan(rest(9_300, 10) - rest(6_200, 10)) });
  });

  it('is based on the amount really paid: low prices, free hosts and refunds are no discount', async () => {
    await assigned('coupon01', 10, SMALL.package, '1');
    expect((await rows(await signedIn('coupon01')))[0]).toMatchObject({ rmb: yuan(rest(6_200, 10) - 100), credit: '1.00' });
    await open('nothing1', 10);
    expect((await rows(await signedIn('nothing1')))[0]).toMatchObject({ rmb: yuan(rest(6_200, 10)), credit: '0.00' });
    // More than the price of the days counts as their price.
    await assigned('toomuch1', 10, SMALL.package, '900');
    expect((await rows(await signedIn('toomuch1')))[0]).toMatchObject({ rmb: yuan(rest(6_200, 10) - rest(3_100, 10)) });
    // Upgraded and refunded: the next change costs it again.
    const id = await assigned('refund01', 10);
    const client = await signedIn('refund01');
    const { ddh } = await change(client, MIDDLE);
    await pay(ddh!);
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:middle');
    const order = (await panel.get(Orders).get(ddh!))!;
    const back = { id: String(order.id), rmb: yuan(order.amount), qd: 'hand', yy: 'kind' };
    expect(await panel.admin('ddtk', back)).toMatchObject({ success: true });
    expect((await rows(client)).find(({ spid }) => spid === 'test:large')).toMatchObject({ rmb: yuan(rest(9_300, 10) - rest(3_100, 10)) });
  });

  it('upwards accepts a coupon, which counts once, where it applies, and not as a payment', async () => {
    const coupon = async (yhm: string, fields: Record<string, string>): Promise<void> =>
      expect(await panel.admin('addyhq', { yhm, ...fields })).toMatchObject({ success: true });
    offers.mockReturnValue([SMALL, { ...MIDDLE, product: 'test:middle' }, { ...LARGE, product: 'test:large' }]);
    await coupon('ONCE', { lx: 'fixed', rmb: '2', sp: 'test:middle', zcs: '1' });
    const id = await assigned('saver001', 10);
    const client = await signedIn('saver001');
    const full = rest(6_200, 10) - rest(3_100, 10);
    const quoted = (await client.ajax('user', { gn: 'bgjg', yhq: 'once' })).json.rows as unknown as Record<string, unknown>[];
    expect(quoted).toMatchObject([
      { spid: 'test:middle', yj: yuan(full), yh: '2.00', rmb: yuan(full - 200), yhbz: '' },
      { spid: 'test:large', yh: '0.00', yhbz: expect.stringMatching(/./) as string },
    ]);
    const page = await client.send('/user/package?yhq=once', { headers: { 'Accept-Language': 'en' } });
    expect(page.text).toContain(`value="${yuan(full - 200)}"`);
    const none = await client.send('/user/package?yhq=nothing', { headers: { 'Accept-Language': 'en' } });
    expect(none.text).toContain('This coupon does not exist');
    for (const [to, yhq, more] of [
      [LARGE, 'once', {}],
      [MIDDLE, 'nothing', {}],
    ] as const)
      expect(await change(client, to, { yhq, ...more })).toMatchObject({ success: false, fields: { yhq: expect.any(String) as string } });
    expect(await change(client, MIDDLE, { yhq: 'once', rmb: yuan(full) })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    const asked = { yhq: ' ONCE ', rmb: yuan(full - 200), qqh: 'saver' };
    const made = await Promise.all([1, 2, 3].map(() => change(client, MIDDLE, asked)));
    expect(new Set(made.map(({ ddh }) => ddh)).size).toBe(1);
    expect(made[0]).toMatchObject({ rmb: yuan(full - 200) });
    expect(await change(client, MIDDLE, { ...asked, yhq: '' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    expect(await change(client, MIDDLE, { yhq: 'once' })).toMatchObject({ success: false, fields: { yhq: expect.any(String) as string } });
    await pay(made[0]!.ddh!);
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:middle');
    // The coupon's discount was not paid, so it does not reduce the next package.
    expect((await rows(client)).find(({ spid }) => spid === 'test:large')).toMatchObject({
      rmb: yuan(rest(9_300, 10) - rest(6_200, 10) + 200),
    });

    await coupon('WHOLE', { lx: 'percent', bl: '100' });
    expect(await change(client, LARGE, { yhq: 'whole', rmb: '0.00' })).toMatchObject({ success: true, rmb: '0.00' });
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:large');
    // A downgrade costs nothing now, so nothing can be deducted.
    expect(await change(client, SMALL, { yhq: 'whole' })).toMatchObject({ success: false, fields: { yhq: expect.any(String) as string } });
    expect(await panel.admin('bgqx', { id: String(id) })).toMatchObject({ success: false });
  });

  it('downwards waits for the renewal at the new price, can be cancelled, and is made once', async () => {
    const id = await assigned('downward', 10, LARGE.package);
    const client = await signedIn('downward');
    expect((await rows(client)).map(({ when, rmb }) => [when, rmb])).toEqual([
      ['renewal', ''],
      ['renewal', ''],
    ]);
    expect(await change(client, SMALL)).toMatchObject({ success: true, planned: true });
    expect(await change(client, SMALL)).toMatchObject({ success: true, planned: true });
    expect((await client.ajax('user', { gn: 'bgqx' })).json).toMatchObject({ success: true });
    expect((await client.ajax('user', { gn: 'bgqx' })).json).toMatchObject({ success: false, err: 'E_STATE' });
    expect(((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[])[0]!.rmb).toBe('93.00');
    await change(client, SMALL);
    expect((await client.send('/user/package', { headers: { 'accept-language': 'en' } })).text).toContain('changes to small');
    expect(((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[])[0]!.rmb).toBe('31.00');
    const made = [];
    for (const qqh of ['a', 'b'])
      made.push((await client.ajax('user', { gn: 'xdd', scene: 'xf', zq: '1', qqh })).json.ddh as unknown as string);
    expect(await hosting.get(id)).toMatchObject({ webMb: 300, package: 'test:large' });
    for (const ddh of made) await pay(ddh);
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:small');
    await expect.poll(async () => (await hosting.get(id))!.expiresOn! > dayAfter(today(), 60), { timeout: 20_000 }).toBe(true);
    expect(await hosting.get(id)).toMatchObject({ webMb: 100 });
  });

  it('below the current usage is refused with the numbers, when it is ordered and when it would be made', async () => {
    const id = await assigned('full0001', 10, LARGE.package);
    const client = await signedIn('full0001');
    const use = (mb: number) =>
      panel
        .get(Database)
        .repository(HostingAccount)
        .update({ id }, { webUsedBytes: mb * MB, usageDueAt: null });
    await use(150);
    expect((await rows(client)).find(({ spid }) => spid === 'test:small')).toMatchObject({
      too_much: expect.stringMatching(/150.*100/) as string,
    });
    const refused = await change(client, SMALL);
    expect(refused).toMatchObject({ success: false, err: 'E_INUSE' });
    expect(String((refused as Record<string, unknown>).msg)).toMatch(/150.*100/);
    await use(50);
    await change(client, SMALL);
    // Scheduled, and filled up meanwhile: it is renewed with the old package.
    await use(150);
    const priceOf = async () => ((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[])[0]!.rmb;
    expect(await priceOf()).toBe('93.00');
    await use(50);
    expect(await priceOf()).toBe('31.00');
    // The package fills up between order and payment: the host gets neither package for that price, until there is room.
    const { ddh } = (await client.ajax('user', { gn: 'xdd', scene: 'xf', zq: '1' })).json as unknown as { ddh: string };
    await use(150);
    await pay(ddh);
    const order = (await panel.get(Orders).get(ddh))!;
    const deliveries = panel.get(Database).repository(EventDelivery);
    const delivery = () => deliveries.findOneByOrFail({ subject: `order:${order.id}`, listenerKey: 'core:order.paid:renewal' });
    await expect.poll(async () => (await delivery()).lastError, { timeout: 20_000 }).toBeTruthy();
    expect(await hosting.get(id)).toMatchObject({ package: 'test:large', expiresOn: dayAfter(today(), 10) });
    const told = (await client.ajax('user', { gn: 'notice_list' })).json as unknown as { rows: { content: string }[] };
    expect(JSON.stringify(told)).toMatch(/150/);
    await use(50);
    await deliveries.update({ id: (await delivery()).id }, { dueAt: new Date('2020-01-01T00:00:00Z') });
    await expect.poll(() => packageOf(id), { timeout: 30_000 }).toBe('test:small');
  });

  it('is refused for hosts without package or end, stopped hosts, and packages that are not offered', async () => {
    const cases: [string, number | null, string | null, RegExp][] = [
      ['nopack01', 10, null, /E_STATE/],
      ['forever1', null, SMALL.package, /E_STATE/],
      ['paused01', 10, SMALL.package, /E_STATE/],
    ];
    for (const [user, days, key, err] of cases) {
      const id = await open(user, days, key);
      const client = await signedIn(user);
      if (user === 'paused01') {
        await hosting.pause(id, 'admin', 'admin');
        expect(await panel.admin('zjbgdd', { id: String(id), spid: MIDDLE.package })).toMatchObject({ success: false, err: 'E_STATE' });
        continue;
      }
      expect(String(((await change(client, MIDDLE)) as Record<string, unknown>).err)).toMatch(err);
      expect(await rows(client)).toEqual([]);
      expect((await client.send('/user/package')).status).toBe(200);
    }
    await assigned('refuse01', 10);
    const client = await signedIn('refuse01');
    expect(await change(client, SMALL)).toMatchObject({ success: false, err: 'E_STATE' });
    for (const wrong of ['test:other', 'x', '', 'test:', 'test:a b', `test:${'a'.repeat(200)}`])
      expect([wrong, await change(client, wrong)]).toMatchObject([wrong, { success: false, err: 'E_ARGS' }]);
    offers.mockReturnValue([
      null,
      1,
      { ...MIDDLE, prices: [] },
      { ...MIDDLE, prices: [{ months: 1, amount: -1 }] },
      { ...MIDDLE, limits: 1 },
    ]);
    expect(await rows(client)).toEqual([]);
    offers.mockReturnValue('nonsense');
    expect(await rows(client)).toEqual([]);
  });

  it('from the last day on waits for the renewal: a past day costs nothing and gives nothing', async () => {
    for (const [user, days] of [
      ['lastday1', 0],
      ['ended001', -1],
    ] as const) {
      const id = await open(user, days);
      const client = await signedIn(user);
      expect((await rows(client)).map(({ when }) => when)).toEqual(['renewal', 'renewal']);
      expect(await change(client, LARGE)).toMatchObject({ success: true, planned: true });
      expect(((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[])[0]!.rmb).toBe('93.00');
      expect(await packageOf(id)).toBe('test:small');
    }
  });

  it('paid after the host was renewed, changed or deleted changes nothing and is left to a person', async () => {
    const id = await assigned('moved001', 10);
    const client = await signedIn('moved001');
    const [first, second] = [await change(client, MIDDLE, { qqh: '1' }), await change(client, LARGE, { qqh: '2' })];
    await Promise.all([pay(first.ddh!), pay(second.ddh!)]);
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).not.toBe('test:small');
    const late = (await packageOf(id)) === 'test:middle' ? second.ddh! : first.ddh!;
    await refusedDelivery(late, /./);
    expect(await panel.get(Database).repository(HostPayment).countBy({ hostId: id, months: 0 })).toBe(1);
    // Renewed in between.
    const other = await assigned('moved002', 10);
    const { ddh } = await change(await signedIn('moved002'), MIDDLE);
    await hosting.renew(other, dayAfter(today(), 20), 'admin');
    await expect.poll(async () => (await panel.get(Orders).get(ddh!))!.status, { timeout: 20_000 }).toBe('closed');
    await pay(ddh!);
    await refusedDelivery(ddh!, /./);
    expect(await packageOf(other)).toBe('test:small');
    // A renewal at the price of its package.
    const cheap = await assigned('moved003', 10);
    const cheapClient = await signedIn('moved003');
    const renewal = (await cheapClient.ajax('user', { gn: 'xdd', scene: 'xf', zq: '12' })).json as unknown as { ddh: string };
    const up = await change(cheapClient, LARGE);
    await pay(up.ddh!);
    await expect.poll(() => packageOf(cheap), { timeout: 20_000 }).toBe('test:large');
    await pay(renewal.ddh);
    const order = (await panel.get(Orders).get(renewal.ddh))!;
    const deliveries = panel.get(Database).repository(EventDelivery);
    const where = { subject: `order:${order.id}`, listenerKey: 'core:order.paid:renewal' };
    await expect.poll(async () => (await deliveries.findOneBy(where))?.lastError, { timeout: 20_000 }).toBeTruthy();
    await deliveries.update(where, { state: 'discarded' });
    expect(await hosting.get(cheap)).toMatchObject({ expiresOn: dayAfter(today(), 10) });
  });

  it('is also ordered by the reseller with a payment link, at the computed price or his own', async () => {
    const id = await assigned('resold01', 10);
    const made = await panel.admin('zjbgdd', { id: String(id), spid: MIDDLE.package, qqh: 'x' });
    expect(made).toMatchObject({ success: true, data: { redirect: expect.stringMatching(/^\/admin\/order\?id=\d+$/) as string } });
    const own = await panel.admin('zjbgdd', { id: String(id), spid: LARGE.package, rmb: '1.23' });
    expect(own.data).toMatchObject({ rmb: '1.23' });
    expect(await panel.admin('zjbgdd', { id: String(id), spid: MIDDLE.package, rmb: '0' })).toMatchObject({
      success: false,
      err: 'E_ARGS',
    });
    await pay(String(own.data.ddh));
    await expect.poll(() => packageOf(id), { timeout: 20_000 }).toBe('test:large');
    expect(await panel.admin('zjbgdd', { id: String(id), spid: SMALL.package, rmb: '1' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('zjbgdd', { id: String(id), spid: SMALL.package })).toMatchObject({ success: true, data: { planned: true } });
    expect(await panel.admin('bgqx', { id: String(id) })).toMatchObject({ success: true });
  });

  it('assigned manually is reported, and ends when a billing system sets its own limits', async () => {
    const id = await assigned('byhand01', 10);
    expect(await hosting.get(id)).toMatchObject({ package: 'test:small', webMb: 100 });
    expect(await panel.admin('zjfptc', { id: String(id), spid: 'test:none' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('zjfptc', { id: String(id), spid: '' })).toMatchObject({ success: true });
    expect(await packageOf(id)).toBeNull();
  });

  it('of hosts opened by the shop leads to its other plans on the same server', async () => {
    for (const one of undo) one();
    await panel.enable('hosting_shop');
    await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN);
    await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, name: 'Bigger', price: '19.80', web_mb: '50' });
    await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, name: 'Gone', price: '29.80', stock: '0' });
    const made = await new DemoVisitor(panel.url).json('POST', '/shop/api/create_order', {
      plan_id: '1',
      period: 'month',
      username: 'shopped1',
      password: PASSWORD,
      type: 'sandbox__test',
    });
    await pay(String(made.order_no));
    await expect.poll(async () => (await hosting.get('shopped1'))?.status, { timeout: 20_000 }).toBe('active');
    const { id } = (await hosting.get('shopped1'))!;
    expect(await packageOf(id)).toBe('hosting_shop:1');
    const client = await signedIn('shopped1');
    await expect
      .poll(async () => (await rows(client)).map(({ spid, rmb }) => [spid, rmb]), { timeout: 20_000 })
      .toEqual([['hosting_shop:2', '9.90']]);
    await pay((await change(client, 'hosting_shop:2')).ddh!);
    await expect.poll(async () => (await hosting.get(id))!.webMb, { timeout: 20_000 }).toBe(50);
    expect(((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[])[0]!.rmb).toBe('19.80');
  });
});
