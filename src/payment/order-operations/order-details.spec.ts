import { afterAll, beforeAll, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { addOwnerTexts } from '../../common/index.js';
import { type Database } from '../../database/index.js';
import { EventDelivery, EventListener } from '../../hooks/index.js';
import type { Order } from '../entities/index.js';

import type { HistoryLine } from './order-history.js';

let database: Database;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config);
  parts.registry.register(
    'bank',
    { name: 'Bank', methods: { wire: 'Wire', broken: 'Broken' }, build: (_order, key) => key === 'wire' && '/built' },
    'bank',
  );
});
afterAll(() => dispose());

const admin = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });
const owner = (id: number) => testCall({ user: { id, username: 'buyer' }, locale: 'en' });
const make = (): Promise<Order> =>
  parts.orders.create({ user: 'buyer', owner: { account: 7 }, scene: 'hosting', name: 'Plan', amount: 1_250, ip: '203.0.113.9' });

interface Shown {
  readonly order: Record<string, unknown>;
  readonly payment: object | null;
  readonly history: readonly HistoryLine[];
  readonly deliveries: readonly Record<string, unknown>[];
  readonly delivering: boolean;
}
const shown = async (order: Order): Promise<Shown> => (await parts.details.showOrder({ id: order.id }, admin)).extras as never;
const shownTo = async (id: number, order: Order): Promise<Shown> =>
  (await parts.details.showOwnOrder({ ddh: order.number }, owner(id))).extras as never;
const kinds = ({ history }: Shown): string[] => history.map(({ kind }) => kind);

it('shows an order by id or number, with what settled it', async () => {
  const { id, number: ddh } = await make();
  expect((await parts.details.showOrder({ id }, admin)).extras).toMatchObject({ order: { ddh, qk: 'unpaid', cs: {} }, payment: null });
  await parts.dispatch.dispatch(id, 'bank__wire');
  await parts.settlement.settle(ddh, 'bank', { trade_no: 'T-1', money: '12.50' });
  expect((await parts.details.showOrder({ ddh }, admin)).extras).toMatchObject({
    order: { id, qk: 'paid', ffmc: 'Bank · Wire' },
    payment: { gateway: 'bank', trade_no: 'T-1', rmb: '12.50', amount_checked: true },
  });
  await expect(parts.details.showOrder({}, admin)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
});

it('shows the complete history in order, and customers only their part', async () => {
  const order = await make();
  await parts.dispatch.dispatch(order.id, 'bank__broken');
  await parts.dispatch.dispatch(order.id, 'bank__wire');
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-2', money: '12.49' });
  await parts.settlement.settle(order.number, 'other', { trade_no: 'T-2', money: '12.50' });
  await parts.closing.close(order.id, { source: 'admin', actor: 'boss' }, { reason: 'asked by phone' });
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-2', money: '12.50' });
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-2', money: '12.50' });
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-3', money: '12.50' });

  const told = await shown(order);
  expect(kinds(told)).toEqual(['created', 'not_sent', 'sent', 'refused', 'refused', 'closed', 'paid', 'repeated', 'second']);
  expect(told.history[3]).toMatchObject({
    who: 'Bank',
    text: "A payment notification was refused: the amount paid differs from the order's amount (amount 12.49, transaction T-2)",
  });
  expect(told.history[5]).toMatchObject({ who: 'boss', text: 'Closed without payment. Reason: asked by phone' });
  expect(told.history[6]).toMatchObject({ text: 'Paid ¥12.50 by Bank · Wire, transaction T-2' });

  const own = await shownTo(7, order);
  expect(kinds(own)).toEqual(['created', 'sent', 'closed', 'paid']);
  expect(own.history[2]!.who).toBe('Administrator');
  expect(JSON.stringify(own)).not.toContain('203.0.113.9');
  const foreign: unknown = await shownTo(8, order).catch((error: unknown) => error);
  expect(foreign).toMatchObject({ code: 'ORDER_NOT_FOUND' });
});

it("names gateway and receivers in the reader's language; a removed gateway by its slug", async () => {
  const forget = addOwnerTexts('bank', {
    en: { 'gateway.bank': 'Our bank' },
    'zh-CN': { 'gateway.bank': '我们的银行', 'plugin.name': '银行' },
  });
  const order = await make();
  await parts.dispatch.dispatch(order.id, 'bank__wire');
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-N', money: '12.50' });
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-M', money: '12.50' });
  const chinese = testCall({ admin: { id: 1, username: 'boss' }, locale: 'zh-CN' });
  const told = (await parts.details.showOrder({ id: order.id }, chinese)).extras as unknown as Shown;
  expect(told.payment).toMatchObject({ gateway: 'bank', jkmc: '我们的银行' });
  expect(told.history.find(({ kind }) => kind === 'second')).toMatchObject({ who: '我们的银行' });
  expect(told.history.find(({ kind }) => kind === 'second')!.text).toContain('我们的银行');
  expect((await shown(order)).payment).toMatchObject({ jkmc: 'Our bank' });
  expect(['manual', 'coupon', 'gone'].map((slug) => parts.methods.gatewayName(slug, 'en'))).toEqual([
    'Manual confirmation',
    'Coupon',
    'gone',
  ]);
  forget();
});

it('stores a limited number of refused notifications per order', async () => {
  const order = await make();
  for (let time = 0; time < 60; time += 1) await parts.settlement.settle(order.number, 'stranger', { money: '1' });
  expect(kinds(await shown(order)).filter((kind) => kind === 'refused')).toHaveLength(50);
});

it('shows the deliveries and their outcome; the customer only that they are in progress', async () => {
  await database
    .repository(EventListener)
    .save({ key: 'shop:order.paid:#1', owner: 'shop', hook: 'order.paid', priority: 10, active: true });
  const order = await make();
  await parts.dispatch.dispatch(order.id, 'bank__wire');
  await parts.settlement.settle(order.number, 'bank', { trade_no: 'T-9', money: '12.50' });
  expect((await shown(order)).deliveries).toMatchObject([
    { listener: 'shop:order.paid:#1', owner: 'shop', jsz: 'shop', state: 'pending', attempts: 0, error: null },
  ]);
  expect((await shownTo(7, order)).delivering).toBe(true);
  await database.repository(EventDelivery).update({ subject: `order:${order.id}` }, { state: 'done' });
  expect((await shownTo(7, order)).delivering).toBe(false);
});
