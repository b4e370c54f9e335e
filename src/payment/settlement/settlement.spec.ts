import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { toYuan } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { DurableEvent, EventDelivery, EventListener } from '../../hooks/index.js';
import { OperationLog } from '../../operations/index.js';
import type { SettlementExtra, SettlementResult } from '../../sdk/index.js';
import { Order, PaymentTransaction } from '../entities/index.js';

let database: Database;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config);
  await database
    .repository(EventListener)
    .save({ key: 'shop:order.paid:0', owner: 'shop', hook: 'order.paid', priority: 10, active: true });
});
afterAll(() => dispose());

const create = (extra: { amount?: number; type?: string } = {}): Promise<Order> =>
  parts.orders.create({
    user: 'buyer',
    scene: 'hosting',
    name: 'Plan',
    amount: 1_250,
    type: 'alpha__card',
    context: { plan: 7 },
    ...extra,
  });
const eventsOf = (order: Order): Promise<DurableEvent[]> => database.repository(DurableEvent).findBy({ subject: `order:${order.id}` });
const lastLine = async (): Promise<OperationLog> => (await database.repository(OperationLog).find({ order: { id: 'DESC' }, take: 1 }))[0]!;
const refused = (msg: string): SettlementResult => ({ ok: false, already: false, msg });

