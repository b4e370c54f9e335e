import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import type { Database } from '../../src/database/index.js';
import { DurableEvent } from '../../src/hooks/index.js';
import { type Order, PaymentTransaction, SecondPayment } from '../../src/payment/index.js';
import type { SettlementResult } from '../../src/sdk/index.js';
import { createTestDatabase, type TestPlace } from '../support/database.js';
import { testCall } from '../support/calls.js';
import { paymentParts, type PaymentParts } from '../support/payment.js';

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  if (!existsSync(join(PACKAGE_ROOT, 'dist/ormconfig.js'))) throw new Error('This test runs the compiled code: npm run build first.');
  ({ database, place, dispose } = await createTestDatabase());
  parts = paymentParts(database, place.config);
  for (const slug of ['alpha', 'beta', 'gamma'])
    parts.registry.register(slug, { name: slug, methods: { card: 'Card', qr: 'QR' }, build: () => '/built' }, slug);
});
afterAll(() => dispose());

const create = (type?: string): Promise<Order> =>
  parts.orders.create({ user: 'buyer', scene: 'hosting', name: 'Plan', amount: 1_250, type });
const settle = (order: Order, gateway: string, trade?: string): Promise<SettlementResult> =>
  parts.settlement.settle(order.number, gateway, { money: '12.50', trade_no: trade });
const events = (order: Order): Promise<DurableEvent[]> => database.repository(DurableEvent).findBy({ subject: `order:${order.id}` });

describe('F4 a verified payment through a gateway the order was sent to', () => {
  it('settles it, whatever the buyer chose afterwards, and the order names the gateway', async () => {
    const order = await create();
    for (const type of ['alpha__card', 'alpha__qr', 'beta__card']) expect(await parts.dispatch.dispatch(order.id, type)).toBe('/built');
    expect((await parts.orders.get(order.id))!.type).toBe('beta__card');
    expect(await settle(order, 'alpha', 'A-1')).toMatchObject({ ok: true, already: false });
    expect(await parts.orders.get(order.id)).toMatchObject({ status: 'paid', type: 'alpha__qr' });
    const [event] = await events(order);
    expect(event).toMatchObject({
      source: 'alpha',
      args: [{ type: 'alpha__qr', notify_url: expect.stringContaining('/pay/alpha/notify') as string }],
      row: { ff: 'alpha__qr', gateway: 'alpha', qk: 'paid' },
    });
  });

  it('also counts for the gateway it was created for', async () => {
    const order = await create('alpha__card');
    await parts.dispatch.dispatch(order.id, 'beta__card');
    expect(await settle(order, 'alpha', 'A-2')).toMatchObject({ ok: true, already: false });
    expect((await parts.orders.get(order.id))!.type).toBe('alpha__card');
  });

  it('settles an order that was closed meanwhile', async () => {
    const order = await create();
    for (const type of ['alpha__card', 'beta__card']) await parts.dispatch.dispatch(order.id, type);
    await parts.orders.close(order.id);
    expect(await settle(order, 'alpha', 'A-3')).toMatchObject({ ok: true, already: false });
  });

  it('is refused from any other gateway, before and after the order is paid', async () => {
    const order = await create();
    await parts.dispatch.dispatch(order.id, 'alpha__card');
    const refused = { ok: false, already: false, msg: '订单的支付方式不属于该支付接口' };
    expect(await settle(order, 'gamma', 'C-1')).toEqual(refused);
    await settle(order, 'alpha', 'A-4');
    expect(await settle(order, 'gamma', 'C-1')).toEqual(refused);
    expect(await parts.secondPayments.of(order.id)).toEqual([]);
  });

  it('remembers a gateway before its build runs', async () => {
    const order = await create();
    const undo = parts.registry.register(
      'early',
      {
        name: 'Early',
        methods: { card: 'Card' },
        build: async () => {
          await parts.dispatch.dispatch(order.id, 'beta__card');
          expect(await settle(order, 'early', 'E-1')).toMatchObject({ ok: true, already: false });
          return '/built';
        },
      },
      'early',
    );
    expect(await parts.dispatch.dispatch(order.id, 'early__card')).toBe('/built');
    undo();
    expect((await parts.orders.get(order.id))!).toMatchObject({ status: 'paid', type: 'early__card' });
  });
});

