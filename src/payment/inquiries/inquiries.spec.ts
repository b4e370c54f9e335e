import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { PluginCallError } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { DurableEvent } from '../../hooks/index.js';
import type { BackgroundQueue } from '../../jobs/index.js';
import type { GatewayPayment, OrderRecord } from '../../sdk/index.js';
import { DayRange } from '../day-range.js';
import { type Order, OrderInquiry, PaymentTransaction, SecondPayment } from '../entities/index.js';

import { Inquiries } from './inquiries.js';
import { InquiryOperations } from './inquiry.operations.js';
import { InquiryRun } from './inquiry-run.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let operations: InquiryOperations;
let run: InquiryRun;
let dispose: () => Promise<void>;
let clock: ManualClock;
let undo: (() => void)[] = [];
const add = vi.fn(() => Promise.resolve('task-1'));

type Query = (order: OrderRecord) => GatewayPayment | Promise<GatewayPayment>;
const query = vi.fn<Query>();

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));
  parts = paymentParts(database, place.config, { clock });
  run = new InquiryRun({ add } as unknown as BackgroundQueue, parts.inquiryRepository, parts.inquiries, parts.orders, parts.calls);
  operations = new InquiryOperations(database, parts.orders, run, new DayRange(new ZonedClock(clock, place.config)), parts.methods);
});
afterAll(() => dispose());
beforeEach(async () => {
  query.mockReset().mockReturnValue({ state: 'unpaid' });
  await database.repository(OrderInquiry).clear();
  undo = [gateway('bank', query)];
});
afterEach(() => undo.forEach((end) => end()));

function gateway(slug: string, asked?: Query): () => void {
  const record = { name: slug, methods: { a: 'A' }, build: () => 'https://pay.example/', ...(asked && { query: asked }) };
  return parts.registry.register(slug, record, slug);
}

async function sent(...gateways: string[]): Promise<Order> {
  const order = await parts.orders.create({ user: 'buyer', owner: { account: 7 }, scene: 'hosting', name: 'Plan', amount: 990 });
  for (const slug of gateways) expect(await parts.dispatch.dispatch(order.id, `${slug}__a`)).toBe('https://pay.example/');
  return order;
}
const paid = (order: OrderRecord, more: Partial<GatewayPayment> = {}): GatewayPayment => ({
  state: 'paid',
  trade_no: `T${order.id}`,
  amount: order.amount,
  currency: 'CNY',
  ...more,
});
const status = async ({ id }: Order): Promise<string> => (await parts.orders.get(id))!.status;
const events = ({ id }: Order): Promise<number> =>
  database.repository(DurableEvent).countBy({ hook: 'order.paid', subject: `order:${id}` });
const shown = async ({ id }: Order) =>
  (await parts.details.showOrder({ id }, boss)).extras as {
    history: { kind: string }[];
    inquiries: { gateway: string; zt: string; words: string; next: string | null }[];
    can_ask: boolean;
  };
const kinds = async (order: Order): Promise<string[]> => (await shown(order)).history.map(({ kind }) => kind);

