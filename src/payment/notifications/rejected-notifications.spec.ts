import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { addOwnerTexts, executionContext, translateText } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import type { CallContext } from '../../sdk/index.js';
import { RejectedNotification, type Order } from '../entities/index.js';
import { PaymentLogOperations } from '../log/payment-log.operations.js';

import { claimedNumber, contentOf } from './notify-content.js';
import { tracedNotify, type NotifyTrace } from './notify-trace.js';

const DAY = 24 * 3_600_000;
const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let operations: PaymentLogOperations;
let dispose: () => Promise<void>;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  parts = paymentParts(database, place.config, { clock });
  operations = new PaymentLogOperations(database, place.config, parts.rejected, parts.methods);
});
afterAll(() => dispose());
beforeEach(() => database.repository(RejectedNotification).clear());

const make = (): Promise<Order> => parts.orders.create({ user: 'buyer', scene: 'hosting', name: 'Plan', amount: 990, type: 'bank__a' });
const received = (fields: Record<string, string>, more: object = {}): CallContext =>
  ({
    ...testCall({}),
    method: 'POST',
    ip: '203.0.113.7',
    query: {},
    headers: {},
    rawBody: Buffer.alloc(0),
    body: fields,
    ...more,
  }) as CallContext;
const trace = (): NotifyTrace => ({ taken: false, refusals: [], words: [] });
const rows = (): Promise<RejectedNotification[]> => database.repository(RejectedNotification).find({ order: { id: 'ASC' } });
const kinds = async ({ id }: Order): Promise<string[]> =>
  ((await parts.details.showOrder({ id }, boss)).extras as { history: { kind: string }[] }).history.map(({ kind }) => kind);

