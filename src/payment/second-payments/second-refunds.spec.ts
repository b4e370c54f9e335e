import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import type { Database } from '../../database/index.js';
import type { GatewayRefundResult } from '../../sdk/index.js';
import { SecondPayment } from '../entities/index.js';

import { SecondPaymentOperations } from './second-payment.operations.js';
import { SecondRefunds } from './second-refunds.js';

const LATER_MS = 120_000;

let database: Database;
let parts: PaymentParts;
let refunds: SecondRefunds;
let operations: SecondPaymentOperations;
let dispose: () => Promise<void>;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));
const refund = vi.fn<(order: unknown, request: { id: string; amount: number; trade_no: string }) => Promise<GatewayRefundResult>>();

const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });
beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config, { clock });
  refunds = new SecondRefunds(database, clock, parts.orders, parts.calls, parts.notices);
  operations = new SecondPaymentOperations(made.place.config, parts.secondPayments, refunds, parts.methods);
  const record = { name: 'Gateway', methods: { a: 'A' }, build: () => false as const };
  parts.registry.register('can', { ...record, refund }, 'can');
  parts.registry.register('cannot', record, 'cannot');
});
afterAll(() => dispose());
beforeEach(() => refund.mockReset().mockResolvedValue({ state: 'done', refund_no: 'R-1', msg: '' }));

async function second(gateway = 'can'): Promise<SecondPayment> {
  const order = await parts.orders.create({ user: 'b', scene: 'hosting', name: 'Plan', amount: 990, type: `${gateway}__a` });
  for (const part of ['A', 'B']) await parts.settlement.settle(order.number, gateway, { trade_no: `${part}${order.id}`, amount: 990 });
  return database.repository(SecondPayment).findOneByOrFail({ orderId: order.id });
}
const rowsOf = async (zt?: 'open' | 'done') =>
  (await operations.list({ page: 1, limit: 100, sortOrder: 'desc', zt } as never, boss)).rows as {
    id: number;
    zt: string;
    by_gateway: boolean;
  }[];
const give = ({ id }: { id: number }) => operations.giveBack({ id }, boss);

describe('a second payment', () => {
  it('is listed, and refunded by its gateway once, however often it is requested', async () => {
    const payment = await second();
    expect(await rowsOf('open')).toMatchObject([{ id: payment.id, zt: 'open', by_gateway: true, rmb: '9.90' }]);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => give(payment)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(refund).toHaveBeenCalledTimes(1);
    expect(refund.mock.calls[0]![1]).toMatchObject({ amount: 990, trade_no: payment.tradeNumber });
    await expect(give(payment)).rejects.toMatchObject({ code: 'SECOND_PAYMENT_NOT_FOUND' });
    expect(await rowsOf('open')).toEqual([]);
    expect(await rowsOf('done')).toMatchObject([{ id: payment.id, zt: 'done', by_gateway: false }]);
    // The order itself stays paid.
    expect((await parts.orders.get(payment.orderId))!.status).toBe('paid');
  });

  it('with unknown outcome is asked about again with the same number', async () => {
    for (const answer of [() => Promise.reject(new Error('lost')), () => Promise.resolve({ state: 'pending', msg: 'Soon' } as const)]) {
      const payment = await second();
      refund.mockReset().mockImplementationOnce(answer).mockResolvedValue({ state: 'done', msg: '' });
      expect((await give(payment)).extras).toMatchObject({ zt: 'pending' });
      await expect(give(payment)).rejects.toMatchObject({ code: 'REFUND_ASKED' });
      clock.advance(LATER_MS);
      expect(await refunds.askAll()).toBe(1);
      expect(new Set(refund.mock.calls.map(([, { id }]) => id)).size).toBe(1);
      expect((await rowsOf()).find(({ id }) => id === payment.id)).toMatchObject({ zt: 'done' });
    }
    expect(await refunds.askAll()).toBe(0);
  });

  it('that is refused states the reason and can be retried or recorded manually; without gateway support only manually', async () => {
    const payment = await second();
    refund.mockResolvedValueOnce({ state: 'refused', msg: 'No balance' });
    expect((await give(payment)).extras).toMatchObject({ zt: 'refused' });
    expect(await rowsOf('open')).toMatchObject([{ zt: 'refused', words: 'No balance' }]);
    expect((await give(payment)).extras).toMatchObject({ zt: 'done' });
    const other = await second('cannot');
    await expect(give(other)).rejects.toMatchObject({ code: 'REFUND_BY_HAND' });
    expect(await parts.secondPayments.refunded(other.id)).toBe(true);
    await expect(give({ id: 999_999 })).rejects.toMatchObject({ code: 'SECOND_PAYMENT_NOT_FOUND' });
  });
});