describe('settle', () => {
  it('pays the order, writes the event with its deliveries, and says "already" from then on', async () => {
    const order = await create();
    const extra = { trade_no: 'T-basic', money: '12.5', raw: { sign: 'x' } };
    expect(await parts.settlement.settle(order.number, 'alpha', extra)).toEqual({ ok: true, already: false, msg: '支付成功' });
    expect(await lastLine()).toMatchObject({ actor: '支付回调', category: '支付回调', summary: `${order.number} alpha 支付成功` });
    expect((await lastLine()).outcome).toContain('"sign":"x"');
    expect(await parts.settlement.settle(order.number, 'alpha', extra)).toEqual({ ok: true, already: true, msg: '该订单已被系统处理' });
    const paid = (await parts.orders.get(order.id))!;
    expect(paid.status).toBe('paid');
    expect(Math.abs(paid.paidAt!.getTime() - Date.now())).toBeLessThan(60_000);
    const [event, ...more] = await eventsOf(order);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ hook: 'order.paid', source: 'alpha', args: [parts.orders.toOrderRecord(order)] });
    expect(event!.row).toMatchObject({ ddh: order.number, qk: 'paid', rmb: '12.50', trade_no: 'T-basic', cs: { plan: 7 } });
    expect(JSON.stringify(event!.row)).not.toContain(order.accessKey);
    expect(await database.repository(EventDelivery).findBy({ eventId: event!.id })).toHaveLength(1);
    expect(await database.repository(PaymentTransaction).findOneBy({ orderId: order.id })).toMatchObject({
      gateway: 'alpha',
      tradeNumber: 'T-basic',
      amount: 1_250,
      amountChecked: true,
    });
  });

  it('trusts only the number of a record', async () => {
    const order = await create();
    const forged = { ...parts.orders.toOrderRecord(order), amount: 1, money: '0.01', type: 'beta__card', id: order.id + 1 };
    expect(await parts.settlement.settle(forged, 'alpha', { money: '0.01' })).toEqual(refused('订单金额不一致'));
    expect(await parts.settlement.settle(forged, 'beta', { money: '12.50' })).toEqual(refused('订单的支付方式不属于该支付接口'));
    expect(await parts.settlement.settle(forged, 'alpha', { money: '12.50' })).toMatchObject({ ok: true, already: false });
  });

  it.each<[string, SettlementExtra, string]>([
    ['alpha', { money: '12.49' }, '订单金额不一致'],
    ['alpha', { amount: 1_249 }, '订单金额不一致'],
    ['alpha', { amount: 1_249, money: '12.50' }, '订单金额不一致'],
    ['alpha', { money: '' }, '支付金额无法识别'],
    ['alpha', { money: '12.505' }, '支付金额无法识别'],
    ['alpha', { money: '1e3' }, '支付金额无法识别'],
    ['alpha', { money: Infinity }, '支付金额无法识别'],
    ['alpha', { money: ['12.50'] as never }, '支付金额无法识别'],
    ['alpha', { amount: '1250' as never }, '支付金额无法识别'],
    ['alpha', { amount: 1_250.5 }, '支付金额无法识别'],
    ['alpha', { money: '12.50', currency: 'USD' }, '订单币种不一致'],
    ['alpha', { money: '12.50', currency: '' }, '订单币种不一致'],
    ['alpha', { money: '12.50', trade_no: 'x'.repeat(129) }, '支付交易号无法识别'],
    ['alpha', { money: '12.50', trade_no: { $ne: 1 } as never }, '支付交易号无法识别'],
    ['beta', { money: '12.50' }, '订单的支付方式不属于该支付接口'],
    ['Alpha', { money: '12.50' }, '订单的支付方式不属于该支付接口'],
  ])('refuses %s with %o: %s', async (gateway, extra, msg) => {
    const order = await create();
    expect(await parts.settlement.settle(order.number, gateway, extra)).toEqual(refused(msg));
    expect(await parts.orders.get(order.id)).toEqual(order);
    expect(await eventsOf(order)).toEqual([]);
    expect((await lastLine()).summary).toBe(`${order.number} ${gateway} ${msg}`);
    // The refusal has spoilt nothing: the right notification still settles.
    expect(await parts.settlement.settle(order.number, 'alpha', { money: 12.5, currency: 'cny' })).toMatchObject({
      ok: true,
      already: false,
    });
  });

  it.each(['nope', '', null, undefined, 7, {}, "' OR 1=1 --"])('rejects the unknown order %j', async (number) => {
    expect(await parts.settlement.settle(number as never, 'alpha', { money: '12.50' })).toEqual(refused('订单不存在'));
  });

  it("settles at the order's own amount if the gateway reports none, and logs it", async () => {
    const order = await create();
    expect(await parts.settlement.settle(order.number, 'alpha')).toMatchObject({ ok: true, already: false });
    expect((await lastLine()).summary).toContain('未核对');
    expect(await database.repository(PaymentTransaction).findOneBy({ orderId: order.id })).toMatchObject({
      tradeNumber: order.number,
      amountChecked: false,
    });
  });

  it("lets a gateway's transaction settle one order only, whatever blanks surround its number", async () => {
    const [first, second] = [await create(), await create()];
    await parts.orders.close(second.id);
    expect((await parts.settlement.settle(first.number, 'alpha', { trade_no: 'T-one' })).ok).toBe(true);
    expect(await parts.settlement.settle(second.number, 'alpha', { trade_no: ' T-one ' })).toEqual(refused('该支付交易号已用于其他订单'));
    expect(await parts.orders.get(second.id)).toEqual({ ...second, status: 'closed' });
    expect(await eventsOf(second)).toEqual([]);
    const other = await create({ type: 'beta__card' });
    expect((await parts.settlement.settle(other.number, 'beta', { trade_no: 'T-one' })).ok).toBe(true);
  });

  it('only warns about a second payment', async () => {
    const order = await create();
    await parts.settlement.settle(order.number, 'alpha', { trade_no: 'T-paid-1' });
    expect(await parts.settlement.settle(order.number, 'alpha', { trade_no: 'T-paid-2' })).toMatchObject({ ok: true, already: true });
    const line = await lastLine();
    expect(line.outcome).toMatch(/^处理警告/);
    expect(line.summary).toContain('T-paid-2');
    expect(await eventsOf(order)).toHaveLength(1);
  });

  it.each(['refunded', 'partly_refunded'] as const)('does not pay a %s order again', async (status) => {
    const order = await create();
    await database.repository(Order).update(order.id, { status });
    expect(await parts.settlement.settle(order.number, 'alpha', { trade_no: `T-${status}` })).toEqual(refused('订单已退款，不能再次入账'));
    expect(await eventsOf(order)).toEqual([]);
  });

  it("leaves nothing behind in the caller's transaction, neither on rollback nor after a refusal", async () => {
    const [first, second] = [await create(), await create()];
    await expect(
      database.transaction(async () => {
        expect((await parts.settlement.settle(first.number, 'alpha', { trade_no: 'T-joined' })).ok).toBe(true);
        throw new Error('the plugin failed');
      }),
    ).rejects.toThrow('the plugin failed');
    expect(await parts.orders.get(first.id)).toEqual(first);
    expect(await eventsOf(first)).toEqual([]);
    await parts.settlement.settle(first.number, 'alpha', { trade_no: 'T-joined' });
    await database.transaction(async () => {
      expect(await parts.settlement.settle(second.number, 'alpha', { trade_no: 'T-joined' })).toMatchObject({ ok: false });
    });
    expect(await parts.orders.get(second.id)).toEqual(second);
    expect(await eventsOf(second)).toEqual([]);
  });

  it('settles through the paid gateway if the buyer chooses another between read and update', async () => {
    const order = await create();
    let chosen!: () => void;
    let finish!: () => void;
    const isChosen = new Promise<void>((resolve) => (chosen = resolve));
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    const choosing = database.transaction(async () => {
      await parts.orders.chooseType(order.id, 'beta__card');
      chosen();
      await mayFinish;
    });
    await isChosen;
    const looks = vi.spyOn(parts.orders, 'get');
    const settling = parts.settlement.settle(order.number, 'alpha', { money: '12.50' });
    await vi.waitFor(() => expect(looks.mock.settledResults[0]).toMatchObject({ type: 'fulfilled', value: { type: 'alpha__card' } }), {
      timeout: 20_000,
    });
    finish();
    await choosing;
    expect(await settling).toMatchObject({ ok: true, already: false });
    looks.mockRestore();
    expect(await parts.orders.get(order.id)).toMatchObject({ type: 'alpha__card', status: 'paid' });
    expect(await eventsOf(order)).toHaveLength(1);
  });
});

