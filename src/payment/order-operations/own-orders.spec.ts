import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { addOwnerTexts, translate, type Locale } from '../../common/index.js';
import { DurableEvent } from '../../hooks/index.js';
import { type Database } from '../../database/index.js';
import { SiteConfig } from '../../site/entities/index.js';
import type { NoticeDraft, Notices } from '../../notify/index.js';
import type { Order } from '../entities/index.js';

let database: Database;
let parts: PaymentParts;
let dispose: () => Promise<void>;
const told: NoticeDraft[] = [];

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  const notices = { tell: (draft: NoticeDraft) => Promise.resolve(told.push(draft)) } as unknown as Notices;
  parts = paymentParts(database, made.place.config, { notices });
  const build = (_order: unknown, key: string) => ({ wire: '/built', page: '<p>pay</p>', code: { qrcode: 'pay:1' } })[key] ?? false;
  parts.registry.register('bank', { name: 'Bank', methods: { wire: 'W', page: 'P', code: 'C', broken: 'B', off: 'O' }, build }, 'bank');
  await database.repository(SiteConfig).save({ id: 1, api: 'key', payMethods: [] });
  await parts.methods.save(['wire', 'page', 'code', 'broken'].map((method) => ({ plugin: 'bank', method })));
});
afterAll(() => dispose());
beforeEach(() => void told.splice(0));

const as = (id: number) => testCall({ user: { id, username: 'buyer' } });
const make = (): Promise<Order> =>
  parts.orders.create({ user: 'buyer', owner: { account: 7 }, scene: 'hosting', name: 'Plan', amount: 990 });
const pay = async (order: Order, ff: string, id = 7) => (await parts.own.pay({ ddh: order.number, ff }, as(id))).extras;

describe('paying an own order', () => {
  it.each([
    ['bank__wire', { url: '/built' }],
    ['bank__page', { html: '<p>pay</p>' }],
    ['bank__code', { qrcode: 'pay:1' }],
  ])('by %s answers where to go on', async (ff, way) => {
    const order = await make();
    expect(await pay(order, ff)).toEqual({
      ddh: order.number,
      rmb: '9.90',
      pay_path: `/pay/order/${order.number}?k=${order.accessKey}`,
      ...way,
    });
    expect(await parts.orders.get(order.id)).toMatchObject({ type: ff, status: 'unpaid' });
  });

  it("is rejected for an unavailable or failing method, and for an order that is not unpaid or not one's own", async () => {
    const order = await make();
    await expect(pay(order, 'bank__off')).rejects.toMatchObject({ code: 'METHOD_NOT_OFFERED' });
    await expect(pay(order, 'bank__broken')).rejects.toMatchObject({ code: 'GATEWAY_NOT_NOW' });
    await expect(pay(order, 'bank__wire', 8)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    await pay(order, 'bank__wire');
    await parts.settlement.settle(order.number, 'bank', { trade_no: 'T1', amount: 990 });
    await expect(pay(order, 'bank__wire')).rejects.toMatchObject({ code: 'ORDER_NOT_UNPAID' });
  });
});

describe('the methods an own order can be paid by (zffs)', () => {
  const offered = async (ddh?: string, id = 7) => (await parts.own.offered({ ddh }, as(id))).rows;

  it('are those that accept its amount, in order; without an order all', async () => {
    const order = await make();
    const all = await offered();
    expect(all.map((row) => (row as { ff: string }).ff)).toEqual(['bank__wire', 'bank__page', 'bank__code', 'bank__broken']);
    expect(all[0]).toEqual({ ff: 'bank__wire', name: 'W', icon: '' });
    const kept = parts.methods.enabled();
    await parts.methods.save(kept.map((row) => (row.method === 'wire' ? { ...row, min: 10_000 } : row)));
    expect(await offered(order.number)).toHaveLength(3);
    expect(await offered()).toHaveLength(4);
    await parts.methods.save(kept);
  });

  it.each(['nope', "' OR 1=1 --"])("are not returned for another owner's order, nor for %j", async (number) => {
    const order = await make();
    await expect(offered(order.number, 8)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    await expect(offered(number)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });
});

describe('cancelling an own order', () => {
  it('closes it once, and records who did', async () => {
    const order = await make();
    await expect(parts.own.cancel({ ddh: order.number }, as(8))).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    const answers = await Promise.allSettled([1, 2, 3].map(() => parts.own.cancel({ ddh: order.number }, as(7))));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await parts.orders.get(order.id)).toMatchObject({ status: 'closed' });
    expect(await parts.history.of(order.id)).toMatchObject([{ what: 'closed', source: 'user' }]);
  });

  it('does not lose a payment in progress: it settles, is delivered, and the reseller is notified once', async () => {
    const order = await make();
    await pay(order, 'bank__wire');
    await parts.own.cancel({ ddh: order.number }, as(7));
    const results = await Promise.all(
      [1, 2, 3].map(() => parts.settlement.settle(order.number, 'bank', { trade_no: 'T-late', amount: 990 })),
    );
    expect(results.filter(({ ok, already }) => ok && !already)).toHaveLength(1);
    expect(await parts.orders.get(order.id)).toMatchObject({ status: 'paid' });
    expect(await database.repository(DurableEvent).countBy({ hook: 'order.paid', subject: `order:${order.id}` })).toBe(1);
    expect(told).toMatchObject([{ to: 'administrators', key: `late-payment:${order.id}`, link: `/admin/order?id=${order.id}` }]);
    await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-twice', amount: 990 });
    // Each reader has the gateway's name in his own language, also where it is named by its plugin alone.
    const forget = addOwnerTexts('bank', { 'zh-CN': { 'gateway.bank': '银行' }, en: { 'gateway.bank': 'The bank' } });
    const words = (locale: Locale) => told.map(({ text }) => translate(locale, text.key, text.params));
    for (const text of words('en')) expect(text).toContain('through The bank (');
    for (const text of words('zh-CN')) expect(text).toContain('银行');
    forget();
    expect(words('en')[1]).toContain('arrived through Bank (transaction T-twice)');
  });
});

it('an order cancelled and paid concurrently is paid, whichever comes first', async () => {
  for (let round = 0; round < 20; round += 1) {
    const order = await make();
    await pay(order, 'bank__wire');
    const settle = () => parts.settlement.settle(order.number, 'bank', { trade_no: `race-${order.id}`, amount: 990 });
    const cancel = () => parts.own.cancel({ ddh: order.number }, as(7)).catch(() => null);
    const [result] = await Promise.all(round % 2 ? [settle(), cancel()] : [cancel().then(settle), null]);
    expect(result).toMatchObject({ ok: true, already: false });
    expect(await parts.orders.get(order.id)).toMatchObject({ status: 'paid' });
  }
});