describe('automatic inquiries', () => {
  it('find a payment whose notification was lost, settle it once, and record it in the history', async () => {
    const order = await sent('bank');
    expect(await parts.inquiries.askDue()).toBe(0);
    clock.advance(2 * MINUTE);
    query.mockImplementation((record) => paid(record));
    expect(await parts.inquiries.askDue()).toBe(1);
    expect(await status(order)).toBe('paid');
    expect(await events(order)).toBe(1);
    expect(await kinds(order)).toEqual(['created', 'sent', 'paid', 'found']);
    expect((await parts.settlement.settle(order.number, 'bank', { trade_no: `T${order.id}`, amount: 990 })).already).toBe(true);
    clock.advance(DAY);
    expect(await parts.inquiries.askDue()).toBe(0);
    expect(await events(order)).toBe(1);
  });

  it('use growing intervals, continue after the order was closed, and end after three days', async () => {
    const order = await sent('bank');
    const at: number[] = [];
    const begin = clock.now().getTime();
    query.mockImplementation(() => {
      at.push((clock.now().getTime() - begin) / MINUTE);
      return { state: 'unpaid' };
    });
    for (let minute = 0; minute < 4 * 24 * 60; minute += 1) {
      clock.advance(MINUTE);
      if (minute === 30) await parts.closing.close(order.id, { source: 'cron' });
      await parts.inquiries.askDue();
    }
    expect(at.slice(0, 6)).toEqual([2, 5, 10, 20, 40, 80]);
    expect(at.length).toBeLessThan(25);
    expect(at.at(-1)).toBeGreaterThan(2.5 * 24 * 60);
    expect(at.at(-1)).toBeLessThanOrEqual(3 * 24 * 60);
    // Sent once more it begins anew.
    expect(await parts.dispatch.dispatch(order.id, 'bank__a')).toBeTruthy();
    clock.advance(2 * MINUTE);
    query.mockImplementation((record) => paid(record));
    expect(await parts.inquiries.askDue()).toBe(1);
    expect(await status(order)).toBe('paid');
  }, 60_000);

  it.each<[string, Partial<GatewayPayment>]>([
    ['another amount', { amount: 989 }],
    ['another currency', { currency: 'USD' }],
    ['a transaction of another order', { trade_no: 'used-before' }],
  ])('settles nothing for %s, and asks no more', async (_what, wrong) => {
    const other = await sent('bank');
    await parts.settlement.settle(other.number, 'bank', { trade_no: 'used-before', amount: 990 });
    const order = await sent('bank');
    clock.advance(2 * MINUTE);
    query.mockImplementation((record) => paid(record, wrong));
    await parts.inquiries.askDue();
    expect(await status(order)).toBe('unpaid');
    expect(await events(order)).toBe(0);
    expect((await kinds(order)).at(-1)).toBe('refused');
    expect((await shown(order)).inquiries).toMatchObject([{ zt: 'paid', words: expect.stringMatching(/./) as string, next: null }]);
    clock.advance(DAY);
    expect(await parts.inquiries.askDue()).toBe(0);
    await database.repository(PaymentTransaction).delete({ tradeNumber: 'used-before' });
  });

  it('are not delayed by a gateway that hangs, throws or returns invalid results', async () => {
    const hangs = vi.fn<Query>(() => Promise.reject(new PluginCallError('PLUGIN_TIMEOUT', { plugin: 'slow', place: 'query', limit: 30 })));
    const nonsense = vi.fn<Query>(() => ({ state: 'paid' }));
    const throws = vi.fn<Query>(() => {
      throw new Error('no such <merchant>');
    });
    undo.push(gateway('slow', hangs), gateway('odd', nonsense), gateway('rude', throws));
    const [slow, odd, rude] = [await sent('slow'), await sent('odd'), await sent('rude')];
    for (let n = 0; n < 9; n += 1) await sent('slow');
    const good = await sent('bank');
    clock.advance(2 * MINUTE);
    query.mockImplementation((record) => paid(record));
    await parts.inquiries.askDue();
    expect(await status(good)).toBe('paid');
    // The rest of it waits for the next run.
    expect(hangs.mock.calls.length).toBeLessThanOrEqual(2);
    for (const order of [slow, odd, rude]) expect(await status(order)).toBe('unpaid');
    expect((await shown(rude)).inquiries).toMatchObject([{ zt: 'failed', words: 'no such <merchant>' }]);
    nonsense.mockImplementation((record) => paid(record));
    clock.advance(3 * MINUTE);
    await parts.inquiries.askDue();
    expect(await status(odd)).toBe('paid');
  });

  it('are made by one of many processes', async () => {
    const order = await sent('bank');
    clock.advance(2 * MINUTE);
    query.mockImplementation((record) => paid(record));
    const others = Array.from(
      { length: 5 },
      () => new Inquiries(database, parts.inquiryRepository, parts.calls, parts.orders, parts.settlement, parts.history),
    );
    const asked = await Promise.all(others.map((inquiries) => inquiries.askDue()));
    expect(asked.reduce((sum, n) => sum + n)).toBe(1);
    expect(query).toHaveBeenCalledTimes(1);
    expect(await events(order)).toBe(1);
  });

  it('also find a payment at a second gateway, and stop asking the first one', async () => {
    undo.push(
      gateway(
        'cards',
        vi.fn<Query>((record) => paid(record, { trade_no: `C${record.id}` })),
      ),
    );
    const order = await sent('bank', 'cards');
    await parts.settlement.settle(order.number, 'bank', { trade_no: 'B-1', amount: 990 });
    clock.advance(2 * MINUTE);
    expect(await parts.inquiries.askDue()).toBe(1);
    expect(query).not.toHaveBeenCalled();
    expect(await database.repository(SecondPayment).countBy({ orderId: order.id, gateway: 'cards' })).toBe(1);
    expect(await events(order)).toBe(1);
    clock.advance(DAY);
    expect(await parts.inquiries.askDue()).toBe(0);
  });

  it('skip gateways that are disabled, unsupported or not configured, and orders that ended there', async () => {
    undo.push(gateway('mute'));
    const muted = await sent('mute');
    expect(await database.repository(OrderInquiry).countBy({ orderId: muted.id })).toBe(0);
    const order = await sent('bank');
    clock.advance(2 * MINUTE);
    undo.pop()!();
    undo.pop()!();
    undo.push(
      parts.registry.register(
        'bank',
        { name: 'bank', methods: { a: 'A' }, build: () => false, query, ready: () => Promise.resolve(false) },
        'bank',
      ),
    );
    expect(await parts.inquiries.askDue()).toBe(0);
    undo.pop()!();
    expect(await parts.inquiries.askDue()).toBe(0);
    undo.push(gateway('bank', query));
    query.mockReturnValue({ state: 'closed' });
    expect(await parts.inquiries.askDue()).toBe(1);
    clock.advance(DAY);
    expect(await parts.inquiries.askDue()).toBe(0);
    expect(await status(order)).toBe('unpaid');
  });
});