describe('any parallel calls', () => {
  interface Call {
    order: number;
    gateway: string;
    extra: SettlementExtra;
    right: boolean;
  }
  const amounts = (fen: number): fc.Arbitrary<[SettlementExtra, boolean]> =>
    fc.constantFrom<[SettlementExtra, boolean]>(
      [{}, true],
      [{ money: toYuan(fen) }, true],
      [{ money: fen / 100 }, true],
      [{ amount: fen }, true],
      [{ amount: fen, money: '999999' }, true],
      [{ money: toYuan(fen + 1) }, false],
      [{ amount: fen - 1 }, false],
      [{ money: 'free' }, false],
    );
  const FEN = [1_250, 1, 99_999_999_999];
  const call = (orders: number): fc.Arbitrary<Call> =>
    fc.integer({ min: 0, max: orders }).chain((order) =>
      fc
        .record({
          gateway: fc.constantFrom('alpha', 'alpha', 'alpha', 'beta'),
          amount: amounts(FEN[order] ?? 1),
          currency: fc.constantFrom(undefined, 'CNY', 'CNY', 'EUR'),
          trade: fc.constantFrom(undefined, 'A', 'B', 'C'),
        })
        .map(({ gateway, amount: [extra, amountRight], currency, trade }) => ({
          order,
          gateway,
          extra: { ...extra, ...(currency ? { currency } : {}), ...(trade ? { trade_no: trade } : {}) },
          right: order < orders && gateway === 'alpha' && amountRight && currency !== 'EUR',
        })),
    );

  it('settle each order at most once, refuse every invalid one, and write one event and one line each', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call(FEN.length), { minLength: 1, maxLength: 24 }), async (calls) => {
        run += 1;
        const orders = await Promise.all(FEN.map((amount) => create({ amount })));
        const linesBefore = await database.repository(OperationLog).count();
        const trade = (extra: SettlementExtra): string | undefined => extra.trade_no && `${run}-${extra.trade_no}`;
        const results = await Promise.all(
          calls.map(({ order, gateway, extra }) =>
            parts.settlement.settle(orders[order]?.number ?? 'missing', gateway, { ...extra, trade_no: trade(extra) }),
          ),
        );
        const transactions = await database.repository(PaymentTransaction).find();
        const holder = new Map(transactions.filter((row) => row.gateway === 'alpha').map((row) => [row.tradeNumber, row.orderId]));

        calls.forEach(({ order, extra, right }, i) => {
          const used = trade(extra);
          const elsewhere = used !== undefined && holder.has(used) && holder.get(used) !== orders[order]?.id;
          const { ok, already } = results[i]!;
          const call = JSON.stringify({ call: calls[i], result: results[i] });
          // Before its number settled the other order, the call may have found its own order paid by somebody else.
          if (elsewhere) expect(ok && !(right && already), call).toBe(false);
          else expect(ok, call).toBe(right);
        });
        for (const [index, order] of orders.entries()) {
          const of = results.filter((_, i) => calls[i]!.order === index);
          const fresh = of.filter((result) => result.ok && !result.already).length;
          const paid = (await parts.orders.get(order.id))!.status === 'paid';
          expect(fresh).toBe(of.some((result) => result.ok) ? 1 : 0);
          expect(paid).toBe(fresh === 1);
          expect(transactions.filter((row) => row.orderId === order.id)).toHaveLength(fresh);
          expect(await eventsOf(order)).toHaveLength(fresh);
          expect(await database.repository(EventDelivery).countBy({ subject: `order:${order.id}` })).toBe(fresh);
        }
        expect(await database.repository(OperationLog).count()).toBe(linesBefore + calls.length);
      }),
      { numRuns: 60 },
    );
  });
});