describe('F4 a second verified payment', () => {
  it('settles nothing and is recorded until it is refunded', async () => {
    const order = await create();
    for (const type of ['alpha__card', 'beta__card']) await parts.dispatch.dispatch(order.id, type);
    await settle(order, 'alpha', 'A-5');
    // Notified repeatedly, as gateways do.
    for (let time = 1; time <= 3; time += 1) expect(await settle(order, 'beta', 'B-5')).toMatchObject({ ok: true, already: true });
    expect(await settle(order, 'alpha', 'A-5')).toMatchObject({ ok: true, already: true });
    expect(await settle(order, 'alpha')).toMatchObject({ ok: true, already: true });
    expect(await events(order)).toHaveLength(1);
    expect(await parts.orders.get(order.id)).toMatchObject({ type: 'alpha__card' });
    const [second, ...more] = await parts.secondPayments.of(order.id);
    expect(more).toEqual([]);
    expect(second).toMatchObject({ number: order.number, gateway: 'beta', tradeNumber: 'B-5', amount: 1_250, refundedAt: null });
    expect((await parts.details.showOrder({ id: order.id }, testCall({}))).extras).toMatchObject({
      second_payments: [{ gateway: 'beta', trade_no: 'B-5', rmb: '12.50', refunded: false }],
    });
    await parts.secondPaymentOperations.secondRefunded({ id: second!.id });
    await expect(parts.secondPaymentOperations.secondRefunded({ id: second!.id })).rejects.toMatchObject({
      code: 'SECOND_PAYMENT_NOT_FOUND',
    });
    expect((await parts.secondPayments.open(100)).filter(({ number }) => number === order.number)).toEqual([]);
  });

  it('without a transaction number also counts as one if it comes through another gateway', async () => {
    const order = await create();
    for (const type of ['alpha__card', 'beta__card']) await parts.dispatch.dispatch(order.id, type);
    await settle(order, 'alpha');
    for (let time = 1; time <= 2; time += 1) await settle(order, 'beta');
    expect(await parts.secondPayments.of(order.id)).toMatchObject([{ gateway: 'beta', tradeNumber: order.number }]);
  });
});

describe('F4 two gateways that notify at once', () => {
  it('settle once; the other payment is a duplicate', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => create('alpha__card')));
    for (const order of orders) await parts.dispatch.dispatch(order.id, 'beta__card');
    const results = await Promise.all(
      orders.flatMap((order) => ['alpha', 'beta', 'alpha', 'beta'].map((gateway) => settle(order, gateway, `${gateway}-${order.number}`))),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.filter(({ already }) => !already)).toHaveLength(orders.length);
    for (const order of orders) await expectPaidOnce(order);
  });

  it('settle once from three processes, one of which is killed meanwhile', async () => {
    const orders = await Promise.all(Array.from({ length: 15 }, () => create('alpha__card')));
    for (const order of orders) await parts.dispatch.dispatch(order.id, 'beta__card');
    const calls = orders.flatMap((order) =>
      ['alpha', 'beta'].map((gateway) => ({
        number: order.number,
        gateway,
        extra: { money: '12.50', trade_no: `${gateway}-${order.number}` },
      })),
    );
    const children = await Promise.all(
      [calls, [...calls].reverse(), calls].map(async (mine) => {
        const child = fork(join(PACKAGE_ROOT, 'test/support/settling-process.mjs'), {
          env: { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, LOG_LEVEL: 'fatal' },
          execArgv: [],
        });
        expect(await Promise.race([once(child, 'message'), once(child, 'exit')])).toEqual(['ready', undefined]);
        return { child, mine };
      }),
    );
    const [killed, ...others] = children;
    const answers = others.map(({ child }) =>
      Promise.race([once(child, 'message'), once(child, 'exit').then(([code]) => Promise.reject(new Error(`It ended with ${code}.`)))]),
    );
    for (const { child, mine } of children) child.send(mine);
    await expect.poll(() => database.repository(PaymentTransaction).count()).toBeGreaterThan(20);
    killed!.child.kill('SIGKILL');
    for (const [results] of await Promise.all(answers)) expect((results as SettlementResult[]).filter(({ ok }) => !ok)).toEqual([]);
    for (const order of orders) await expectPaidOnce(order);
  });

  async function expectPaidOnce(order: Order): Promise<void> {
    expect(await events(order)).toHaveLength(1);
    const paid = await database.repository(PaymentTransaction).findBy({ orderId: order.id });
    const second = await database.repository(SecondPayment).findBy({ orderId: order.id });
    expect([...paid, ...second].map(({ gateway }) => gateway).sort()).toEqual(['alpha', 'beta']);
    expect(paid).toHaveLength(1);
    expect((await parts.orders.get(order.id))!).toMatchObject({ status: 'paid', type: `${paid[0]!.gateway}__card` });
  }
});