describe('rejected notifications', () => {
  it("with a wrong signature are stored with the gateway's message, without secrets, and once in the order's history", async () => {
    const order = await make();
    const ctx = received({
      out_trade_no: order.number,
      sign: 'c0ffee00c0ffee00c0ffee00',
      key: 'top-hidden',
      buyer: 'b@example.test',
      money: '9.90',
    });
    for (let n = 0; n < 3; n += 1) {
      const seen = trace();
      await tracedNotify(seen, () => parts.paymentLog.ofGateway('bank', `验签失败 ${order.number}`, 'warning'));
      await parts.rejected.ofNotify('bank', ctx, seen, 'fail');
    }
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ gateway: 'bank', kind: 'gateway', number: order.number, orderId: order.id, times: 3, ip: '203.0.113.7' });
    expect(row!.reason).toContain('验签失败');
    expect(row!.content).toContain('9.90');
    for (const secret of ['c0ffee00c0ffee00c0ffee00', 'top-hidden', 'example.test']) expect(row!.content).not.toContain(secret);
    expect(await kinds(order)).toEqual(['created', 'unverified']);
    expect(await parts.rejected.lastDay()).toBe(1);
    const listed = await operations.listRejected({ page: 1, limit: 20, sortOrder: 'desc', ss: order.number } as never, boss);
    expect(listed).toMatchObject({ total: 1, rows: [{ jk: 'bank', lx: 'gateway', cs: 3 }] });
    expect((await operations.show({ id: row!.id }, boss)).extras).toMatchObject({ notification: { order_id: order.id } });
    await expect(operations.show({ id: 999_999 }, boss)).rejects.toMatchObject({ code: 'NOTIFICATION_NOT_FOUND' });
  });

  it('and accepted ones write log lines that name their gateway, whoever wrote them', async () => {
    const order = await make();
    await parts.settlement.settle(order.number, 'bank', { trade_no: `L-${order.id}`, money: '9.90' });
    await parts.paymentLog.write(`${order.number} bank__a: cannot be opened`, 'error');
    await parts.paymentLog.ofGateway('my_bank', 'hello');
    await parts.paymentLog.write('验签失败 bank', 'error');
    const { rows } = await operations.list({ page: 1, limit: 4, sortOrder: 'desc' } as never, boss);
    expect(rows.map(({ jk }) => jk)).toEqual(['', 'my_bank', 'bank', 'bank']);
  });

  it("and lines name gateways and methods in the reader's language, but for what gateways said themselves", async () => {
    const forget = addOwnerTexts('tills', {
      en: { 'gateway.till': 'The till', 'method.cash': 'Cash' },
      'zh-CN': { 'gateway.till': '柜台', 'method.cash': '现金' },
    });
    const build = () => Promise.resolve(false as const);
    const leave = parts.registry.register('till', { name: 'Till', methods: { cash: { label: 'cash', icon: '' } }, build }, 'tills');
    const order = await parts.orders.create({ user: 'buyer', scene: 'hosting', name: 'Plan', amount: 990, type: 'till__cash' });
    await parts.settlement.settle(order.number, 'till', { trade_no: 'T-till', amount: 989 });
    await parts.paymentLog.write('20260101 till__cash: cannot be opened', 'error');
    await parts.paymentLog.ofGateway('till', 'till says till');
    const lines = async (locale: 'en' | 'zh-CN') =>
      (await operations.list({ page: 1, limit: 3, sortOrder: 'asc', jk: '', ss: 'till' } as never, testCall({ ...boss, locale }))).rows;
    expect((await lines('en')).map(({ lr }) => lr)).toEqual([
      `${order.number} The till: the amount paid differs from the order's amount`,
      '20260101 The till · Cash: cannot be opened',
      '[The till] till says till',
    ]);
    expect((await lines('en'))[0]!.qk).toMatch(/^Refused\n\{/);
    expect((await lines('zh-CN'))[0]).toMatchObject({ lr: `${order.number} 柜台：订单金额不一致`, jk: 'till', jkmc: '柜台' });
    expect((await lines('zh-CN')).map(({ lr }) => lr)).toContain('20260101 柜台 · 现金: cannot be opened');
    leave();
    forget();
  });

  it("and gateways' own texts are in the reader's language, even while disabled", async () => {
    const text = { en: { log_signature: 'Wrong signature{number}' }, 'zh-CN': { log_signature: '验签失败{number}' } };
    const forget = addOwnerTexts('till', text);
    const say = (number: string) => parts.paymentLog.ofGateway('till', { key: 'log_signature', params: { number } }, 'warning');
    await say(' 77001');
    const seen: NotifyTrace = { taken: false, refusals: [], words: [] };
    await executionContext.run({ call: received({}) } as never, () => tracedNotify(seen, () => say(' 77001」\n「')));
    expect(seen.words.map((words) => translateText('zh-CN', words))).toEqual(['验签失败 77001] [']);
    const order = await make();
    const ctx = received({ out_trade_no: order.number });
    seen.words.push({ owner: 'till', key: 'as it is', otherwise: 'as it is' });
    await parts.rejected.ofNotify('till', ctx, seen, 'fail');
    const refused = async (locale: 'en' | 'zh-CN') =>
      (await operations.listRejected({ page: 1, limit: 1, sortOrder: 'desc', ss: order.number } as never, testCall({ ...boss, locale })))
        .rows[0]!.yy;
    expect(await refused('en')).toBe('Wrong signature 77001] [ · as it is');
    expect(await refused('zh-CN')).toBe('验签失败 77001] [ · as it is');
    const lines = async (locale: 'en' | 'zh-CN') =>
      (await operations.list({ page: 1, limit: 3, sortOrder: 'asc', jk: '', ss: '77001' } as never, testCall({ ...boss, locale }))).rows;
    expect((await lines('en')).map(({ lr }) => lr)).toEqual(['[till] Wrong signature 77001', '「Wrong signature 77001] [」']);
    expect((await lines('zh-CN')).map(({ lr, jk }) => [lr, jk])).toEqual([
      ['[till] 验签失败 77001', 'till'],
      ['「验签失败 77001] [」', 'till'],
    ]);
    forget();
    expect((await lines('en'))[0]!.lr).toBe('[till] 验签失败 77001');
    expect(await refused('en')).toBe('验签失败 77001] [ · as it is');
  });

  it('that the settlement refuses state the reason; a call that also settles is not rejected', async () => {
    const order = await make();
    const ctx = received({ out_trade_no: order.number, money: '9.89' });
    const settle = (seen: NotifyTrace, amount: number) =>
      tracedNotify(seen, () => parts.settlement.settle(order.number, 'bank', { trade_no: 'T-1', amount }));
    const wrong = trace();
    await settle(wrong, 989);
    await parts.rejected.ofNotify('bank', ctx, wrong, 'fail');
    expect(await rows()).toMatchObject([{ kind: 'settlement', reason: 'amount_differs', number: order.number }]);
    expect(await kinds(order)).toEqual(['created', 'refused']);
    const right = trace();
    await settle(right, 989);
    await settle(right, 990);
    await parts.rejected.ofNotify('bank', ctx, right, null);
    const again = trace();
    await settle(again, 990);
    await parts.rejected.ofNotify('bank', ctx, again, null);
    expect(await rows()).toHaveLength(1);
    // One that tells of something else is taken without a word.
    await parts.rejected.ofNotify('bank', received({}), trace(), null);
    expect(await rows()).toHaveLength(1);
    expect(
      ((await operations.listRejected({ page: 1, limit: 20, sortOrder: 'desc' } as never, boss)).rows as { yy: string }[])[0]!.yy,
    ).toBe("the amount paid differs from the order's amount");
  });

  it('that make a gateway fail are stored, and so is a refused settlement without a notification', async () => {
    const order = await make();
    await parts.rejected.ofFailure('bank', received({ out_trade_no: order.number }), trace(), new Error('hung\nfor long'));
    await parts.settlement.settle('no-such-order', 'bank', { trade_no: 'T', amount: 1, raw: { key: 'top-hidden' } });
    expect(await rows()).toMatchObject([
      { kind: 'failed', reason: 'hung for long', orderId: order.id },
      { kind: 'settlement', reason: 'order_unknown', orderId: null },
    ]);
    expect((await rows())[1]!.content).not.toContain('top-hidden');
    // Of orders nobody knows nobody is told.
    expect(await parts.rejected.lastDay()).toBe(1);
  });

  it('never write into the history of an order that was not sent to that gateway', async () => {
    const order = await make();
    await parts.rejected.ofNotify('other', received({ out_trade_no: order.number }), trace(), 'fail');
    expect(await kinds(order)).toEqual(['created']);
    expect((await rows())[0]).toMatchObject({ orderId: null });
  });

  it('are limited in rate, size, age and number', async () => {
    const order = await make();
    await Promise.all(
      Array.from({ length: 20 }, () => parts.rejected.ofNotify('bank', received({ out_trade_no: order.number }), trace(), 'fail')),
    );
    expect((await rows()).map(({ times }) => times).reduce((sum, n) => sum + n)).toBeGreaterThan(0);
    expect(await rows()).toHaveLength(1);
    expect((await kinds(order)).filter((kind) => kind === 'unverified')).toHaveLength(1);
    for (let n = 0; n < 320; n += 1) await parts.rejected.ofNotify('bank', received({ out_trade_no: `x${n}` }), trace(), 'fail');
    expect((await rows()).length).toBeLessThanOrEqual(320);
    clock.advance(91 * DAY);
    expect(await parts.rejected.trim()).toBeGreaterThan(0);
    expect(await rows()).toEqual([]);
  });
});

