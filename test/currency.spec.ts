/** A currency other than the yuan: chosen once, and used everywhere. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { setCurrency } from '../src/common/index.js';
import { Database } from '../src/database/index.js';
import { PaymentRegistry, canTake } from '../src/payment/gateways/payment-registry.js';
import { amountText, currency, CURRENCY_CODES, currencyOf, moneyText, readAmount } from '../src/sdk/index.js';

import { TestPanel } from './support/panel.js';
import { tidyHtml } from './support/tidy-html.js';

let panel: TestPanel | undefined;
afterEach(async () => {
  await panel?.close();
  panel = undefined;
});
// The next files of this process use the yuan.
afterAll(() => setCurrency('CNY'));

const english = async (path: string): Promise<string> => (await panel!.adminFetch(path, { headers: { 'Accept-Language': 'en' } })).text();
const row = async (): Promise<Record<string, string>> =>
  (await panel!.admin('listdd', { page: '1', limit: '1' })).rows[0] as unknown as Record<string, string>;

const escaped = (text: string): string => text.replace(/[.$]/g, '\\$&');

describe('amounts', () => {
  it.each([
    ['CNY', 1250, '12.50', '¥12.50'],
    ['EUR', -5, '-0.05', '-€0.05'],
    ['CHF', 100, '1.00', 'CHF\u00a01.00'],
    ['HKD', 100, '1.00', 'HK$1.00'],
    ['JPY', 1250, '1250', '¥1250'],
    ['KRW', 0, '0', '₩0'],
  ])('in %s: %i is %s, displayed as %s', (code, amount, figures, words) => {
    setCurrency(code);
    expect([amountText(amount), moneyText(amount)]).toEqual([figures, words]);
    expect(readAmount(figures.replace('-', ''))).toBe(Math.abs(amount));
  });

  it('of a currency without decimals never have decimals', () => {
    setCurrency('JPY');
    expect(['12', '12.00', '12.5', '12.05', '-1', '', '1e3', '１２'].map((text) => readAmount(text))).toEqual([
      12,
      12,
      ...Array(6).fill(null),
    ]);
  });

  it('exist for every offered currency, and for no other', () => {
    for (const code of CURRENCY_CODES) expect(currencyOf(code).sign, code).not.toBe('');
    expect(new Set(CURRENCY_CODES).size).toBe(CURRENCY_CODES.length);
    for (const code of ['KWD', 'XXX', 'eur', '', 'CLF']) expect(() => currencyOf(code)).toThrow(/is not a supported currency/);
  });
});

describe.each([
  ['JPY', '1250', '12.5', '¥1250', '250', '1000'],
  ['EUR', '12.50', '12.505', '€12.50', '2.50', '10.00'],
])('an installation in %s', (code, rmb, wrong, shown, part, left) => {
  it('uses it for orders, refunds, credit, figures and pages, and keeps it', async () => {
    panel = await TestPanel.start();
    for (const slug of ['epay', 'stripe', 'balance', 'manual', 'sandbox']) await panel.enable(slug);
    expect(await panel.admin('sethb', { hb: code })).toMatchObject({ success: true });
    expect(currency().code).toBe(code);
    const gateways = panel.get(PaymentRegistry);
    const takes = (slug: string): boolean => canTake(gateways.get(slug)!);
    expect(['epay', 'stripe', 'balance', 'manual', 'sandbox'].map(takes)).toEqual([false, true, true, true, true]);
    expect(gateways.get('stripe')!.limits.least).toBe(50);
    const settings = await english('/admin/settings?tab=payments');
    expect(tidyHtml(settings)).toContain(`<option value="${code}" selected>`);

    expect(await panel.admin('adddd', { user: 'kim', scene: 'other', name: 'Work', rmb: wrong })).toMatchObject({
      fields: { rmb: expect.any(String) as string },
    });
    expect(await panel.admin('adddd', { user: 'kim', scene: 'other', name: 'Work', rmb })).toMatchObject({ success: true });
    const { id } = await row();
    expect(await row()).toMatchObject({ rmb });
    expect(await english(`/admin/order?id=${id}`)).toContain(shown);
    expect(await english('/admin/orders')).toContain(shown);
    expect(await panel.admin('ddbz', { id: id!, yy: 'cash' })).toMatchObject({ success: true });
    expect(await panel.admin('ddtk', { id: id!, rmb: part, qd: 'hand', yy: 'less work' })).toMatchObject({ success: true });
    const { data } = await panel.admin('ddsj', { id: id! });
    expect(data).toMatchObject({ order: { rmb }, refundable: left });
    // A remainder is a partly refunded order: the totals of all matching orders are above the list.
    expect(await english('/admin/orders')).toMatch(
      new RegExp(`Received</dt>\\s*<dd[^>]*>${escaped(shown)}<.*Refunded</dt>\\s*<dd[^>]*>[^<]*${escaped(part)}<`, 's'),
    );
    expect(await english('/admin/orders?qk=unpaid')).not.toContain('Refunded</dt>');
    expect((await panel.admin('ddhj')).data).toMatchObject({ partly_refunded: 1, unpaid: 0, rmb_paid: rmb, rmb_refunded: part });
    expect((await panel.admin('ddtj')).data).toMatchObject({ paid: { n: 1, rmb }, refunded: { rmb: part } });
    expect(await english('/admin/')).toContain(code === 'JPY' ? '¥1000' : '€10.00');

    expect(await panel.admin('addzj', { user: 'owner01', pass: 'secret-pass-1', btdh: 'local' })).toMatchObject({ success: true });
    expect(await panel.admin('yetz', { user: 'owner01', rmb: wrong, yy: 'gift' })).toMatchObject({
      fields: { rmb: expect.any(String) as string },
    });
    expect(await panel.admin('yetz', { user: 'owner01', rmb, yy: 'gift' })).toMatchObject({ success: true });
    expect((await panel.admin('listye')).rows[0]).toMatchObject({ rmb });
    await panel.admin('yejc');
    expect(await panel.admin('listyecy')).toMatchObject({ total: 0 });

    expect(await panel.admin('sethb', { hb: 'CNY' })).toMatchObject({ success: false, fields: { hb: expect.any(String) as string } });
    expect(tidyHtml(await english('/admin/settings?tab=payments'))).toContain(
      '<select class="form-select" id="currency" name="hb" disabled>',
    );
    await panel.restart();
    expect(currency().code).toBe(code);
    expect(await row()).toMatchObject({ rmb });
  });
});

describe('the choice', () => {
  it('rejects unknown currencies and those with three decimals, by name', async () => {
    panel = await TestPanel.start();
    for (const hb of ['KWD', 'eur', '', 'XAU', 'CNY;'])
      expect(await panel.admin('sethb', { hb })).toMatchObject({ success: false, fields: { hb: expect.any(String) as string } });
    expect(await panel.admin('sethb', { hb: 'CNY' })).toMatchObject({ success: true });
    expect(panel.get(Database).inTransaction).toBe(false);
  });

  it('is known to the other processes', async () => {
    panel = await TestPanel.start();
    expect(await panel.admin('sethb', { hb: 'USD' })).toMatchObject({ success: true });
    setCurrency('CNY');
    await panel.admin('setwz', { name: 'Somebody else saves' });
    expect(currency().code).toBe('USD');
  });
});
