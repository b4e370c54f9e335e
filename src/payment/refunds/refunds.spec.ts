import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import type { Database } from '../../database/index.js';
import type { GatewayRefundResult } from '../../sdk/index.js';
import { type Order, Refund } from '../entities/index.js';

import { RefundOperations } from './refund.operations.js';

const CAN = 'canrefund';
const CANNOT = 'cannot';
/** Longer than an answer is waited for. */
const LATER_MS = 120_000;

let database: Database;
let parts: PaymentParts;
let operations: RefundOperations;
let dispose: () => Promise<void>;
let clock: ManualClock;
const tell = vi.fn(() => Promise.resolve(1));
const refund = vi.fn<(order: unknown, request: { id: string; amount: number }) => GatewayRefundResult | Promise<GatewayRefundResult>>();
const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));
  parts = paymentParts(database, made.place.config, { clock, notices: { tell } as never });
  operations = new RefundOperations(parts.orders, parts.refunds, parts.refundRepository);
  const record = { name: 'Gateway', methods: { a: 'A' }, build: () => false as const };
  parts.registry.register(CAN, { ...record, refund }, CAN);
  parts.registry.register(CANNOT, record, CANNOT);
});
afterAll(() => dispose());
beforeEach(() => {
  tell.mockClear();
  refund.mockReset().mockResolvedValue({ state: 'done', refund_no: 'R-1', msg: '' });
});

async function paid(gateway = CAN, amount = 990): Promise<Order> {
  const order = await parts.orders.create({
    user: 'buyer1',
    owner: { account: 7 },
    scene: 'hosting',
    name: 'Plan',
    amount,
    type: `${gateway}__a`,
  });
  expect(await parts.settlement.settle(order.number, gateway, { trade_no: `T${order.id}`, amount })).toMatchObject({ ok: true });
  return order;
}
const give = (order: Order, rmb: string, qd: 'gateway' | 'hand' = 'gateway') =>
  operations.refund({ id: order.id, rmb, qd, yy: 'too slow' }, boss);
const status = async ({ id }: Order): Promise<string> => (await parts.orders.get(id))!.status;
const rows = ({ id }: Order): Promise<Refund[]> => database.repository(Refund).find({ where: { orderId: id }, order: { id: 'ASC' } });
const shown = async ({ id }: Order) =>
  (await parts.details.showOrder({ id }, boss)).extras as { refundable: string; refund_by_gateway: boolean; history: { kind: string }[] };

describe('refunds', () => {
  it('update the order and notify its owner, partially or fully, and never exceed the payment', async () => {
    const order = await paid();
    expect((await give(order, '3.00')).extras).toMatchObject({ zt: 'done', rmb: '3.00', tkh: `${order.number}R1` });
    expect(await status(order)).toBe('partly_refunded');
    expect(await shown(order)).toMatchObject({ refundable: '6.90', refund_by_gateway: true });
    await expect(give(order, '6.91')).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
    await give(order, '6.90', 'hand');
    expect(await status(order)).toBe('refunded');
    await expect(give(order, '0.01', 'hand')).rejects.toMatchObject({ code: 'NOT_REFUNDABLE' });
    expect((await shown(order)).history.map(({ kind }) => kind)).toEqual([
      'created',
      'paid',
      'refund_gateway',
      'refund_done',
      'refund_hand',
      'refund_done',
    ]);
    expect(tell.mock.calls.filter(([notice]: unknown[]) => String((notice as { key: string }).key).startsWith('refund:'))).toHaveLength(2);
    // Paid once more, it is not settled again.
    expect(await parts.settlement.settle(order.number, CAN, { trade_no: 'again', amount: 990 })).toMatchObject({ ok: false });
    const own = await parts.details.showOwnOrder({ id: order.id }, testCall({ user: { id: 7, username: 'buyer1' }, locale: 'en' }));
    expect((own.extras as { history: { kind: string }[] }).history.map(({ kind }) => kind)).toEqual([
      'created',
      'paid',
      'refund_done',
      'refund_done',
    ]);
  });

  it('never exceed the payment under concurrency', async () => {
    const order = await paid();
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => give(order, '3.00', n % 2 ? 'hand' : 'gateway')));
    expect(all.filter(({ status: end }) => end === 'fulfilled')).toHaveLength(3);
    expect((await rows(order)).reduce((sum, { amount }) => sum + amount, 0)).toBe(900);
    expect(new Set((await rows(order)).map(({ number }) => number)).size).toBe(3);
  });

  it('need a paid order, and a gateway that supports them', async () => {
    const open = await parts.orders.create({ user: 'b', scene: 's', name: 'n', amount: 100 });
    for (const way of ['gateway', 'hand'] as const) await expect(give(open, '1.00', way)).rejects.toMatchObject({ code: 'NOT_REFUNDABLE' });
    const order = await paid(CANNOT);
    await expect(give(order, '1.00')).rejects.toMatchObject({ code: 'REFUND_BY_HAND' });
    expect(await rows(order)).toEqual([]);
    expect(await shown(order)).toMatchObject({ refund_by_gateway: false });
  });
});