describe('manual inquiries (dddz)', () => {
  const ask = async ({ id }: Order) => (await operations.ask({ id }, boss)).extras as { qk: string; asked: { zt: string }[] };

  it("report the gateway's answer, and settle a payment found", async () => {
    const order = await sent('bank');
    expect(await ask(order)).toMatchObject({ qk: 'unpaid', asked: [{ gateway: 'bank', zt: 'unpaid' }] });
    await expect(ask(order)).rejects.toMatchObject({ code: 'ASKED_JUST_NOW' });
    clock.advance(MINUTE);
    query.mockImplementation((record) => paid(record));
    const answers = await Promise.allSettled([ask(order), ask(order), ask(order)]);
    expect(answers.filter(({ status: end }) => end === 'fulfilled')).toHaveLength(1);
    expect(await status(order)).toBe('paid');
    expect(await events(order)).toBe(1);
    clock.advance(MINUTE);
    expect(await ask(order)).toMatchObject({ asked: [{ zt: 'known' }] });
    expect((await kinds(order)).filter((kind) => kind === 'repeated')).toEqual([]);
  });

  it('need an order, and a gateway that supports queries', async () => {
    await expect(operations.ask({ id: 999_999 }, boss)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
    const order = await parts.orders.create({ user: 'b', scene: 's', name: 'n', amount: 100 });
    await expect(operations.ask({ id: order.id }, boss)).rejects.toMatchObject({ code: 'NOTHING_TO_ASK' });
    for (const [from, to] of [
      ['soon', ''],
      ['2026-02-30', ''],
      ['2026-11-02', '2026-11-01'],
      ['2024-01-01', '2026-01-01'],
    ])
      await expect(operations.ask({ from, to }, boss)).rejects.toMatchObject({ code: 'RANGE_MALFORMED' });
  });

  it('for a range query all open orders, skip a gateway that hangs, and report progress', async () => {
    clock.advance(60 * DAY);
    const hangs = vi.fn<Query>(() => Promise.reject(new PluginCallError('PLUGIN_TIMEOUT', { plugin: 'slow', place: 'query', limit: 30 })));
    undo.push(gateway('slow', hangs));
    const lost = [await sent('bank'), await sent('bank', 'slow')];
    for (let n = 0; n < 12; n += 1) await sent('slow');
    const open = await sent('bank');
    const done = await sent('bank');
    await parts.settlement.settle(done.number, 'bank', { trade_no: `T${done.id}`, amount: 990 });
    await parts.closing.close(lost[1]!.id, { source: 'cron' });
    query.mockImplementation((record) => (record.id === open.id ? { state: 'unpaid' } : paid(record)));
    await operations.ask({}, boss);
    const [, payload] = add.mock.calls[0]! as unknown as [string, object];
    const progress = vi.fn();
    const turn = { id: '1', attempt: 1, signal: new AbortController().signal, progress };
    expect(await run.run(payload, turn)).toMatchObject({ settled: 2 });
    for (const order of lost) expect(await status(order)).toBe('paid');
    expect([await status(open), await events(lost[0]!), await events(lost[1]!)]).toEqual(['unpaid', 1, 1]);
    expect(hangs.mock.calls.length).toBeLessThanOrEqual(4);
    const [at, of] = progress.mock.calls.at(-1)! as [number, number];
    expect(at).toBe(of);
    // Stopped, it says so.
    await expect(run.run(payload, { ...turn, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
  });
});
