import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { currentOwner } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { OperationLog } from '../../operations/index.js';
import type { BuildOptions, OrderRecord, PaymentRecord } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';

import { readBuildResult } from './build-result.js';

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  parts = paymentParts(database, place.config);
});
afterAll(() => dispose());

const create = (): Promise<Order> => parts.orders.create({ user: 'buyer', scene: 'hosting', name: 'Plan', amount: 1_250 });
const line = async (): Promise<string> =>
  (await database.repository(OperationLog).find({ order: { id: 'DESC' }, take: 1 }))[0]?.summary ?? '';
const withGateway = async <T>(build: PaymentRecord['build'], work: (order: Order) => Promise<T>): Promise<T> => {
  const undo = parts.registry.register('bank', { name: 'Bank', methods: { wire: 'Wire' }, build }, 'bank-plugin');
  try {
    return await work(await create());
  } finally {
    undo();
  }
};

describe('dispatch', () => {
  it("passes the stored order to the gateway, in its owner's name, and stores the type", async () => {
    const calls: [OrderRecord, string, BuildOptions, string][] = [];
    const build: PaymentRecord['build'] = async (order, method, options) => {
      calls.push([order, method, options, currentOwner()]);
      return 'https://pay.example/1?sign=a%20b';
    };
    await withGateway(build, async (order) => {
      const forged = { ...parts.orders.toOrderRecord(order), money: '0.01', amount: 1 };
      expect(await parts.dispatch.dispatch(forged, 'bank__wire', { ip: '203.0.113.9' })).toBe('https://pay.example/1?sign=a%20b');
      const expected = parts.orders.toOrderRecord({ ...order, type: 'bank__wire' });
      expect(expected).toMatchObject({ money: '12.50', notify_url: expect.stringMatching(/\/pay\/bank\/notify$/) as string });
      expect(calls).toEqual([[expected, 'wire', { ip: '203.0.113.9' }, 'bank-plugin']]);
      expect((await parts.orders.get(order.id))!.type).toBe('bank__wire');
      expect(await parts.dispatch.dispatch(order.number, 'bank__wire')).toBe('https://pay.example/1?sign=a%20b');
    });
  });

  it('can be settled by a notification that arrives before build returns', async () => {
    const build: PaymentRecord['build'] = async (order) => {
      expect(await parts.settlement.settle(order, 'bank', { money: order.money })).toMatchObject({ ok: true });
      return '<form>';
    };
    await withGateway(build, async (order) => expect(await parts.dispatch.dispatch(order.id, 'bank__wire')).toBe('<form>'));
  });

  it.each<[string, PaymentRecord['build'], RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no merchant key');
      },
      /bank-plugin.*no merchant key/,
    ],
    ['rejects', () => Promise.reject(new Error('timeout')), /bank-plugin.*timeout/],
    ['cannot', () => false, /bank-plugin/],
    ['answers nothing', () => undefined as never, /bank-plugin/],
    ['answers a script address', () => 'javascript:alert(1)', /bank-plugin/],
  ])('answers false and names the owner where build %s', async (_case, build, message) => {
    await withGateway(build, async (order) => {
      expect(await parts.dispatch.dispatch(order.id, 'bank__wire')).toBe(false);
      expect(await line()).toMatch(message);
    });
  });

  it('returns false for an unknown order or method, and for a paid order', async () => {
    let built = 0;
    await withGateway(
      () => `/x${(built += 1)}`,
      async (order) => {
        expect(await parts.dispatch.dispatch(987_654, 'bank__wire')).toBe(false);
        for (const type of ['bank__cash', 'other__wire', 'bank', '', 'bank__constructor']) {
          expect(await parts.dispatch.dispatch(order.id, type)).toBe(false);
        }
        expect((await parts.orders.get(order.id))!.type).toBe('');
        expect(built).toBe(0);
        expect(await parts.dispatch.dispatch(order.id, 'bank__wire')).toBe('/x1');
        await parts.settlement.settle(order.number, 'bank');
        expect(await parts.dispatch.dispatch(order.id, 'bank__wire')).toBe(false);
        expect(built).toBe(1);
      },
    );
  });

  it("shows the filter's result instead of calling the gateway", async () => {
    const asked: unknown[][] = [];
    const filtered = paymentParts(database, place.config, {
      filters: {
        applyFilters: <T>(...args: [string, T, ...unknown[]]): T => {
          asked.push(args);
          return 'Please verify your name first.' as T;
        },
      },
    });
    filtered.registry.register('bank', { name: 'Bank', methods: { wire: 'Wire' }, build: () => '/built' }, 'bank');
    const order = await create();
    expect(await filtered.dispatch.dispatch(order.id, 'bank__wire')).toEqual({ html: 'Please verify your name first.' });
    const record = filtered.orders.toOrderRecord({ ...order, type: 'bank__wire' });
    expect(asked).toEqual([['pay.dispatch.before', null, 'bank__wire', record]]);
  });
});

describe('readBuildResult', () => {
  it.each([
    ['https://pay.example/a?b=%E4%BD%A0&c=d%20e', { kind: 'redirect', url: 'https://pay.example/a?b=%E4%BD%A0&c=d%20e' }],
    [' http://127.0.0.1:3000/x ', { kind: 'redirect', url: 'http://127.0.0.1:3000/x' }],
    ['/plugin/pay?n=1%20', { kind: 'redirect', url: '/plugin/pay?n=1%20' }],
    ['/支付?n=支', { kind: 'redirect', url: '/%E6%94%AF%E4%BB%98?n=%E6%94%AF' }],
    [{ redirect: 'https://例子.example/支' }, { kind: 'redirect', url: 'https://xn--fsqu00a.example/%E6%94%AF' }],
    ['\n<form>', { kind: 'html', html: '\n<form>' }],
    [{ html: 'plain' }, { kind: 'html', html: 'plain' }],
    [{ qrcode: 'weixin://wxpay/x' }, { kind: 'qrcode', text: 'weixin://wxpay/x' }],
  ])('reads %j', (result, step) => expect(readBuildResult(result)).toEqual(step));

  it.each([
    false,
    true,
    null,
    undefined,
    7,
    '',
    ' ',
    'alipay',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'ftp://x/y',
    'https://a\r\nSet-Cookie: x=1',
    'https://',
    {},
    [],
    { redirect: 'data:text/html,x' },
    { html: '' },
    { qrcode: '' },
    { qrcode: 'x'.repeat(3_000) },
    { redirect: '/a', html: '<b>' },
    { html: 5 },
  ])('refuses %j', (result) => expect(readBuildResult(result)).toBeNull());
});