describe('a gateway', () => {
  it('that refuses reports why, and the amount can be refunded again', async () => {
    const order = await paid();
    refund.mockResolvedValueOnce({ state: 'refused', msg: 'No balance' });
    expect((await give(order, '9.90')).extras).toMatchObject({ zt: 'refused' });
    expect(await status(order)).toBe('paid');
    expect((await give(order, '9.90')).extras).toMatchObject({ zt: 'done', tkh: `${order.number}R2` });
    expect(await status(order)).toBe('refunded');
  });

  it('that throws, returns invalid results or takes its time leaves it pending; it is asked again with the same number', async () => {
    for (const answer of [
      () => Promise.reject(new Error('lost')),
      () => ({ state: 'maybe' }) as never,
      () => ({ state: 'pending', msg: 'Soon' }) as const,
    ]) {
      const order = await paid();
      refund.mockReset().mockImplementationOnce(answer).mockResolvedValue({ state: 'done', msg: '' });
      expect((await give(order, '9.90')).extras).toMatchObject({ zt: 'pending' });
      expect(await status(order)).toBe('paid');
      // What waits may have been given back.
      await expect(give(order, '0.01')).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
      clock.advance(LATER_MS);
      const [row] = await rows(order);
      const answers = await Promise.all([1, 2, 3].map(() => operations.askAgain({ id: row!.id }, boss).catch(() => null)));
      expect(answers.some((reply) => reply !== null)).toBe(true);
      expect(refund.mock.calls.map(([, { id, amount }]) => [id, amount])).toEqual([
        [row!.number, 990],
        [row!.number, 990],
      ]);
      expect(await status(order)).toBe('refunded');
      await expect(operations.askAgain({ id: row!.id }, boss)).rejects.toMatchObject({ code: 'REFUND_KNOWN' });
    }
  });

  it('is asked by the job about refunds of a crashed process, but not while it is disabled', async () => {
    const order = await paid();
    const left = await parts.refundRepository.reserve({ orderId: order.id, amount: 990, way: 'gateway', reason: 'x', actor: 'boss' });
    const off = await paid();
    await parts.refundRepository.reserve({ orderId: off.id, amount: 990, way: 'gateway', reason: 'x', actor: 'boss' });
    await database.repository(Refund).update({ orderId: off.id }, { gateway: 'gone' });
    expect(await parts.refunds.askAll()).toBe(1);
    expect(refund.mock.calls.map(([, { id }]) => id)).toEqual([left.number]);
    expect([await status(order), await status(off)]).toEqual(['refunded', 'paid']);
  });

  it('that never reports the outcome can be overruled manually', async () => {
    refund.mockResolvedValue({ state: 'pending', msg: '' });
    for (const [jg, end, left] of [
      ['done', 'refunded', '0.00'],
      ['refused', 'paid', '9.90'],
    ] as const) {
      const order = await paid();
      await give(order, '9.90');
      const [{ id }] = (await rows(order)) as [Refund];
      await operations.recordOutcome({ id, jg });
      await expect(operations.recordOutcome({ id, jg })).rejects.toMatchObject({ code: 'REFUND_KNOWN' });
      expect([await status(order), (await shown(order)).refundable]).toEqual([end, left]);
    }
    await expect(operations.recordOutcome({ id: 999_999, jg: 'done' })).rejects.toMatchObject({ code: 'REFUND_NOT_FOUND' });
  });
});
