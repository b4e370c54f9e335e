/** Renewing hosts: offers, ordered once, delivered once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { Database } from '../src/database/index.js';
import { DurableEvent, EventDelivery, HookRegistry } from '../src/hooks/index.js';
import { ExpirySweep, HostingService } from '../src/hosting/index.js';
import { Order, Orders, Settlement } from '../src/payment/index.js';
import { Renewal, RenewalDelivery } from '../src/renewal/index.js';
import type { HostRecord, RenewalOffer } from '../src/sdk/index.js';

import { TestPanel } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';
import { STARTER_PLAN } from './support/shop.js';

const PASSWORD = 'secret-pass-1';

describe('renewals', () => {
  let panel: TestPanel;
  let hosting: HostingService;
  const offers = vi.fn<(host: HostRecord) => unknown>();
  let undo: () => void;

  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'off' });
    await panel.enable('sandbox');
    hosting = panel.get(HostingService);
    undo = panel
      .get(HookRegistry)
      .addFilter('host.renewal.offers', (_offers: RenewalOffer[], host: HostRecord) => offers(host) as RenewalOffer[], { owner: 'core' });
  });
  afterAll(() => panel.close());
  beforeEach(() => void offers.mockReset().mockReturnValue([{ months: 1, amount: 990, name: 'Starter' } satisfies RenewalOffer]));

  const open = async (user: string, expiresOn: string | null): Promise<number> =>
    (await hosting.provision({ node: 'local', user, password: PASSWORD, expiresOn }, 'admin')).id;
  const signedIn = async (user: string): Promise<PanelClient> => {
    const client = new PanelClient(panel.url);
    await client.ajax('user', { gn: 'login', user, pass: PASSWORD });
    return client;
  };
  const place = async (client: PanelClient, fields: Record<string, string>): Promise<Record<string, never>> =>
    (await client.ajax('user', { gn: 'xdd', scene: 'xf', zq: '1', ...fields })).json as never;
  const pay = async (ddh: string, trade = ddh): Promise<unknown> => {
    const order = (await panel.get(Orders).get(ddh))!;
    await panel.get(Orders).chooseType(order.id, 'sandbox__test');
    return panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: trade, amount: order.amount });
  };
  const lastDay = async (id: number): Promise<string | null> => (await hosting.get(id))!.expiresOn;
  const rows = () => panel.get(Database).repository(Renewal);

  it('are offered as shops define them, in order, and invalid offers are skipped', async () => {
    const id = await open('offered1', '2031-01-31');
    offers.mockReturnValue([
      { months: 12, amount: 9_900, name: 'Starter' },
      { months: 1, amount: 990, name: 'Starter' },
      { months: 1, amount: 1, name: 'Twice' },
      { months: 0, amount: 1, name: 'None' },
      { months: 3, amount: 0.5, name: 'Part' },
      { months: 121, amount: 1, name: 'Long' },
      { months: 2, amount: 1, name: ' ' },
      null,
    ]);
    const client = await signedIn('offered1');
    const { json } = await client.ajax('user', { gn: 'xfjg' });
    expect(json.rows).toEqual([
      { zq: 1, name: 'Starter', yj: '9.90', yh: '0.00', rmb: '9.90', yhbz: '', datae: '2031-02-28' },
      { zq: 12, name: 'Starter', yj: '99.00', yh: '0.00', rmb: '99.00', yhbz: '', datae: '2032-01-31' },
    ]);
    expect((await panel.admin('xfjg', { id: String(id) })).rows).toEqual(json.rows);
    expect(await place(client, { zq: '3' })).toMatchObject({ success: false, err: 'E_ARGS' });
    const refused: Record<string, string>[] = [{ zq: '0' }, { zq: '121' }, { zq: 'x' }, { scene: 'hosting' }, { qqh: 'a b' }];
    for (const wrong of refused) expect(await place(client, wrong)).toMatchObject({ success: false, err: 'E_ARGS' });
    offers.mockReturnValue('nonsense');
    expect((await client.ajax('user', { gn: 'xfjg' })).json.rows).toEqual([]);
    await open('forever1', null);
    expect((await (await signedIn('forever1')).ajax('user', { gn: 'xfjg' })).json.rows).toEqual([]);
    expect(await place(await signedIn('forever1'), {})).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('are ordered once per request, at the computed price', async () => {
    await open('orderer1', '2031-01-31');
    const client = await signedIn('orderer1');
    const made = await Promise.all([1, 2, 3, 4].map(() => place(client, { qqh: 'r-1', rmb: '0.01', amount: '1' })));
    expect(new Set(made.map(({ ddh }) => ddh)).size).toBe(1);
    expect(made[0]).toMatchObject({ success: true, rmb: '9.90', redirect: expect.stringContaining('/pay/order/') as string });
    expect(await panel.get(Database).repository(Order).countBy({ user: 'orderer1' })).toBe(1);
    offers.mockReturnValue([{ months: 6, amount: 5_000, name: 'Starter' }]);
    expect(await place(client, { qqh: 'r-1', zq: '6' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    // A request of the same name for another host is another request.
    await open('orderer2', '2031-01-31');
    expect((await place(await signedIn('orderer2'), { qqh: 'r-1', zq: '6' })).ddh).not.toBe(made[0]!.ddh);
  });

  it('are where owners of expired hosts are led, and nowhere when none is offered', async () => {
    await open('ended001', '2020-01-31');
    const client = await signedIn('ended001');
    const banner = async (path = '/user/'): Promise<[string, string | undefined]> => {
      const { text } = await client.send(path, { headers: { 'Accept-Language': 'en' } });
      const html = /id="banner-host-paused"[\s\S]*?<\/a>/.exec(text)?.[0] ?? '';
      return [/renew it here/.test(html) ? 'here' : /To renew it, contact/.test(html) ? 'contact' : html, /href="([^"]+)"/.exec(html)?.[1]];
    };
    expect(await banner()).toEqual(['here', '/user/renew']);
    expect(await banner('/user/renew')).toEqual(['here', '/user/orders']);
    offers.mockReturnValue([]);
    expect(await banner()).toEqual(['contact', '/user/orders']);
    offers.mockReturnValue([{ months: 1, amount: 990, name: 'Starter' } satisfies RenewalOffer]);
    expect(await place(client, {})).toMatchObject({ success: true });
    expect(await banner()).toEqual(['here', expect.stringContaining('/pay/order/')]);
  });

  it('with a selected method lead directly to the gateway', async () => {
    await open('gateway1', '2031-01-31');
    const client = await signedIn('gateway1');
    expect(await place(client, { ff: 'sandbox__test' })).toMatchObject({
      success: true,
      url: expect.stringContaining('/pay/sandbox/') as string,
    });
    expect(await place(client, { ff: 'nobody__x' })).toMatchObject({ success: false, err: 'E_ARGS' });
  });

  it('move the last day once, however often they are paid and delivered', async () => {
    const id = await open('twice001', '2031-01-31');
    const { ddh } = await place(await signedIn('twice001'), {});
    await Promise.all([1, 2, 3].map(() => pay(ddh!)));
    await expect.poll(() => lastDay(id), { timeout: 20_000 }).toBe('2031-02-28');
    const order = (await panel.get(Orders).get(ddh!))!;
    const delivery = panel.get(RenewalDelivery);
    await Promise.all([1, 2, 3, 4].map(() => delivery.deliver(panel.get(Orders).toOrderRecord(order))));
    expect(await lastDay(id)).toBe('2031-02-28');
    expect(await rows().findBy({ orderId: order.id })).toMatchObject([
      { hostId: id, months: 1, oldDay: '2031-01-31', newDay: '2031-02-28' },
    ]);
    expect(
      await panel
        .get(Database)
        .repository(DurableEvent)
        .countBy({ hook: 'host.renewed', subject: `host:${id}` }),
    ).toBe(1);
  });

  it('paid at the same moment all count', async () => {
    const id = await open('several1', '2031-01-15');
    const client = await signedIn('several1');
    const made: string[] = [];
    for (let n = 0; n < 4; n += 1) made.push((await place(client, { qqh: `s-${n}` })).ddh!);
    await Promise.all(made.map((ddh) => pay(ddh)));
    await expect.poll(() => lastDay(id), { timeout: 20_000 }).toBe('2031-05-15');
    expect(await rows().countBy({ hostId: id })).toBe(4);
  });

  it('resume a host paused for expiry, counted from today; another pause stays', async () => {
    const [id, held] = [await open('expired1', '2020-01-31'), await open('expired2', '2020-01-31')];
    await panel.get(ExpirySweep).run();
    await hosting.pause(held, 'quota', 'cron');
    const client = await signedIn('expired1');
    const html = (await client.send('/user/', { headers: { 'accept-language': 'en' } })).text;
    expect(html).toContain('href="/user/renew"');
    expect(html).toContain('You can renew it here');
    await pay((await place(client, {})).ddh!);
    await pay((await place(await signedIn('expired2'), {})).ddh!);
    await expect.poll(async () => (await hosting.get(id))!.status, { timeout: 20_000 }).toBe('active');
    expect((await lastDay(id))! > new Date().toISOString().slice(0, 10)).toBe(true);
    await expect.poll(async () => (await hosting.get(held))!.pauseReasons, { timeout: 20_000 }).toEqual(['quota']);
    const [line] = (await client.ajax('user', { gn: 'listzjls' })).json.rows as unknown as { lr: string }[];
    expect(line!.lr).toBeTruthy();
  });

  it('are also ordered by the reseller, at the offered price or his own, and paid by the customer', async () => {
    const id = await open('resold01', '2031-01-31');
    const fields = { id: String(id), qqh: 'adm-1' };
    const [first, again] = [await panel.admin('zjxfdd', { ...fields, zq: '1' }), await panel.admin('zjxfdd', { ...fields, zq: '1' })];
    expect(first).toMatchObject({
      success: true,
      data: { rmb: '9.90', redirect: expect.stringMatching(/^\/admin\/order\?id=\d+$/) as string },
    });
    expect(again.data.ddh).toBe(first.data.ddh);
    expect(await panel.admin('zjxfdd', { id: String(id), zq: '24' })).toMatchObject({ success: false, err: 'E_ARGS' });
    const own = await panel.admin('zjxfdd', { id: String(id), zq: '24', rmb: '150' });
    expect(own.data).toMatchObject({ rmb: '150.00' });
    const listed = (await (await signedIn('resold01')).ajax('user', { gn: 'listdd' })).json.rows as unknown as {
      ddh: string;
      rmb: string;
    }[];
    expect(listed.map(({ rmb }) => rmb)).toEqual(['150.00', '9.90']);
    await pay(String(own.data.ddh));
    await expect.poll(() => lastDay(id), { timeout: 20_000 }).toBe('2033-01-31');
  });

  it('that cannot be delivered show the reason on the order’s page', async () => {
    const id = await open('gone0001', '2031-01-31');
    const { ddh } = await place(await signedIn('gone0001'), {});
    await hosting.terminate(id, 'admin', { destroy: true });
    await pay(ddh!);
    const deliveries = async () => (await panel.admin('ddsj', { ddh: ddh! })).data.deliveries as unknown as Record<string, unknown>[];
    await expect.poll(async () => (await deliveries())[0]?.error, { timeout: 20_000 }).toBeTruthy();
    expect(await deliveries()).toMatchObject([{ listener: 'core:order.paid:renewal', owner: 'core' }]);
    await panel
      .get(Database)
      .repository(EventDelivery)
      .update({ listenerKey: 'core:order.paid:renewal', state: 'pending' }, { state: 'discarded' });
  });

  it('do not appear for other orders', async () => {
    const other = (await panel.admin('adddd', { user: 'nobody', scene: 'xf', name: 'By hand', rmb: '1' })).data;
    await pay(String(other.ddh));
    await expect
      .poll(
        () =>
          panel
            .get(Database)
            .repository(EventDelivery)
            .countBy({ subject: `order:${other.id}`, listenerKey: 'core:order.paid:renewal', state: 'done' }),
        { timeout: 20_000 },
      )
      .toBe(1);
  });

  it('of hosts opened by the shop cost the plan’s price times the months', async () => {
    undo();
    await panel.enable('hosting_shop');
    await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN);
    const made = await new DemoVisitor(panel.url).json('POST', '/shop/api/create_order', {
      plan_id: '1',
      period: 'month',
      username: 'shopped1',
      password: PASSWORD,
      type: 'sandbox__test',
    });
    await pay(String(made.order_no));
    await expect.poll(async () => (await hosting.get('shopped1'))?.status, { timeout: 20_000 }).toBe('active');
    const { id, expiresOn } = (await hosting.get('shopped1'))!;
    const client = await signedIn('shopped1');
    await expect
      .poll(async () => ((await client.ajax('user', { gn: 'xfjg' })).json.rows as unknown as { rmb: string }[]).map(({ rmb }) => rmb), {
        timeout: 20_000,
      })
      .toEqual(['9.90', '29.70', '59.40', '118.80', '237.60', '356.40']);
    await pay((await place(client, { zq: '12' })).ddh!);
    await expect.poll(async () => (await lastDay(id))!.slice(0, 4), { timeout: 20_000 }).toBe(String(Number(expiresOn!.slice(0, 4)) + 1));
  });
});
