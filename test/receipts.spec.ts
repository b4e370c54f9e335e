/** Receipts of paid orders: who can create one, its number, its names, and the invoice request. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Clock } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { HostingService } from '../src/hosting/index.js';
import { Orders, Settlement, payPagePath, type Order } from '../src/payment/index.js';
import { Receipt, ReceiptRepository } from '../src/receipts/index.js';

import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';

let panel: TestPanel;
beforeAll(async () => void (panel = await TestPanel.start()));
afterAll(() => panel.close());

const BUYER = { name: 'Kim & <Sons>', tax_number: '91310000-Y', address: 'Side Street 2', mail: 'kim@example.org' };
const order = async (amount = 990, type = ''): Promise<Order> =>
  panel.get(Orders).create({ user: 'kim', owner: null, name: 'Starter', amount, type, scene: 'other', context: {}, ip: '127.0.0.1' });
const paid = async (amount = 990): Promise<Order> => {
  const made = await order(amount);
  expect(await panel.admin('ddbz', { id: String(made.id), yy: 'cash' })).toMatchObject({ success: true });
  return made;
};
const show = async (one: Order, more = ''): Promise<{ status: number; text: string; location: string | null }> => {
  const response = await panel.fetch(`${payPagePath(one, '/receipt')}${more}`, { headers: { 'Accept-Language': 'en' } });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
};
const make = async (one: Order, fields: Record<string, string> = BUYER, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams(fields);
  const response = await panel.fetch(payPagePath(one, '/receipt'), {
    method: 'POST',
    body,
    headers: { 'Accept-Language': 'en', ...headers },
  });
  return { status: response.status, text: await response.text() };
};
const listed = async (fields: Record<string, string> = {}) =>
  (await panel.admin('listskd', { page: '1', limit: '50', ...fields })).rows as unknown as Record<string, string>[];

describe('a receipt', () => {
  it('is available with the key of a paid order, names seller and buyer as they were, and shows refunds as they happen', async () => {
    const seller = { name: 'Anna <Shop>', dz: 'Main Street 1', sh: '91310000X', lx: 'anna@example.org', jz: 'Thank you' };
    expect(await panel.admin('skdsz', seller)).toMatchObject({ success: true });
    const one = await paid();
    expect((await show(one)).text).toContain('value="kim"');
    expect((await listed()).length).toBe(0);
    expect((await make(one)).status).toBe(303);
    await panel.admin('skdsz', { ...seller, name: 'Somebody else' });
    const { text } = await show(one);
    for (const words of ['Anna &lt;Shop&gt;', 'Kim &amp; &lt;Sons&gt;', '91310000-Y', 'Thank you', '¥9.90', 'Starter', '-000001'])
      expect(text).toContain(words);
    expect(await panel.admin('ddtk', { id: String(one.id), rmb: '4.90', qd: 'hand', yy: 'less' })).toMatchObject({ success: true });
    expect((await show(one)).text).toMatch(/4\.90[^]*¥5\.00/);
    expect((await listed())[0]).toMatchObject({ rmb: '9.90', tk: '4.90', tt: 'Kim & <Sons>', sh: '91310000-Y', fp: 'none' });
  });

  it('is created for many paid orders at once if missing, printed together, with buyer columns in the file', async () => {
    const [first, second, open] = [await paid(), await paid(1_990), await order()];
    await make(first);
    const idsz = JSON.stringify([first.id, second.id, open.id, 999_999]);
    expect(await panel.admin('skdpl', { idsz })).toMatchObject({ success: true, n: 1, left: 3 });
    expect(await panel.admin('skdpl', { idsz })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await panel.get(ReceiptRepository).of(open.id)).toBeNull();
    expect((await panel.get(ReceiptRepository).of(second.id))?.buyer.name).toBe('kim');
    const sheets = await (await panel.adminFetch(`/admin/receipts-print?q=${second.number}`)).text();
    expect(sheets).toContain('¥19.90');
    expect(sheets).not.toContain(first.number);
    expect((await panel.fetch('/admin/receipts-print')).status).not.toBe(200);
    const [titles, row] = (await (await panel.adminFetch(`/admin/receipts?q=${first.number}&export=receipts`)).text()).split('\r\n');
    expect(titles).toBe('收据编号,生成时间,订单号,金额,已退款,买方,税号,地址,邮箱,发票,发票号');
    expect(row).toContain('Kim & <Sons>,91310000-Y,Side Street 2,kim@example.org');
  });

  it('is created for all orders of a date range without one, and says so when none is missing', async () => {
    const [made, missing, open] = [await paid(), await paid(2_990), await order()];
    await make(made);
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
    for (const days of [
      { from: '2026-02-30', to: '' },
      { from: day(1), to: day(-1) },
      { from: day(-400), to: day(0) },
    ])
      expect(await panel.admin('skdpl', days)).toMatchObject({ success: false, fields: { from: expect.any(String) as string } });
    expect(await panel.admin('skdpl', { from: day(-40), to: day(-20) })).toMatchObject({ success: false, err: 'E_STATE' });
    const days = { from: day(-1), to: day(1) };
    const both = (await Promise.all([panel.admin('skdpl', days), panel.admin('skdpl', days)])) as unknown as { n?: number }[];
    expect(both.some(({ n }) => (n ?? 0) >= 1)).toBe(true);
    expect((await panel.get(ReceiptRepository).of(missing.id))?.buyer.name).toBe('kim');
    expect(await panel.get(ReceiptRepository).of(open.id)).toBeNull();
    expect((await panel.get(ReceiptRepository).of(made.id))?.buyer.name).toBe('Kim & <Sons>');
    expect(await panel.admin('skdpl', days)).toMatchObject({ success: false, err: 'E_STATE' });
    const file = await (await panel.adminFetch(`/admin/receipts?from=${day(-1)}&to=${day(1)}&export=receipts`)).text();
    expect(file).toContain(missing.number);
    const sheets = await (await panel.adminFetch(`/admin/receipts-print?from=${day(-1)}&to=${day(1)}`)).text();
    expect(sheets).toContain('¥29.90');
    expect(await (await panel.adminFetch(`/admin/receipts-print?from=${day(-40)}&to=${day(-20)}`)).text()).not.toContain('¥29.90');
  });

  it('is printed together with others, at most 200 at a time, and the page shows the count', async () => {
    const orders = await Promise.all(Array.from({ length: 205 }, () => order(1_230, 'cash__desk')));
    for (const { number } of orders) await panel.get(Settlement).settle(number, 'cash', { trade_no: `P-${number}`, amount: 1_230 });
    expect(await panel.admin('skdpl', { idsz: JSON.stringify(orders.map(({ id }) => id)) })).toMatchObject({ success: true, n: 205 });
    expect(await panel.admin('ddtk', { id: String(orders[204]!.id), rmb: '2.30', qd: 'hand', yy: 'less' })).toMatchObject({
      success: true,
    });
    const response = await panel.adminFetch('/admin/receipts-print?q=<b>&from=nonsense', { headers: { 'Accept-Language': 'en' } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('YYYY-MM-DD');
    expect((await panel.adminFetch('/admin/receipts-print?q=<b>')).status).toBe(200);
    const all = await (await panel.adminFetch('/admin/receipts-print')).text();
    expect(all.match(/<article/g)).toHaveLength(200);
    expect(all.match(/¥12\.30/g)!.length).toBeGreaterThanOrEqual(200);
    expect(all).toContain('¥10.00');
    expect(all).toMatch(/200[^]*2\d\d/);
    expect(Buffer.byteLength(all)).toBeLessThan(600_000);
  });

  it('is unavailable without the key, and for unpaid orders', async () => {
    const open = await order();
    expect(await show(open)).toMatchObject({ status: 303, location: payPagePath(open) });
    expect((await make(open)).status).toBe(409);
    const one = await paid();
    for (const path of [`/pay/order/${one.number}/receipt`, `/pay/order/${one.number}/receipt?k=wrong`, '/pay/order/1/receipt?k='])
      for (const method of ['GET', 'POST']) expect((await panel.fetch(path, { method })).status, path).toBe(404);
    expect((await make(one, BUYER, { Origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(await panel.get(ReceiptRepository).of(one.id)).toBeNull();
    expect((await panel.fetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'listskd' }) })).status).not.toBe(500);
  });

  it.each([
    [{ name: '' }],
    [{ name: 'x'.repeat(121) }],
    [{ tax_number: '<script>' }],
    [{ address: 'x'.repeat(201) }],
    [{ mail: 'no mail' }],
    [{ mail: `${'x'.repeat(300)}@example.org` }],
  ])('is not created for %j, and the input stays', async (wrong) => {
    const one = await paid();
    const { status, text } = await make(one, { ...BUYER, ...wrong });
    expect(status).toBe(422);
    expect(text).toContain('is-invalid');
    expect(text).toContain('Kim &amp;'.slice(0, 'name' in wrong ? 0 : 9));
    expect(await panel.get(ReceiptRepository).of(one.id)).toBeNull();
  });

  it('can name another buyer until its invoice is recorded, which the buyer sees', async () => {
    const one = await paid();
    await make(one, { ...BUYER, invoice: '1' });
    expect((await listed({ fp: 'asked' })).map(({ ddh }) => ddh)).toEqual([one.number]);
    expect((await show(one, '&edit=1')).text).toMatch(/name="invoice"\s+value="1"\s+checked/);
    expect((await make(one, { ...BUYER, name: 'Kim Ltd.', invoice: '1' })).status).toBe(303);
    const [row] = await listed({ ss: 'kim ltd' });
    const { row_version } = row as unknown as { row_version: string };
    expect(await panel.admin('skdfp', { id: row!.id!, fph: 'INV-77', row_version })).toMatchObject({ success: true });
    const late = await panel.admin('skdfp', { id: row!.id!, fph: 'INV-78', row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { fph: expect.stringContaining('INV-77') as string } });
    expect((await show(one)).text).toContain('Invoice INV-77');
    expect((await show(one)).text).not.toContain('edit=1');
    expect((await make(one)).status).toBe(409);
    expect((await listed({ fp: 'issued', ss: one.number }))[0]).toMatchObject({ tt: 'Kim Ltd.', fph: 'INV-77' });
    expect(await panel.admin('skdfp', { id: row!.id! })).toMatchObject({ success: true });
    expect((await listed({ ss: row!.sjh! }))[0]).toMatchObject({ fp: 'asked' });
    expect(await panel.admin('skdfp', { id: '99999', fph: 'x' })).toMatchObject({ success: false });
    expect(await panel.admin('skdfp', { id: row!.id!, fph: 'a\nb' })).toMatchObject({ fields: { fph: expect.any(String) as string } });
  });

  it('is linked from the order on both sides, and its list is a file without spreadsheet formulas', async () => {
    const { id } = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'receiver', password: 'secret-pass-1', expiresOn: null }, 'admin');
    const own = await panel.get(Orders).create({
      user: 'receiver',
      owner: { account: id },
      name: 'Starter',
      amount: 500,
      type: '',
      scene: 'other',
      context: {},
      ip: '127.0.0.1',
    });
    await panel.admin('ddbz', { id: String(own.id), yy: 'cash' });
    const link = payPagePath(own, '/receipt').replaceAll('&', '&amp;');
    const client = await new PanelClient(panel.url).login('user', 'receiver', 'secret-pass-1');
    expect(await (await client.send(`/user/order?id=${own.id}`)).text).toContain(link);
    expect(await (await panel.adminFetch(`/admin/order?id=${own.id}`)).text()).toContain(link);
    await make(own, { ...BUYER, name: '=HYPERLINK("x")' });
    const csv = await (await panel.adminFetch('/admin/receipts?export=receipts')).text();
    expect(csv).toContain("'=HYPERLINK");
    expect(await (await panel.adminFetch('/admin/receipts')).text()).toContain(own.number);
  });
});

describe('receipt numbers', () => {
  const last = async (): Promise<number> =>
    Math.max(0, ...(await panel.get(Database).repository(Receipt).find()).map(({ place }) => place));

  it('have no gap and no duplicates, however many are requested at once', async () => {
    const before = await last();
    const orders = await Promise.all(Array.from({ length: 12 }, () => paid()));
    const answers = await Promise.all([...orders, ...orders, ...orders].map((one) => make(one)));
    expect(answers.every(({ status }) => status === 303)).toBe(true);
    const places = await Promise.all(orders.map(async (one) => (await panel.get(ReceiptRepository).of(one.id))!.place));
    expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_none, at) => before + 1 + at));
  });

  it('restart with the year of the panel’s time zone', async () => {
    const one = await paid();
    const clock = vi.spyOn(Clock.prototype, 'now').mockReturnValue(new Date('2029-12-31T16:30:00Z'));
    try {
      await panel.get(ReceiptRepository).make(one.id, { name: 'Kim', taxNumber: '', address: '', mail: '' }, false);
    } finally {
      clock.mockRestore();
    }
    expect(await panel.get(ReceiptRepository).of(one.id)).toMatchObject({ year: 2030, place: 1 });
    expect((await listed({ ss: '2030-000001' })).map(({ ddh }) => ddh)).toEqual([one.number]);
  });
});
