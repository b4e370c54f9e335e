import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { choose, newOrder } from '../../../test/support/gateway-orders.js';
import { PanelClient } from '../../../test/support/panel-client.js';
import { TestPanel } from '../../../test/support/panel.js';
import { functionPlugin, writePlugin } from '../../../test/support/plugins.js';
import { HostingService } from '../../hosting/index.js';
import { payPagePath } from '../orders/order-record.js';
import { Orders } from '../orders/orders.js';

const DESK = `svc.svc_register_payment('desk', { name: 'Desk', methods: { cash: 'Cash' }, limits: { least: 2000 }, build: () =>
  '/paid-here' });
  svc.svc_register_route('GET', '/desk/send/{no}', async ({ no }) => ({ sent: await svc.svc_pay_dispatch_gateway(no, 'desk__cash') }));
  svc.svc_register_route('GET', '/desk/methods', async () => ({ methods: await svc.svc_get_enabled_payment_methods() }));`;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
  writePlugin(panel.dataDir, 'desk', functionPlugin(DESK));
  await panel.enable('desk');
});
afterAll(() => panel.close());

const save = (limits: Record<string, unknown>) =>
  panel.admin('setpaymethods', { methods: JSON.stringify([{ plugin: 'desk', method: 'cash', display_name: 'Cash desk', ...limits }]) });
const kept = async () =>
  ((await panel.admin('listzffs')).rows as unknown as Record<string, unknown>[]).find(({ plugin }) => plugin === 'desk');
const isOffered = async (fen: number) =>
  (await (await panel.fetch(payPagePath(await newOrder(panel, fen)))).text()).includes('value="desk__cash"');

describe("the reseller's limits of a method", () => {
  it("narrow the gateway's range, both for display and for dispatch", async () => {
    expect(await save({ min: '10', max: '50.00' })).toMatchObject({ success: true, data: { methods: [{ min: '10.00', max: '50.00' }] } });
    expect(await kept()).toMatchObject({ min: '10.00', max: '50.00' });
    const offered = await Promise.all([1_500, 1_999, 2_000, 5_000, 5_001].map(isOffered));
    expect(offered).toEqual([false, false, true, true, false]);

    const order = await newOrder(panel, 5_001);
    const answer = await choose(panel, order, 'desk__cash', { 'Accept-Language': 'en' });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Cash desk accepts orders of ¥20.00 to ¥50.00.')]);
    expect(await (await panel.fetch(`/desk/send/${order.number}`)).json()).toEqual({ sent: false });
    const fine = await newOrder(panel, 5_000);
    expect((await choose(panel, fine, 'desk__cash')).headers.get('location')).toBe('/paid-here');
    expect(await (await panel.fetch(`/desk/send/${fine.number}`)).json()).toEqual({ sent: '/paid-here' });

    const user = 'limits001';
    const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: 'secret-pass-1', expiresOn: null }, 'admin');
    const own = await panel.get(Orders).create({ user, owner: { account: id }, scene: 'test', name: 'Plan', amount: 100 });
    const client = await new PanelClient(panel.url).login('user', user, 'secret-pass-1');
    const refused = (await client.ajax('user', { gn: 'ddzf', ddh: own.number, ff: 'desk__cash' }, { 'Accept-Language': 'en' })).json;
    expect(refused).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(String(refused.code)).toMatch(/¥20\.00.*¥50\.00/);
    expect((await panel.get(Orders).get(own.id))!.type).toBe('');

    // Plugins that save the list as they got it lose nothing of it.
    const { methods } = (await (await panel.fetch('/desk/methods')).json()) as { methods: object[] };
    expect(methods).toMatchObject([{ plugin: 'desk', min: 1_000, max: 5_000 }]);
  });

  it.each([
    [{ min: '-1' }, 'min'],
    [{ min: '1.234' }, 'min'],
    [{ min: 'all' }, 'min'],
    [{ max: '1e3' }, 'max'],
    [{ max: '1000000000' }, 'max'],
    [{ max: [5] }, 'max'],
    [{ min: { a: 1 } }, 'min'],
    [{ min: '20', max: '10' }, 'max'],
  ])('refuses %j by its field and keeps what there was', async (limits, field) => {
    await save({ min: '10', max: '50' });
    expect(await save(limits)).toMatchObject({ err: 'E_ARGS', fields: { [`desk__cash_${field}`]: expect.any(String) as string } });
    expect(await kept()).toMatchObject({ min: '10.00', max: '50.00' });
  });

  it('are removed by empty fields, and report if they leave no valid amount', async () => {
    await save({ min: '10', max: '15' });
    expect(await isOffered(1_200)).toBe(false);
    const settings = await panel.adminFetch('/admin/settings?tab=payments', { headers: { 'Accept-Language': 'en' } });
    expect(await settings.text()).toContain('Accepts no amount');
    await save({ min: '', max: null });
    expect(await kept()).not.toHaveProperty('min');
    expect([await isOffered(1_999), await isOffered(90_000_000)]).toEqual([false, true]);
  });
});
