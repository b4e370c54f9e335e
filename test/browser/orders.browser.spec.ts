/** Orders in a browser, on both sides, in both languages and sizes. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HookRegistry } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { Dispatch, OrderInquiry, Orders, PaymentRegistry, Settlement } from '../../src/payment/index.js';
import type { GatewayPayment } from '../../src/sdk/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin, signInAsUser } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';

describe.skipIf(!hasBrowser)('orders in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let user: Page;
  const problems: string[] = [];
  const order = async (name: string): Promise<{ id: string; ddh: string }> => {
    const { data } = await panel.admin('adddd', { user: 'owner01', scene: 'by_hand', name, rmb: '12.50', ff: 'sandbox__test' });
    return data as { id: string; ddh: string };
  };

  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.enable('sandbox');
    await panel.signInUser();
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    user = await newPage(browser, 'en-US', problems);
    await signInAsUser(user, panel.url);
  });
  afterAll(async () => {
    await browser?.close();
    await panel.close();
    expect(problems).toEqual([]);
  });

  it('shows the whole history of an order to the reseller, and the customer’s part to the customer', async () => {
    const { id, ddh } = await order('Plan for a year');
    const settlement = panel.get(Settlement);
    await settlement.settle(ddh, 'sandbox', { trade_no: 'T-1', money: '0.01' });
    await settlement.settle(ddh, 'sandbox', { trade_no: 'T-1', money: '12.50' });
    await settlement.settle(ddh, 'sandbox', { trade_no: 'T-2', money: '12.50' });
    await admin.goto(`${panel.url}/admin/orders`);
    await admin.locator('#orders').getByRole('link', { name: 'Details' }).first().click();
    await admin.getByText("the amount paid differs from the order's amount").waitFor();
    await lookAt(admin, `${panel.url}/admin/order?id=${id}`, 'order-admin', async () => {
      await admin.getByText('T-2', { exact: false }).first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await user.goto(`${panel.url}/user/orders`);
    await user.getByRole('link', { name: 'Details' }).first().click();
    await user.getByText('Paid ¥12.50').waitFor();
    expect(await user.getByText('amount paid differs').count()).toBe(0);
    await lookAt(user, `${panel.url}/user/order?id=${id}`, 'order-user', async () => {
      await user.locator('main code', { hasText: ddh }).waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
  });

  it('lets its customer pay, return to a page that waits, and continue to the order', async () => {
    const { id, ddh } = await order('Paid in the panel');
    await lookAt(user, `${panel.url}/user/order?id=${id}`, 'order-open', async () => {
      await user.locator('main code', { hasText: ddh }).waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.getByRole('link', { name: 'Pay' }).click();
    await user.waitForURL(/\/pay\/order\//);
    await user.locator('form [type=submit]').first().click();
    await user.waitForURL(/\/pay\/sandbox\/checkout/);
    await user.locator('button[value=pay]').click();
    await user.getByRole('heading', { name: 'Payment received' }).waitFor();
    await user.getByRole('link', { name: 'View the order' }).click();
    await user.waitForURL(new RegExp(`/user/order\\?ddh=${ddh}`));
    await user.getByText('Paid ¥12.50').waitFor();
    expect(await user.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  it('lets an owner renew a host, and the reseller order it at his own price', async () => {
    const hosting = panel.get(HostingService);
    const { id } = (await hosting.get('owner01'))!;
    await hosting.renew(id, '2031-01-31', 'admin');
    await lookAt(user, `${panel.url}/user/renew`, 'renew-none', async () => {
      await user.locator('.empty').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    const offers = [1, 3, 12].map((months) => ({ months, amount: 990 * months, name: 'Starter' }));
    const undo = panel.get(HookRegistry).addFilter('host.renewal.offers', () => offers, { owner: 'core' });
    await lookAt(user, `${panel.url}/user/renew`, 'renew', async () => {
      await user.getByText('¥118.80').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.getByText('¥29.70').click();
    await user.locator('form[data-ajax=xdd] [type=submit]').click();
    await user.waitForURL(/\/pay\/order\//);
    await user.locator('form [type=submit]').first().click();
    await user.locator('button[value=pay]').click();
    await user.getByRole('link', { name: 'View the order' }).click();
    await user.getByText('Paid ¥29.70').waitFor();
    await expect.poll(async () => (await hosting.get(id))!.expiresOn).toBe('2031-04-30');
    await lookAt(admin, `${panel.url}/admin/host-renewal?id=${id}`, 'renew-admin', async () => {
      await admin.getByText('¥118.80').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.fill('#renew-months', '24');
    await admin.fill('#renew-price', '150');
    await admin.locator('form[data-ajax=zjxfdd] [type=submit]').last().click();
    await admin.waitForURL(/\/admin\/order\?id=/);
    expect(await admin.inputValue('#pay-link')).toContain('/pay/order/');
    undo();
  });

  it('lets an owner change the package and schedule a smaller one, after the reseller has assigned one', async () => {
    const hosting = panel.get(HostingService);
    const { id } = (await hosting.get('owner01'))!;
    await hosting.renew(id, '2031-01-31', 'admin');
    await lookAt(user, `${panel.url}/user/package`, 'package-none', async () => {
      await user.locator('main dl').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    const offerOf = (name: string, amount: number, webMb: number) => ({
      package: `test:${name.toLowerCase()}`,
      name,
      prices: [{ months: 1, amount }],
      limits: { webMb, databaseMb: 0, trafficGb: 0, domains: 5 },
    });
    const offers = [offerOf('Mini', 300, 50), offerOf('Starter', 990, 100), offerOf('Large', 1_990, 500)];
    const undo = panel.get(HookRegistry).addFilter('host.package.offers', () => offers, { owner: 'core' });
    await lookAt(admin, `${panel.url}/admin/host-package?id=${id}`, 'package-assign', async () => {
      await admin.locator('#assign-package').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.selectOption('#assign-package', 'test:starter');
    await admin.locator('form[data-ajax=zjfptc] [type=submit]').click();
    await admin.getByText('Starter → Large').waitFor();
    await lookAt(admin, `${panel.url}/admin/host-package?id=${id}`, 'package-admin', async () => {
      await admin.getByText('Starter → Large').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await lookAt(user, `${panel.url}/user/package`, 'package', async () => {
      await user.getByText('Starter → Large').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.getByRole('button', { name: 'Change at next renewal' }).click();
    await user.getByText('this host changes to Mini').waitFor();
    await lookAt(user, `${panel.url}/user/package`, 'package-planned', async () => {
      await user.locator('[data-ajax=bgqx]').waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.getByRole('button', { name: 'Keep current plan' }).click();
    await expect.poll(() => user.getByText('this host changes to Mini').count()).toBe(0);
    expect(await panel.admin('addyhq', { yhm: 'LARGER', lx: 'percent', bl: '50' })).toMatchObject({ success: true });
    await user.getByLabel('Coupon').fill('<b>nobody');
    await user.getByRole('button', { name: 'Apply', exact: true }).click();
    await user.getByText('This coupon does not exist').waitFor();
    await user.getByLabel('Coupon').fill(' larger ');
    await user.getByRole('button', { name: 'Apply', exact: true }).click();
    await user.getByText('The prices below include your coupon.').waitFor();
    await lookAt(user, `${panel.url}/user/package?yhq=larger`, 'package-coupon', async () => {
      await user.locator('s').first().waitFor();
      expect(await seriousFindings(user)).toEqual([]);
    });
    await user.goto(`${panel.url}/user/package?yhq=larger&lang=en`);
    await user.getByRole('button', { name: 'Order and pay' }).click();
    await user.waitForURL(/\/pay\/order\//);
    await user.getByText('Coupon LARGER').waitFor();
    await user.locator('form [type=submit]').first().click();
    await user.locator('button[value=pay]').click();
    await user.getByRole('link', { name: 'View the order' }).waitFor();
    await expect.poll(async () => (await hosting.get(id))!.package, { timeout: 20_000 }).toBe('test:large');
    undo();
  });

  it('lets the reseller write a note and mark an order as paid, with a reason', async () => {
    const { id } = await order('By bank transfer');
    await admin.goto(`${panel.url}/admin/order?id=${id}&lang=en`);
    await admin.getByRole('button', { name: 'Add note' }).first().click();
    await admin.fill('#order-note-text', 'Will pay on Friday');
    await admin.locator('#order-note [type=submit]').click();
    await admin.getByText('Note: Will pay on Friday').waitFor();
    await admin.getByRole('button', { name: 'Mark as paid' }).first().click();
    await admin.locator('#order-paid.show').waitFor();
    expect(await seriousFindings(admin)).toEqual([]);
    await admin.fill('#order-paid-text', 'Transfer of Friday');
    await admin.locator('#order-paid [type=submit]').click();
    await admin.getByText('Marked as paid. Reason: Transfer of Friday').waitFor();
    await lookAt(admin, `${panel.url}/admin/order?id=${id}`, 'order-by-hand', async (language) => {
      await admin
        .getByText(language === 'en' ? 'Manual confirmation' : '人工确认')
        .first()
        .waitFor();
    });
  });

  it('lets the reseller check one order with the gateway, and all of some days', async () => {
    const says = { state: 'unpaid' } as GatewayPayment;
    const record = { name: 'Bank', methods: { wire: 'Wire' }, build: () => 'https://pay.example/', query: () => says };
    const undo = panel.get(PaymentRegistry).register('bank', record, 'core');
    const { id, ddh } = await order('Never notified');
    await panel.get(Dispatch).dispatch(ddh, 'bank__wire');
    await admin.goto(`${panel.url}/admin/order?id=${id}&lang=en`);
    await admin.getByRole('button', { name: 'Check gateway' }).first().click();
    await admin.getByRole('heading', { name: 'Gateway results' }).waitFor();
    await admin.getByText('No payment', { exact: true }).waitFor();
    await lookAt(admin, `${panel.url}/admin/order?id=${id}`, 'order-asked', async () => {
      await admin.getByText('Bank', { exact: true }).first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    Object.assign(says, { state: 'paid', trade_no: 'B-lost', amount: 1250 });
    await panel
      .get(Database)
      .repository(OrderInquiry)
      .update({ orderId: Number(id) }, { askedAt: null });
    await admin.goto(`${panel.url}/admin/orders?lang=en`);
    await admin.getByRole('button', { name: 'Check gateways' }).first().click();
    await admin.locator('#orders-ask.show').waitFor();
    expect(await seriousFindings(admin)).toEqual([]);
    await admin.locator('#orders-ask [type=submit]').click();
    await admin.waitForURL(/\/admin\/background/);
    await expect.poll(async () => (await panel.get(Orders).get(ddh))!.status, { timeout: 20_000 }).toBe('paid');
    await admin.goto(`${panel.url}/admin/order?id=${id}&lang=en`);
    await admin.getByText('A query to bank found the payment').waitFor();
    undo();
  });

  it('lists notifications that were not accepted, with their content and without secrets', async () => {
    const { id, ddh } = await order('Wrongly signed');
    await panel.get(Dispatch).dispatch(ddh, 'sandbox__test');
    const body = new URLSearchParams({ out_trade_no: ddh, money: '12.50', sign: 'f'.repeat(32) });
    const answer = await fetch(`${panel.url}/pay/sandbox/notify`, { method: 'POST', body });
    expect(await answer.text()).not.toBe('success');
    await admin.goto(`${panel.url}/admin/orders?lang=en`);
    await admin.getByText('payment notifications were refused').first().waitFor();
    await lookAt(admin, `${panel.url}/admin/payment-log`, 'payment-log', async () => {
      await admin.locator('#rejected').getByText(ddh).first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.goto(`${panel.url}/admin/payment-log?lang=en`);
    await admin.locator('#rejected').getByRole('link', { name: 'Details' }).first().click();
    await admin.getByRole('heading', { name: 'Received content' }).waitFor();
    expect(await admin.locator('pre').innerText()).toContain(ddh);
    expect(await admin.locator('pre').innerText()).not.toContain('f'.repeat(32));
    await lookAt(admin, admin.url(), 'rejected-payment', async () => {
      await admin.locator('pre').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.goto(`${panel.url}/admin/order?id=${id}&lang=en`);
    await admin.getByText('Sandbox refused a notification').waitFor();
    await admin.goto(`${panel.url}/admin/order?id=${id}&lang=zh-CN`);
    expect(await admin.locator('main').innerText()).toContain('沙箱支付');
    await admin.goto(`${panel.url}/admin/payment-log?lang=zh-CN`);
    await admin.locator('#rejected').getByText('沙箱支付').first().waitFor();
    expect(await admin.locator('#rejected').innerText()).not.toMatch(/\bsandbox\b/);
  });

  it('refunds a duplicate payment through its gateway', async () => {
    const refund = () => ({ state: 'done', refund_no: 'R-1', msg: '' }) as const;
    const record = { name: 'Cards', methods: { card: 'Card' }, build: () => false as const, refund };
    const undo = panel.get(PaymentRegistry).register('cards', record, 'core');
    const made = await panel.get(Orders).create({ user: 'owner01', scene: 'by_hand', name: 'Twice', amount: 1250, type: 'cards__card' });
    for (const trade_no of ['C-1', 'C-2']) await panel.get(Settlement).settle(made.number, 'cards', { trade_no, amount: 1250 });
    await lookAt(admin, `${panel.url}/admin/second-payments`, 'second-payments', async () => {
      await admin.locator('#twice').getByText('C-2').first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.goto(`${panel.url}/admin/second-payments?lang=en`);
    const row = admin.locator('#twice tr', { hasText: 'C-2' });
    await row.getByRole('button', { name: 'Refund', exact: true }).click();
    await admin.locator('dialog[open], .modal.show').getByRole('button').last().click();
    await row.getByText('Refunded', { exact: true }).waitFor();
    undo();
  });

  it('has a form for manual orders, statistics, and deletes unpaid orders', async () => {
    await admin.goto(`${panel.url}/admin/orders?lang=en`);
    await admin.getByRole('button', { name: 'New order' }).first().click();
    await admin.locator('#orders-add.show').waitFor();
    expect(await seriousFindings(admin)).toEqual([]);
    await admin.fill('#add-user', 'owner01');
    await admin.fill('#add-name', 'Made by hand');
    await admin.fill('#add-price', 'nothing');
    await admin.locator('#orders-add [type=submit]').click();
    await admin.locator('#orders-add .is-invalid').first().waitFor();
    // Programs get the field's name, people its label.
    expect(await admin.locator('#orders-add [data-form-error]').innerText()).toMatch(/Amount \(¥\) — /);
    await admin.fill('#add-price', '7.77');
    await admin.locator('#orders-add [type=submit]').click();
    const row = admin.locator('#orders tr', { hasText: 'Made by hand' });
    await row.waitFor();
    await lookAt(admin, `${panel.url}/admin/orders`, 'orders', async () => {
      await row.waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.goto(`${panel.url}/admin/orders?lang=en`);
    await row.getByRole('button', { name: 'Delete' }).click();
    await admin.locator('dialog[open], .modal.show').getByRole('button').last().click();
    await row.waitFor({ state: 'detached' });
    const { ddh } = await order('For the statistics');
    await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: 'T-stats', money: '12.50' });
    await lookAt(admin, `${panel.url}/admin/order-statistics`, 'order-statistics', async () => {
      await admin.locator('canvas').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin.goto(`${panel.url}/admin/order-statistics?lang=en&from=2026-12-01&to=2026-01-01`);
    await admin.getByText('dates must be written YYYY-MM-DD').waitFor();
  });

  it('shows a payment that arrives while the order’s page is open', async () => {
    const { id, ddh } = await order('Paid elsewhere');
    await user.goto(`${panel.url}/user/order?id=${id}`);
    await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: 'T-elsewhere', money: '12.50' });
    await user.getByText('Paid ¥12.50').waitFor();
  });

  it('lets its customer cancel, and notifies the reseller of money that still arrives', async () => {
    const { id, ddh } = await order('Cancelled');
    await user.goto(`${panel.url}/user/order?id=${id}`);
    await user.getByRole('button', { name: 'Cancel' }).click();
    await user.locator('dialog[open], .modal.show').getByRole('button').last().click();
    await user.getByText('This order was closed without payment').waitFor();
    await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: 'T-late', money: '12.50' });
    await admin.goto(`${panel.url}/admin/notices`);
    await admin.getByText(`Payment received for closed order ${ddh}`).first().waitFor();
  });
});
