/** The owner of an order is notified of a refund: once, in his language, on his page and by mail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Customer } from '../../src/customers/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingService } from '../../src/hosting/index.js';
import { BackgroundQueue } from '../../src/jobs/index.js';
import { Notice } from '../../src/notify/index.js';
import { type Order, Orders, PaymentRegistry, SecondPayment, Settlement } from '../../src/payment/index.js';
import type { GatewayRefundResult, OrderOwner } from '../../src/sdk/index.js';
import { AccountVisitor } from '../support/account-visitor.js';
import { startMailServer, type TestMailServer } from '../support/mail-server.js';
import { TestPanel } from '../support/panel.js';

const PASSWORD = 'a-pass-word-1';
let panel: TestPanel;
let server: TestMailServer;
let answer: GatewayRefundResult = { state: 'done', refund_no: 'R', msg: '' };

beforeAll(async () => {
  panel = await TestPanel.start();
  server = await startMailServer();
  await panel.enable('accounts');
  await panel.admin('mailmode', { host: '127.0.0.1', port: String(server.port), tls: 'none', from: 'panel@sail.test' });
  const record = { name: 'Bank', methods: { a: 'A' }, build: () => false as const, refund: () => answer };
  panel.get(PaymentRegistry).register('bank', record, 'bank');
});
afterAll(async () => {
  await panel?.close();
  await server?.close();
});

async function customer(username: string, locale: string): Promise<{ id: number; visitor: AccountVisitor }> {
  const visitor = new AccountVisitor(panel);
  visitor.cookies.set('lang', locale);
  const form = { username, password: PASSWORD, password2: PASSWORD, email: `${username}@mail.test`, qq: '' };
  expect(await visitor.api('register', form)).toMatchObject({ code: 'ok' });
  const { id } = await panel.get(Database).repository(Customer).findOneByOrFail({ username });
  return { id, visitor };
}
async function host(user: string): Promise<number> {
  const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: PASSWORD, expiresOn: null }, 'admin');
  await panel
    .get(Database)
    .repository(HostingAccount)
    .update({ id }, { email: `${user}@mail.test` });
  return id;
}
async function paid(owner: OrderOwner | null, user = 'somebody else'): Promise<Order> {
  const order = await panel.get(Orders).create({ user, owner, scene: 'hosting', name: 'Plan', amount: 1_000, type: 'bank__a' });
  expect(await panel.get(Settlement).settle(order.number, 'bank', { trade_no: `T${order.id}`, amount: 1_000 })).toMatchObject({ ok: true });
  return order;
}
const back = (order: Order, rmb: string, qd: string) => panel.admin('ddtk', { id: String(order.id), rmb, qd, yy: 'too slow' });
async function mailsTo(address: string): Promise<string[]> {
  await panel.get(BackgroundQueue).idle();
  return server.mails
    .filter(({ to }) => to === address)
    .map(({ text }) =>
      text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    );
}
const told = (side: 'user' | 'customer', accountId: number) =>
  panel
    .get(Database)
    .repository(Notice)
    .find({ where: { side, accountId, kind: 'payment' }, order: { id: 'ASC' } });

describe('a refund', () => {
  it('notifies the customer who owns the order, on their page and by mail, in their language', async () => {
    const { id, visitor } = await customer('refundee1', 'en');
    const order = await paid({ customer: id });
    expect(await back(order, '3', 'gateway')).toMatchObject({ success: true });
    expect(await back(order, '7', 'ye')).toMatchObject({ success: true });
    const [part, rest, ...more] = await told('customer', id);
    expect(more).toEqual([]);
    expect([part!.title, part!.content]).toEqual([
      `Order ${order.number} was refunded`,
      `¥3.00 of order ${order.number} was refunded to your original payment method. It may take a few days to arrive.`,
    ]);
    expect(rest!.content).toContain('¥7.00');
    expect(rest!.content).toContain('to your credit');
    const mails = await mailsTo('refundee1@mail.test');
    expect(mails).toHaveLength(2);
    expect(mails[0]).toContain(`Order ${order.number} was refunded`);
    expect(mails[0]).toContain(`/pay/order/${order.number}?k=`);
    expect(mails[0]).not.toMatch(/List-Unsubscribe|notice-settings/);
    const page = await visitor.page('/account/notices');
    expect(page).toContain(`href="/pay/order/${order.number}?k=`);
    expect(page).toContain('View order');
    expect(await (await panel.fetch(part!.link, { headers: { Cookie: 'lang=en' } })).text()).toContain('This order was refunded');
    expect((await visitor.send('POST', '/account/notices/read', {})).status).toBe(303);
    expect((await told('customer', id)).map(({ isRead }) => isRead)).toEqual([true, true]);
  });

  it('notifies once after a delay of the gateway, and never if it refuses', async () => {
    const { id } = await customer('refundee2', 'zh-CN');
    const order = await paid({ customer: id });
    answer = { state: 'refused', msg: 'no' };
    await back(order, '1', 'gateway');
    answer = { state: 'pending', msg: '' };
    const { id: refund } = (await back(order, '2', 'gateway')) as unknown as { id: number };
    expect(await told('customer', id)).toEqual([]);
    const ends = Array.from({ length: 5 }, () => panel.admin('ddtkjg', { id: String(refund), jg: 'done' }));
    expect((await Promise.all(ends)).filter(({ success }) => success)).toHaveLength(1);
    answer = { state: 'done', refund_no: 'R', msg: '' };
    expect((await told('customer', id)).map(({ title }) => title)).toEqual([`订单 ${order.number} 已退款`]);
    expect(await mailsTo('refundee2@mail.test')).toHaveLength(1);
  });

  it('notifies the host that owns the order, whatever name it was made in, and no host with a similar name', async () => {
    const [mine, other] = [await host('refhost1'), await host('refhost2')];
    const order = await paid({ account: mine }, 'refhost2');
    await back(order, '10', 'hand');
    expect((await told('user', mine)).map(({ link, level }) => [link, level])).toEqual([[`/user/order?id=${order.id}`, 'success']]);
    expect(await told('user', other)).toEqual([]);
    expect([(await mailsTo('refhost1@mail.test')).length, (await mailsTo('refhost2@mail.test')).length]).toEqual([1, 0]);
    const nobodys = await paid(null, 'refhost2');
    expect(await back(nobodys, '10', 'hand')).toMatchObject({ success: true });
    expect(await told('user', other)).toEqual([]);
  });

  it('of a double payment notifies the payer, once', async () => {
    const { id } = await customer('refundee3', 'en');
    const order = await paid({ customer: id });
    await panel.get(Settlement).settle(order.number, 'bank', { trade_no: 'again', amount: 1_000 });
    const second = await panel.get(Database).repository(SecondPayment).findOneByOrFail({ orderId: order.id });
    const done = await Promise.all([1, 2, 3].map(() => panel.admin('zftk', { id: String(second.id) })));
    expect(done.filter(({ success }) => success)).toHaveLength(1);
    const [notice, ...more] = await told('customer', id);
    expect([more, notice?.title]).toEqual([[], `You paid order ${order.number} twice`]);
    expect(notice!.content).toContain('was refunded');
  });
});
