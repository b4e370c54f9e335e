/** Coupons of the reseller: created on his pages, used in the shop and for renewals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../src/cli/demo-visitor.js';
import { Coupon } from '../src/coupons/index.js';
import { Database } from '../src/database/index.js';
import { HostingService } from '../src/hosting/index.js';
import { OrderClosing, Orders } from '../src/payment/index.js';

import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';
import { STARTER_PLAN } from './support/shop.js';

const PASSWORD = 'a-password-of-my-own';

type Answer = Record<string, unknown> & { success?: boolean; err?: string; fields?: Record<string, string>; data: { id: number } };

let panel: TestPanel;
let visitor: DemoVisitor;
let plan: string;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  visitor = new DemoVisitor(panel.url);
  for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
  plan = String(((await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, price_year: '99.00' })) as unknown as Answer).data.id);
});
afterAll(() => panel.close());

const admin = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
const coupon = async (yhm: string, fields: Record<string, string> = {}): Promise<number> => {
  const made = await admin('addyhq', { yhm, lx: 'fixed', rmb: '3', ...fields });
  expect(made).toMatchObject({ success: true });
  return made.data.id;
};
const used = async (id: number): Promise<number> => (await panel.get(Database).repository(Coupon).findOneByOrFail({ id })).used;
const buy = (username: string, fields: Record<string, string>) =>
  visitor.json('POST', '/shop/api/create_order', { plan_id: plan, period: 'month', username, password: PASSWORD, ...fields });

describe('a reseller', () => {
  it('creates, changes, toggles and deletes them, and is told about invalid input', async () => {
    for (const [fields, field] of [
      [{ yhm: 'a', lx: 'fixed', rmb: '1' }, 'yhm'],
      [{ yhm: 'A B C', lx: 'fixed', rmb: '1' }, 'yhm'],
      [{ yhm: 'OK1', lx: 'free', rmb: '1' }, 'lx'],
      [{ yhm: 'OK1', lx: 'fixed' }, 'rmb'],
      [{ yhm: 'OK1', lx: 'fixed', rmb: '-1' }, 'rmb'],
      [{ yhm: 'OK1', lx: 'fixed', rmb: '0.001' }, 'rmb'],
      [{ yhm: 'OK1', lx: 'percent', rmb: '1' }, 'bl'],
      [{ yhm: 'OK1', lx: 'percent', bl: '101' }, 'bl'],
      [{ yhm: 'OK1', lx: 'percent', bl: '5', zcs: '0' }, 'zcs'],
      [{ yhm: 'OK1', lx: 'percent', bl: '5', mrcs: '1.5' }, 'mrcs'],
      [{ yhm: 'OK1', lx: 'percent', bl: '5', datea: '2027-02-30' }, 'datea'],
      [{ yhm: 'OK1', lx: 'percent', bl: '5', datea: '2027-02-02', dateb: '2027-02-01' }, 'dateb'],
      [{ yhm: 'OK1', lx: 'percent', bl: '5', sp: '<script>' }, 'sp'],
    ] as const)
      expect(Object.keys((await admin('addyhq', fields as Record<string, string>)).fields ?? {}), JSON.stringify(fields)).toContain(field);
    const id = await coupon('first', { name: 'The <first>', zdje: '5.00', zcs: '10' });
    expect(await admin('addyhq', { yhm: 'FIRST', lx: 'fixed', rmb: '1' })).toMatchObject({ err: 'E_EXISTS' });
    const [row] = (await admin('listyhq', { ss: 'first' })).rows as Record<string, string>[];
    expect(row).toMatchObject({ id, yhm: 'FIRST', rmb: '3.00', zdje: '5.00', sy: '0 / 10', kg: true });
    expect(
      await admin('xgyhq', { id: String(id), yhm: 'FIRST', name: 'The <first>', lx: 'percent', bl: '7', row_version: row!.row_version! }),
    ).toMatchObject({
      success: true,
    });
    expect(await admin('xgyhq', { id: String(id), yhm: 'FIRST', lx: 'percent', bl: '8', row_version: row!.row_version! })).toMatchObject({
      success: false,
    });
    expect(await admin('yhqkg', { id: String(id), kg: 'false' })).toMatchObject({ success: true });
    for (const [path, words] of [
      ['/admin/coupons', 'FIRST'],
      [`/admin/coupon?id=${id}`, 'The &lt;first&gt;'],
      ['/admin/coupon', `hosting_shop:${plan}`],
    ]) {
      const page = await panel.adminFetch(path!);
      expect([path, page.status]).toEqual([path, 200]);
      expect(await page.text()).toContain(words);
    }
    expect((await panel.adminFetch('/admin/coupon?id=999999')).status).toBe(404);
    expect(await admin('scyhq', { id: String(id) })).toMatchObject({ success: true });
    expect(await admin('scyhq', { id: String(id) })).toMatchObject({ err: 'E_NOTEXIST' });
    for (const gn of ['listyhq', 'addyhq', 'xgyhq', 'yhqkg', 'scyhq']) {
      const stranger = (await new PanelClient(panel.url).ajax('admin', { gn })).json;
      expect(stranger, gn).not.toHaveProperty('success', true);
    }
  });
});

describe('in the shop', () => {
  it('a coupon reduces a cart on the page, in the quote and on the pay page, and only what was shown is ordered', async () => {
    const id = await coupon('shop', { sp: `hosting_shop:${plan}` });
    const quote = await visitor.json('GET', `/shop/api/quote?plan_id=${plan}&period=month&yhq=shop`);
    expect(quote).toMatchObject({ code: 'ok', original: 990, discount: 300, total: 690 });
    expect(JSON.stringify(quote.lines)).toContain('SHOP');
    for (const [yhq, seen] of [
      ['shop', '990'],
      ['shop', '1'],
    ])
      expect(await buy('cheater1', { yhq: yhq!, seen_total: seen! })).toMatchObject({ fields: { seen_total: expect.any(String) } });
    expect(await used(id)).toBe(0);
    const order = await buy('buyer-one', { yhq: 'shop', seen_total: '690' });
    expect(order.code).toBe('ok');
    const [row] = (await admin('listdd', { ss: '' })).rows as Record<string, unknown>[];
    expect(row).toMatchObject({ ddh: order.order_no, rmb: '6.90', yj: '9.90', yh: '3.00', yhq: 'SHOP' });
    const page = await (await panel.fetch(String(order.pay_url).replace(panel.url, ''))).text();
    for (const words of ['9.90', '3.00', '6.90', 'SHOP']) expect(page).toContain(words);
    expect(await used(id)).toBe(1);
    expect(await admin('scyhq', { id: String(id) })).toMatchObject({ err: 'E_INUSE' });
    const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
    await visitor.waitFor(String(order.status_url), (text) => text.includes('buyer-one.localhost'), 'the site to be open');
    expect(await used(id)).toBe(1);
    const figures = await (await panel.adminFetch(`/admin/coupon?id=${id}`)).text();
    for (const words of ['3.00', '6.90']) expect(figures).toContain(words);
  });

  it('one that covers the whole price opens the host immediately, without a payment', async () => {
    const id = await coupon('allfree', { lx: 'percent', bl: '100', zcs: '1' });
    const order = await buy('buyer-two', { yhq: 'ALLFREE', seen_total: '0' });
    expect(order).toMatchObject({ redirect: order.status_url });
    await visitor.waitFor(String(order.status_url), (text) => text.includes('buyer-two.localhost'), 'the site to be open');
    expect(await panel.get(Orders).get(String(order.order_no))).toMatchObject({ status: 'paid', amount: 0, discount: 990 });
    expect(await used(id)).toBe(1);
    expect(await buy('buyer-three', { yhq: 'ALLFREE' })).toMatchObject({ fields: { yhq: expect.any(String) } });
  });

  it('a cart that is ordered again, or differently, keeps its single use', async () => {
    const id = await coupon('single', { zcs: '1' });
    const request = 'the-same-cart-1';
    const first = await buy('buyer-four', { yhq: 'single', request });
    const again = await buy('buyer-four', { yhq: ' SINGLE ', request });
    expect(again.order_no).toBe(first.order_no);
    const other = await buy('buyer-four', { yhq: 'single', request, period: 'year' });
    expect(other.code).toBe('ok');
    expect(other.order_no).not.toBe(first.order_no);
    expect(await used(id)).toBe(1);
    expect(await panel.get(Orders).get(String(first.order_no))).toMatchObject({ status: 'closed' });
    expect(await panel.get(Orders).get(String(other.order_no))).toMatchObject({ status: 'unpaid', amount: 9_600 });
    expect(await buy('buyer-five', { yhq: 'single' })).toMatchObject({ fields: { yhq: expect.any(String) } });
    const { id: orderId } = (await panel.get(Orders).get(String(other.order_no)))!;
    await panel.get(OrderClosing).close(orderId, { source: 'cron' });
    expect((await buy('buyer-five', { yhq: 'single' })).code).toBe('ok');
  });

  it('one that does not apply is refused at its field, and nothing is ordered', async () => {
    await coupon('other', { sp: 'hosting_shop:987654' });
    await coupon('each', { mrcs: '1' });
    for (const yhq of ['nobody', 'other', 'each', '<b>', '%', 'x'.repeat(200)]) {
      expect(await buy('buyer-six', { yhq }), yhq).toMatchObject({ fields: { yhq: expect.any(String) } });
      expect(await visitor.json('GET', `/shop/api/quote?${new URLSearchParams({ plan_id: plan, period: 'month', yhq })}`)).toHaveProperty(
        'fields.yhq',
      );
    }
  });

  it('of eight buyers of the last use, one gets it', async () => {
    const id = await coupon('race', { zcs: '1' });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => buy(`racer-0${n}`, { yhq: 'race' })));
    expect(answers.filter(({ code }) => code === 'ok')).toHaveLength(1);
    for (const answer of answers) if (answer.code !== 'ok') expect(answer).toHaveProperty('fields.yhq');
    expect(await used(id)).toBe(1);
  });
});

describe('for renewals', () => {
  it('the owner sees and pays the reduced price, and coupons cannot top up credit', async () => {
    const id = await coupon('renew', { sp: `hosting_shop:${plan}`, mrcs: '1' });
    const order = await buy('renewer1', {});
    const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
    await visitor.waitFor(String(order.status_url), (text) => text.includes('renewer1.localhost'), 'the site to be open');
    const client = new PanelClient(panel.url);
    await client.ajax('user', { gn: 'login', user: 'renewer1', pass: PASSWORD });
    const ask = async (fields: Record<string, string>): Promise<Answer> => (await client.ajax('user', fields)).json as unknown as Answer;
    const shown = (await ask({ gn: 'xfjg', yhq: 'renew' })).rows as Record<string, string | number>[];
    const offers = shown.filter(({ zq }) => zq === 1 || zq === 12);
    expect(offers).toMatchObject([
      { zq: 1, yj: '9.90', yh: '3.00', rmb: '6.90', yhbz: '' },
      { zq: 12, yj: '99.00', yh: '3.00', rmb: '96.00', yhbz: '' },
    ]);
    expect(await ask({ gn: 'xfjg', yhq: 'nobody' })).toMatchObject({ err: 'E_NOTEXIST', fields: { yhq: expect.any(String) } });
    expect(await ask({ gn: 'xdd', scene: 'yecz', rmb: '10', yhq: 'renew' })).toMatchObject({ fields: { yhq: expect.any(String) } });
    const host = (await panel.get(HostingService).get('renewer1'))!;
    const made = await ask({ gn: 'xdd', scene: 'xf', zq: '1', yhq: 'Renew', qqh: 'q1' });
    expect(made).toMatchObject({ success: true, data: { rmb: '6.90' } });
    expect(await ask({ gn: 'xdd', scene: 'xf', zq: '1', yhq: 'renew', qqh: 'q1' })).toMatchObject({
      data: { ddh: (made.data as never)['ddh'] },
    });
    expect(await ask({ gn: 'xdd', scene: 'xf', zq: '1', qqh: 'q1' })).toMatchObject({ err: 'E_CONFLICT' });
    expect(await ask({ gn: 'xdd', scene: 'xf', zq: '1', yhq: 'renew', qqh: 'q2' })).toMatchObject({ err: 'E_LIMIT' });
    expect(await used(id)).toBe(1);
    await coupon('renewfree', { lx: 'percent', bl: '100' });
    expect(await ask({ gn: 'xdd', scene: 'xf', zq: '1', yhq: 'renewfree' })).toMatchObject({ success: true, data: { rmb: '0.00' } });
    await expect.poll(async () => (await panel.get(HostingService).get('renewer1'))!.expiresOn).not.toBe(host.expiresOn);
    const page = (await client.send('/user/renew?yhq=nobody')).text;
    expect(page).toContain('renew-coupon-problem');
  });
});
