import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { Clock } from '../../common/index.js';
import { type Database } from '../../database/index.js';
import { DeadLetters, DurableEvent, EventDeliveries, EventDelivery, EventListener, type EventDispatcher } from '../../hooks/index.js';
import { type Order, PaymentTransaction } from '../entities/index.js';

import { OrderActionOperations } from './order-actions.operations.js';
import { OrderDeliveryOperations } from './order-delivery.operations.js';

let database: Database;
let parts: PaymentParts;
let operations: OrderActionOperations;
let delivering: OrderDeliveryOperations;
let dispose: () => Promise<void>;
const wake = vi.fn();

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config);
  const { orders, settlement, closing, history } = parts;
  const deadLetters = new DeadLetters(database, new Clock(), { wake } as unknown as EventDispatcher);
  operations = new OrderActionOperations(database, orders, settlement, closing, history);
  delivering = new OrderDeliveryOperations(orders, history, new EventDeliveries(database), deadLetters);
  await database
    .repository(EventListener)
    .save({ key: 'shop:order.paid:#1', owner: 'shop', hook: 'order.paid', priority: 10, active: true });
});
afterAll(() => dispose());

const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });
const make = (): Promise<Order> =>
  parts.orders.create({ user: 'buyer', owner: { account: 7 }, scene: 'hosting', name: 'Plan', amount: 990 });
const history = async ({ id }: Order) =>
  ((await parts.details.showOrder({ id }, boss)).extras as { history: { kind: string; who: string; text: string }[] }).history;
const events = ({ id }: Order): Promise<number> => database.repository(DurableEvent).countBy({ subject: `order:${id}` });

it('an order is marked as paid once, even concurrently, and delivered like any other', async () => {
  const order = await make();
  const answers = await Promise.allSettled([1, 2, 3].map(() => operations.markPaid({ id: order.id, yy: 'bank transfer 12' }, boss)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await parts.orders.get(order.id)).toMatchObject({ status: 'paid', type: 'manual__confirmed' });
  expect(await database.repository(PaymentTransaction).findBy({ orderId: order.id })).toMatchObject([{ gateway: 'manual', amount: 990 }]);
  expect(await events(order)).toBe(1);
  expect((await history(order)).slice(1)).toMatchObject([
    { kind: 'paid', text: expect.stringContaining('Manual confirmation') as string },
    { kind: 'by_hand', who: 'boss', text: 'Marked as paid. Reason: bank transfer 12' },
  ]);
});

it('of a manual and a concurrent gateway settlement one counts, and the other payment is reported', async () => {
  for (let round = 0; round < 10; round += 1) {
    const order = await make();
    await parts.orders.chooseType(order.id, 'bank__wire');
    const byHand = operations.markPaid({ id: order.id, yy: 'seen' }, boss).catch(() => null);
    const byGateway = parts.settlement.settle(order.number, 'bank', { trade_no: `T${order.id}`, amount: 990 });
    const [hand, gateway] = await Promise.all([byHand, byGateway]);
    expect(gateway.ok).toBe(true);
    expect(await events(order)).toBe(1);
    expect((await parts.secondPayments.of(order.id)).length).toBe(hand && gateway.already ? 1 : 0);
  }
});

it('a closed order can also be marked as paid; a paid one can be neither marked nor closed', async () => {
  const order = await make();
  await operations.close({ id: order.id, yy: 'asked by phone' }, boss);
  await expect(operations.close({ id: order.id, yy: 'again' }, boss)).rejects.toMatchObject({ code: 'ORDER_NOT_UNPAID' });
  await operations.markPaid({ id: order.id, yy: 'cash' }, boss);
  for (const action of ['markPaid', 'close'] as const)
    await expect(operations[action]({ id: order.id, yy: 'x' }, boss)).rejects.toMatchObject({ code: 'ORDER_NOT_UNPAID' });
  expect((await history(order)).map(({ kind }) => kind).sort()).toEqual(['by_hand', 'closed', 'created', 'paid']);
  await expect(operations.markPaid({ id: 999_999, yy: 'x' }, boss)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
});

it('notes appear in the history for administrators, and nowhere for the customer', async () => {
  const order = await make();
  await operations.note({ id: order.id, bz: 'Calls back <b>tomorrow</b>' }, boss);
  expect((await history(order)).at(-1)).toMatchObject({ kind: 'note', who: 'boss', text: 'Note: Calls back <b>tomorrow</b>' });
  const own = await parts.details.showOwnOrder({ id: order.id }, testCall({ user: { id: 7, username: 'buyer' } }));
  expect(JSON.stringify(own.extras)).not.toContain('tomorrow');
});

it('failed deliveries are retried as the same delivery, and only if something is pending', async () => {
  const order = await make();
  await operations.markPaid({ id: order.id, yy: 'cash' }, boss);
  await expect(delivering.deliverAgain({ id: order.id }, boss)).rejects.toMatchObject({ code: 'NOTHING_TO_DELIVER' });
  const rows = database.repository(EventDelivery);
  await rows.update({ subject: `order:${order.id}` }, { state: 'dead', attempts: 8, lastError: 'refused' });
  wake.mockClear();
  expect((await delivering.deliverAgain({ id: order.id, yy: 'Server was full' }, boss)).extras).toEqual({ id: order.id, n: 1 });
  expect(await rows.findBy({ subject: `order:${order.id}` })).toMatchObject([{ state: 'pending' }]);
  expect(wake).toHaveBeenCalled();
  const retried = (await history(order)).find(({ kind }) => kind === 'retried');
  expect(retried).toMatchObject({ who: 'boss', text: 'Delivery restarted. Reason: Server was full' });
});