describe('the content', () => {
  it.each<[string, CallContext]>([
    ['a huge value', received({ attach: 'x'.repeat(100_000) })],
    ['many fields', received(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, 'y'.repeat(50)])))],
    [
      'deep JSON',
      received({}, { headers: { 'content-type': 'application/json' }, rawBody: Buffer.from('['.repeat(10_000) + ']'.repeat(10_000)) }),
    ],
    ['no JSON', received({}, { headers: { 'content-type': 'application/json' }, rawBody: Buffer.from('{"out_trade_no":') })],
    ['nothing', received({}, { headers: {}, query: null, body: undefined })],
  ])('is short and readable, of %s', (_what, ctx) => {
    expect(contentOf(ctx).length).toBeLessThanOrEqual(4_001);
    expect(claimedNumber(ctx)).toBe('');
  });

  it('finds an order number at any depth, and nothing else', () => {
    const json = (value: unknown): CallContext =>
      received({}, { headers: { 'content-type': 'application/json; charset=utf-8' }, rawBody: Buffer.from(JSON.stringify(value)) });
    expect(claimedNumber(json({ data: { object: { client_reference_id: '2026112100000000001' } } }))).toBe('2026112100000000001');
    expect(claimedNumber(json({ out_trade_no: "1' OR 1=1" }))).toBe('');
    expect(claimedNumber(json({ out_trade_no: { toString: 'x' } }))).toBe('');
    const shown = contentOf(json({ resource: { ciphertext: 'A'.repeat(40), nonce: 'abc' }, summary: 'ok' }));
    expect(shown).not.toContain('AAAAAAAA');
    expect(shown).not.toContain('abc');
    expect(shown).toContain('ok');
  });
});
