/** Credit of customers: topped up once, spent once, refunded once, and never below zero; the check finds discrepancies. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Database } from '../src/database/index.js';
import { HostingService } from '../src/hosting/index.js';
import {
  causeOf,
  Credit,
  CreditEntry,
  CreditHolders,
  CreditPayments,
  CreditTransfer,
  Ledger,
  LedgerCheck,
  TopUps,
} from '../src/ledger/index.js';
import { Notice } from '../src/notify/entities/notice.entity.js';
import { type Order, Orders, PaymentRegistry, PaymentTransaction, Refund, SecondPayment, Settlement } from '../src/payment/index.js';
import type { GatewayRefundResult } from '../src/sdk/index.js';

import { addCustomer } from './support/customers.js';
import { PanelClient } from './support/panel-client.js';
import { TestPanel } from './support/panel.js';

const PASSWORD = 'secret-pass-1';
const WAIT = { timeout: 20_000 };
type Answer = Record<string, never>;

let panel: TestPanel;
const refund = vi.fn<(order: unknown, request: { id: string }) => GatewayRefundResult>();

beforeAll(async () => {
  panel = await TestPanel.start();
  const record = { methods: { a: 'A' }, build: () => false as const };
  panel.get(PaymentRegistry).register('bank', { ...record, name: 'Bank', refund }, 'bank');
  panel.get(PaymentRegistry).register('balance', { ...record, name: 'Balance' }, 'balance');
});
afterAll(() => panel.close());

let made = 0;
const host = async (credit = 0): Promise<{ id: number; user: string; client: PanelClient }> => {
  made += 1;
  const user = `credit${String(made).padStart(3, '0')}`;
  const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: PASSWORD, expiresOn: null }, 'admin');
  if (credit > 0) await give(user, `${credit / 100}`);
  return { id, user, client: await new PanelClient(panel.url).login('user', user, PASSWORD) };
};
const give = async (user: string, rmb: string, more: Record<string, string> = {}) =>
  (await panel.admin('yetz', { user, rmb, yy: 'a gift', ...more })) as unknown as Answer & { success: boolean; err?: string };
const own = async (client: PanelClient): Promise<string> => (await client.ajax('user', { gn: 'wdye' })).json.rmb as string;
const topUp = async (client: PanelClient, fields: Record<string, string>) =>
  (await client.ajax('user', { gn: 'xdd', scene: 'yecz', ...fields })).json as unknown as Record<string, string>;
const order = (owner: { account: number } | null, amount: number, scene = 'hosting'): Promise<Order> =>
  panel.get(Orders).create({ user: 'buyer', owner, scene, name: 'Plan', amount, type: 'balance__a' });
const settle = async ({ id, number, amount }: Pick<Order, 'id' | 'number' | 'amount'>, trade = `T${id}`) => {
  await panel.get(Orders).chooseType(id, 'bank__a');
  return panel.get(Settlement).settle(number, 'bank', { trade_no: trade, amount });
};
const pay = (number: string, account: number) =>
  panel
    .get(CreditPayments)
    .pay({ number, payer: { account }, gateway: 'balance' })
    .catch((error: unknown) => (error as { code: string }).code);
const byNumber = async (number: string) => (await panel.get(Orders).get(number))!;
const refunds = (orderId: number) => panel.get(Database).repository(Refund).findBy({ orderId });
const check = async () => {
  await panel.admin('yejc');
  return (await panel.admin('listyecy')).rows as unknown as { lx: string; dx: string; yj: string; sj: string }[];
};

describe('a duplicate payment', () => {
  const twice = async (owner: { account: number } | null, scene = 'hosting', user = 'buyer'): Promise<SecondPayment> => {
    const request = { user, owner, scene, name: 'Plan', amount: 700, type: 'bank__a' };
    const bought = await panel.get(Orders).create(request);
    for (const part of ['A', 'B']) await settle(bought, `${part}${bought.id}`);
    return panel.get(Database).repository(SecondPayment).findOneByOrFail({ orderId: bought.id });
  };
  const toCredit = (id: number) => panel.admin('zftkye', { id: String(id) });
  const listed = async (id: number) =>
    (await panel.admin('listzfcf', { limit: '100' })).rows.find((row) => (row as unknown as { id: number }).id === id) as unknown as object;

  it('becomes credit of the order’s owner, once, and is not refunded as well', async () => {
    const { id, user, client } = await host();
    const payment = await twice({ account: id });
    expect(await listed(payment.id)).toMatchObject({ zt: 'open', to_credit: true });
    const answers = await Promise.all([toCredit(payment.id), toCredit(payment.id), panel.admin('zftk', { id: String(payment.id) })]);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    const state = (await panel.get(Database).repository(SecondPayment).findOneByOrFail({ id: payment.id })).state;
    expect(await own(client)).toBe(state === 'credit' ? '7.00' : '0.00');
    expect(await panel.admin('zftkwg', { id: String(payment.id) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    const other = await twice({ account: id }, 'hosting', user);
    expect(await toCredit(other.id)).toMatchObject({ success: true });
    expect(await listed(other.id)).toMatchObject({ zt: 'credit', to_credit: false, by_gateway: false });
    const details = (await panel.admin('ddsj', { id: String(other.orderId) })) as unknown as { history: { kind: string }[] };
    expect(details.history.map(({ kind }) => kind)).toContain('second_credit');
    expect(
      await panel
        .get(Database)
        .repository(Notice)
        .findOneBy({ key: `second-credit:${other.id}` }),
    ).toMatchObject({ username: user });
    expect(await check()).toEqual([]);
    await panel.get(Database).repository(SecondPayment).update({ id: other.id }, { state: '' });
    expect(await check()).toMatchObject([{ lx: 'second', yj: '0.00', sj: '7.00' }]);
    await panel.get(Database).repository(SecondPayment).update({ id: other.id }, { state: 'credit' });
  });

  it('stays refundable when the owner no longer exists or the gateway may be refunding it', async () => {
    const nobodys = await twice(null);
    expect(await listed(nobodys.id)).toMatchObject({ to_credit: false });
    expect(await toCredit(nobodys.id)).toMatchObject({ success: false, err: 'E_STATE' });
    const { id } = await host();
    const payment = await twice({ account: id });
    await panel.get(Database).repository(SecondPayment).update({ id: payment.id }, { state: 'pending' });
    expect(await listed(payment.id)).toMatchObject({ to_credit: false });
    expect(await toCredit(payment.id)).toMatchObject({ success: false, err: 'E_BUSY' });
    expect(await toCredit(999_999)).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.get(Ledger).balance({ kind: 'account', id })).toBe(0);
  });

  it('of a top-up becomes credit as well', async () => {
    const { id, client } = await host();
    const payment = await twice({ account: id }, 'yecz');
    await vi.waitFor(async () => expect(await own(client)).toBe('7.00'), WAIT);
    expect(await toCredit(payment.id)).toMatchObject({ success: true });
    expect(await own(client)).toBe('14.00');
    expect(await check()).toEqual([]);
  });
});

describe('administrators', () => {
  it('add and deduct credit with a reason, once per request, and never more than is available', async () => {
    const { user, client } = await host();
    expect(await give(user, '12.50', { qqh: 'r1' })).toMatchObject({ success: true, rmb: '12.50', user });
    expect(await give(user, '12.50', { qqh: 'r1' })).toMatchObject({ success: true, rmb: '12.50' });
    expect(await give(user, '1', { qqh: 'r1' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    expect(await give(user, '-12.51')).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await give(user, '-2.5')).toMatchObject({ success: true, rmb: '10.00' });
    for (const rmb of ['0', '1.005', 'ten', '--1', '1e2', '-'])
      expect(await give(user, rmb)).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await give(user, '1', { yy: ' ' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await give('nobody99', '1')).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await give(user, '1', { yh: 'other' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await give('', '1', { id: '999999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    const { json } = await client.ajax('user', { gn: 'yelog' });
    expect(json).toMatchObject({
      total: 2,
      rows: [
        { rmb: '-2.50', ye: '10.00', yy: 'a gift' },
        { rmb: '+12.50', ye: '12.50' },
      ],
    });
    expect(JSON.stringify(json)).not.toContain('czuser');
    const rows = (await panel.admin('listye', { ss: user })).rows as unknown as { id: number; rmb: string }[];
    expect(rows).toMatchObject([{ user, rmb: '10.00', lx: 'account' }]);
    const log = (await panel.admin('listyelog', { id: String(rows[0]!.id) })).rows;
    expect(log).toMatchObject([{ czuser: 'admin', lx: 'adjustment' }, { czuser: 'admin' }]);
  });

  it('also change credit of customers with the name and fields of deployed front ends', async () => {
    const id = await addCustomer(panel, 'deployed_1');
    const adjust = (fields: Record<string, string>) => panel.admin('balance_admin_adjust', { user_id: String(id), ...fields });
    expect(await adjust({ amount: '12.50', direction: 'add', remark: 'gift' })).toMatchObject({ success: true, code: '调整成功' });
    expect(await adjust({ amount: '2.50', direction: 'deduct', remark: '' })).toMatchObject({ success: true });
    expect(await panel.get(Ledger).balance({ kind: 'customer', id })).toBe(1_000);
    expect(await adjust({ amount: '10.01', direction: 'deduct' })).toMatchObject({ success: false, err: 'E_STATE' });
    for (const fields of [
      { amount: '-1', direction: 'add' },
      { amount: '1', direction: 'give' },
      { amount: '0', direction: 'add' },
    ])
      expect(await adjust(fields)).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await adjust({ user_id: '999999', amount: '1', direction: 'add' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('a customer who is deleted at that moment gets no credit and has no order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `leaving_${round}`;
      const id = await addCustomer(panel, name);
      const ordering = panel
        .get(Orders)
        .create({ user: name, owner: { customer: id }, scene: 'hosting', name: 'Plan', amount: 100, type: '' })
        .catch((error: unknown) => (error as { code: string }).code);
      const [given, removed, ordered] = await Promise.all([give('', '5', { yh: name }), panel.admin('yhsc', { id: String(id) }), ordering]);
      // Customers with credit still exist, and deleted ones have nothing.
      expect(removed.success).toBe(!given.success && typeof ordered === 'string');
      expect(typeof ordered === 'string' ? ordered : 'made').toBe(removed.success ? 'ORDER_INVALID' : 'made');
      expect(given.success || given.err === 'E_NOTEXIST').toBe(true);
      expect(await panel.get(Ledger).balance({ kind: 'customer', id })).toBe(given.success ? 500 : 0);
    }
  });

  it('ten deductions at once take what is available and not a fen more', async () => {
    const { user, client } = await host(500);
    const answers = await Promise.all(Array.from({ length: 10 }, () => give(user, '-1')));
    expect(answers.filter(({ success }) => success)).toHaveLength(5);
    expect(await own(client)).toBe('0.00');
  });

  it('nobody else sees or changes it', async () => {
    const { client } = await host();
    for (const gn of ['listye', 'listyelog', 'yetz', 'yejc', 'listyecy'])
      expect((await client.ajax('admin', { gn })).json).toEqual({ code: '请登陆后台' });
    const other = await host(300);
    const { json } = await client.ajax('user', {
      gn: 'yelog',
      id: String((await panel.get(Ledger).find({ kind: 'account', id: other.id }))!.id),
    });
    expect(json).toMatchObject({ total: 0, rows: [] });
  });
});

describe('a top-up', () => {
  it('is ordered once per request and credited once, however often it is notified', async () => {
    const { client } = await host();
    for (const rmb of ['', '0.99', '50000.01', '-5', '1.005', 'x']) expect(await topUp(client, { rmb })).toMatchObject({ success: false });
    const made = await Promise.all([1, 2, 3].map(() => topUp(client, { rmb: '20', qqh: 'q' })));
    expect(new Set(made.map(({ ddh }) => ddh)).size).toBe(1);
    expect(made[0]).toMatchObject({ success: true, rmb: '20.00', redirect: expect.stringContaining('/pay/order/') as string });
    expect(await topUp(client, { rmb: '21', qqh: 'q' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
    expect(await own(client)).toBe('0.00');
    const bought = await byNumber(made[0]!.ddh!);
    await Promise.all([1, 2, 3].map(() => settle(bought)));
    await expect.poll(() => own(client), WAIT).toBe('20.00');
    const { id, scene, amount } = bought;
    await Promise.all(Array.from({ length: 5 }, () => panel.get(TopUps).deliver({ id, scene, amount })));
    expect(await own(client)).toBe('20.00');
    const { json } = await client.ajax('user', { gn: 'yelog' });
    expect(json.rows).toMatchObject([{ rmb: '+20.00', lx: 'top_up', ddh: bought.number }]);
    const details = await panel.admin('ddsj', { id: String(id) });
    expect(details).toMatchObject({ deliveries: [{ listener: expect.stringContaining('credit') as string, state: 'done' }] });
  });

  it('cannot be paid from credit, and one without an owner stays visible to the reseller', async () => {
    const { id, client } = await host(5_000);
    const { ddh } = await topUp(client, { rmb: '10' });
    expect(await pay(ddh!, id)).toBe('TOP_UP_BY_CREDIT');
    const nobodys = await order(null, 500, 'yecz');
    await settle(nobodys);
    const delivery = async () =>
      ((await panel.admin('ddsj', { id: String(nobodys.id) })) as unknown as { deliveries: { error: string }[] }).deliveries[0]?.error;
    await expect.poll(delivery, WAIT).toContain('NO_HOLDER');
    expect(await panel.get(Ledger).movedBy(causeOf.topUp(nobodys.id))).toBeNull();
  });
});

describe('paying from credit', () => {
  it('deducts and settles once for ten attempts at once', async () => {
    const { id, client } = await host(1_000);
    const bought = await order({ account: id }, 990);
    const said = await Promise.all(Array.from({ length: 10 }, () => pay(bought.number, id)));
    expect(said.filter((one) => one === true)).toHaveLength(1);
    expect(said.filter((one) => one === false)).toHaveLength(9);
    expect(await own(client)).toBe('0.10');
    expect((await byNumber(bought.number)).status).toBe('paid');
    expect(await panel.get(Database).repository(SecondPayment).countBy({ orderId: bought.id })).toBe(0);
  });

  it('pays as many orders as there is credit for; the others stay open', async () => {
    const { id, client } = await host(2_500);
    const orders = await Promise.all(Array.from({ length: 5 }, () => order({ account: id }, 1_000)));
    const said = await Promise.all(orders.map(({ number }) => pay(number, id)));
    expect(said.filter((one) => one === true)).toHaveLength(2);
    expect(said.filter((one) => one === 'NOT_ENOUGH')).toHaveLength(3);
    expect(await own(client)).toBe('5.00');
    const states = await Promise.all(orders.map(async ({ number }) => (await byNumber(number)).status));
    expect(states.sort()).toEqual(['paid', 'paid', 'unpaid', 'unpaid', 'unpaid']);
    const transactions = await panel.get(Database).repository(PaymentTransaction).find();
    expect(transactions.filter(({ orderId }) => orders.some((one) => one.id === orderId))).toHaveLength(2);
  });

  it('is only for the owner of the order, and only while it is unpaid', async () => {
    const [mine, other] = [await host(1_000), await host(1_000)];
    const bought = await order({ account: mine.id }, 500);
    expect(await pay(bought.number, other.id)).toBe('ORDER_NOT_FOUND');
    expect(await pay('nonsense', other.id)).toBe('ORDER_NOT_FOUND');
    expect(await pay((await order(null, 500)).number, other.id)).toBe('ORDER_NOT_FOUND');
    await settle(bought);
    expect(await pay(bought.number, mine.id)).toBe('NOT_PAYABLE');
    expect([await own(mine.client), await own(other.client)]).toEqual(['10.00', '10.00']);
    // A race between a gateway and credit has one winner, and no credit is lost to the loser.
    const raced = await order({ account: mine.id }, 500);
    await panel.get(Orders).chooseType(raced.id, 'bank__a');
    await panel.get(Orders).chooseType(raced.id, 'balance__a');
    const [, byCredit] = await Promise.all([
      panel.get(Settlement).settle(raced.number, 'bank', { trade_no: 'raced', amount: 500 }),
      pay(raced.number, mine.id),
    ]);
    expect([true, 'NOT_PAYABLE']).toContain(byCredit);
    expect(await own(mine.client)).toBe(byCredit === true ? '5.00' : '10.00');
  });
});

describe('refunds', () => {
  const back = async (id: number, rmb: string, qd: string) =>
    (await panel.admin('ddtk', { id: String(id), rmb, qd, yy: 'too slow' })) as unknown as Record<string, unknown>;

  it('to credit are available immediately, in part and in full, and never exceed the payment', async () => {
    const { id, client } = await host();
    const bought = await order({ account: id }, 1_000);
    await settle(bought);
    expect(await panel.admin('ddsj', { id: String(bought.id) })).toMatchObject({ refund_to_credit: true });
    const said = await Promise.all(Array.from({ length: 10 }, () => back(bought.id, '3', 'ye')));
    expect(said.filter(({ success }) => success)).toHaveLength(3);
    expect(await own(client)).toBe('9.00');
    expect((await byNumber(bought.number)).status).toBe('partly_refunded');
    expect(await back(bought.id, '1', 'ye')).toMatchObject({ success: true, zt: 'done' });
    expect((await byNumber(bought.number)).status).toBe('refunded');
    expect(await own(client)).toBe('10.00');
    expect(refund).not.toHaveBeenCalled();
    const nobodys = await order(null, 100);
    await settle(nobodys);
    expect(await back(nobodys.id, '1', 'ye')).toMatchObject({ success: false, err: 'E_STATE' });
  });

  it('of a top-up deduct the credit first, and return it when the gateway refuses', async () => {
    const { id, client } = await host();
    const { ddh } = await topUp(client, { rmb: '10' });
    const bought = await byNumber(ddh!);
    await settle(bought);
    await expect.poll(() => own(client), WAIT).toBe('10.00');
    expect(await back(bought.id, '5', 'ye')).toMatchObject({ success: false, err: 'E_STATE' });
    refund.mockReturnValueOnce({ state: 'refused', msg: 'no' });
    expect(await back(bought.id, '5', 'gateway')).toMatchObject({ zt: 'refused' });
    expect(await own(client)).toBe('10.00');
    refund.mockReturnValueOnce({ state: 'pending', msg: '' });
    expect(await back(bought.id, '4', 'gateway')).toMatchObject({ zt: 'pending' });
    expect(await own(client)).toBe('6.00');
    expect(await pay((await order({ account: id }, 500)).number, id)).toBe(true);
    // One yuan is left: more cannot be refunded, in any way.
    expect(await back(bought.id, '2', 'hand')).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await back(bought.id, '1', 'hand')).toMatchObject({ zt: 'done' });
    expect(await own(client)).toBe('0.00');
    expect((await refunds(bought.id)).map(({ state }) => state)).toEqual(['refused', 'pending', 'done']);
  });
});

describe('a host assigned to a customer', () => {
  it('brings its credit along, and shares the customer’s from then on', async () => {
    const [one, two] = [await host(700), await host()];
    await addCustomer(panel, 'shared');
    const { client } = one;
    const bought = await order({ account: one.id }, 200);
    expect(await pay(bought.number, one.id)).toBe(true);
    for (const { id } of [one, two]) expect(await panel.admin('zjzp', { id: String(id), yh: 'shared' })).toMatchObject({ success: true });
    expect(await Promise.all([own(client), own(two.client), own(client)])).toEqual(['5.00', '5.00', '5.00']);
    expect(await give('', '1', { yh: 'Shared' })).toMatchObject({ success: true, rmb: '6.00', lx: 'customer' });
    expect(await pay((await order({ account: two.id }, 600)).number, one.id)).toBe(true);
    expect(await own(client)).toBe('0.00');
    expect(await panel.get(CreditHolders).find({ account: 999_999 })).toBeNull();
  });
});

describe('the check', () => {
  it('finds nothing when nothing is wrong', async () => {
    expect(await check()).toEqual([]);
    expect(await panel.get(LedgerCheck).last()).toMatchObject({ differences: 0 });
  });

  it('finds discrepancies, reports them once, and forgets them when they are fixed', async () => {
    const database = panel.get(Database);
    const { id } = await host(1_000);
    const credit = (await panel.get(Ledger).find({ kind: 'account', id }))!;
    await database.repository(Credit).update({ id: credit.id }, { balance: 999 });
    const paid = await order({ account: id }, 100);
    await panel.get(Settlement).settle(paid.number, 'balance', { trade_no: 'forged', amount: 100 });
    const lonely = await database
      .repository(CreditTransfer)
      .insert({ cause: 'lonely', kind: 'top_up', orderId: null, createdAt: new Date() });
    const transferId = Number(lonely.identifiers[0]!.id);
    await database.repository(CreditEntry).insert({ transferId, account: 'credit', creditId: credit.id, amount: 1, balanceAfter: 1 });
    const bought = await order({ account: id }, 300);
    await settle(bought);
    const row = { orderId: bought.id, number: 'forged-R1', gateway: 'bank', way: 'credit' as const, amount: 300, state: 'done' as const };
    await database.repository(Refund).insert({ ...row, reason: 'x', actor: 'x', createdAt: new Date() });
    const told = async () => {
      const rows = await panel.get(Database).repository(Notice).find();
      return rows.filter((row) => JSON.stringify(row).includes('ledger.notice_differs"')).length;
    };
    const before = await told();
    const found = await check();
    expect(found.map(({ lx }) => lx).sort()).toEqual(['balance', 'payment_missing', 'refund_missing', 'top_up_without', 'transfer']);
    expect(found.find(({ lx }) => lx === 'balance')).toMatchObject({ yj: '10.01', sj: '9.99' });
    expect(found.find(({ lx }) => lx === 'payment_missing')).toMatchObject({ dx: paid.number, yj: '-1.00', sj: '0.00' });
    expect(await told()).toBe(before + 1);
    await check();
    expect(await told()).toBe(before + 1);
    for (const path of ['credits', `credit?id=${credit.id}`, 'credit-check'])
      expect((await panel.adminFetch(`/admin/${path}`)).status).toBe(200);
  });
});
