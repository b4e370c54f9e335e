import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { testCall } from '../../test/support/calls.js';
import { createTestDatabase, type TestPlace } from '../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../test/support/payment.js';
import { addOwnerTexts, translate } from '../common/index.js';
import { type Database } from '../database/index.js';
import { SiteConfig } from '../site/entities/index.js';
import { NoInput, OPERATION_METADATA, type OperationDeclaration } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { PaymentSettingsOperations } from './gateways/payment-settings.operations.js';
import { OrderOperations } from './order-operations/order.operations.js';
import { AddOrderInput, OrderListInput } from './payment.inputs.js';
import { SecondPaymentOperations } from './second-payments/second-payment.operations.js';

const XSS = '<script>alert(1)</script>';
const ACCOUNTS = new Map([
  ['mine', 1],
  ['theirs', 2],
]);

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let operations: OrderOperations;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  const accounts = { findForLogin: (name: string) => Promise.resolve(ACCOUNTS.has(name) ? { id: ACCOUNTS.get(name)! } : null) };
  parts = paymentParts(database, place.config, { accounts });
  ({ operations } = parts);
  await database.repository(SiteConfig).save({ id: 1, api: 'key', payMethods: [] });
  await parts.settings.start();
});
afterAll(() => dispose());

const as = (username: string): CallContext => testCall({ user: { id: ACCOUNTS.get(username)!, username }, ip: '203.0.113.9' });
const admin = testCall({ admin: { id: 1, username: 'admin' }, ip: '203.0.113.9' });
const input = <T extends object>(form: new () => T, fields: object): T => plainToInstance(form, fields);
const wrongFields = (fields: object): string[] => validateSync(input(AddOrderInput, fields)).map((error) => error.property);
const GOOD = { user: 'nobody', scene: 'nothing_yet', name: 'By hand', rmb: '12.5', ff: 'epay__alipay' };
const add = async (fields: object = {}): Promise<{ id: number; ddh: string }> =>
  (await operations.addOrder(input(AddOrderInput, { ...GOOD, ...fields }), admin)).extras as { id: number; ddh: string };

describe('adddd', () => {
  it('adds an order for an unknown user and scene, and returns id and ddh', async () => {
    const reply = await operations.addOrder(input(AddOrderInput, GOOD), admin);
    expect(translate('zh-CN', reply.text)).toBe('添加成功');
    expect(reply.extras).toEqual({ id: expect.any(Number) as number, ddh: expect.stringMatching(/^\d{20}$/) as string });
    const { orders } = await parts.list.page({ page: 1, limit: 1, sortOrder: 'desc' });
    expect(orders[0]).toMatchObject({ user: 'nobody', amount: 1_250, type: 'epay__alipay', status: 'unpaid', ip: '203.0.113.9' });
  });

  it.each([
    [GOOD, []],
    [{ ...GOOD, ff: undefined }, []],
    [{ ...GOOD, ff: '' }, []],
    [{ ...GOOD, rmb: ' 0.01 ' }, []],
    [{ ...GOOD, user: '😀'.repeat(64) }, []],
    [{ ...GOOD, user: 'x'.repeat(65) }, ['user']],
    [{ ...GOOD, user: '  ' }, ['user']],
    [{ ...GOOD, scene: 'a-b' }, ['scene']],
    [{ ...GOOD, name: 'x'.repeat(128) }, ['name']],
    [{ ...GOOD, rmb: '0' }, ['rmb']],
    [{ ...GOOD, rmb: '-1' }, ['rmb']],
    [{ ...GOOD, rmb: '1.005' }, ['rmb']],
    [{ ...GOOD, rmb: '1000000000' }, ['rmb']],
    [{ ...GOOD, ff: 'alipay' }, ['ff']],
    [{}, ['user', 'scene', 'name', 'rmb']],
  ])('checks %o: %j', (fields, wrong) => expect(wrongFields(fields)).toEqual(wrong));
});

describe('orders of a list', () => {
  it("carry both sets of names, yuan with two decimals and the panel's own time, and no key", async () => {
    const { id, ddh } = await add({ user: XSS, name: XSS });
    const order = (await parts.orders.get(id))!;
    const { rows } = await operations.listOrders(
      input(OrderListInput, { where: JSON.stringify({ name: 'ddh', type: '1', value: ddh }) }),
      testCall(),
    );
    expect(rows).toEqual([
      {
        id,
        ddh,
        user: XSS,
        name: XSS,
        rmb: '12.50',
        yj: '12.50',
        yh: '0.00',
        yhq: null,
        ff: 'epay__alipay',
        scene: 'nothing_yet',
        qk: 'unpaid',
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string,
        paid_at: null,
        je: '12.50',
        zffs: 'epay__alipay',
        lx: 'nothing_yet',
        ip: '203.0.113.9',
        ffmc: 'epay__alipay',
        spname: XSS,
      },
    ]);
    expect(new Date(`${(rows[0] as { date: string }).date.replace(' ', 'T')}+08:00`).getTime()).toBe(
      Math.floor(order.createdAt.getTime() / 1000) * 1000,
    );
    expect(JSON.stringify(rows)).not.toContain(order.accessKey);
  });

  it("are only one's own on the user side: another's order is not found", async () => {
    const mine = await add({ user: 'mine' });
    const theirs = await add({ user: 'theirs' });
    const list = await operations.listOwnOrders(input(OrderListInput, { user: 'theirs', accountId: 2, ss: '', where: '' }), as('mine'));
    expect(list).toMatchObject({ total: 1, rows: [{ ddh: mine.ddh }] });
    const search = JSON.stringify({ name: 'ddh', type: '1', value: theirs.ddh });
    expect(await operations.listOwnOrders(input(OrderListInput, { where: search }), as('mine'))).toMatchObject({ total: 0, rows: [] });
    expect((await operations.orderStatus({ ddh: mine.ddh }, as('mine'))).extras).toEqual({ ddh: mine.ddh, qk: 'unpaid' });
    await parts.settlement.settle(mine.ddh, 'epay');
    expect((await operations.orderStatus({ ddh: mine.ddh }, as('mine'))).extras).toMatchObject({ qk: 'paid' });
    const foreign: unknown = await operations.orderStatus({ ddh: theirs.ddh }, as('mine')).catch((error: unknown) => error);
    const missing: unknown = await operations.orderStatus({ ddh: '20000101000000000000' }, as('mine')).catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'ORDER_NOT_FOUND' });
    expect(foreign).toEqual(missing);
    await expect(operations.orderStatus({ ddh: mine.ddh }, admin)).rejects.toThrow(/without a user/);
  });
});

it('setpaymethods saves, listzffs shows what is registered and what is enabled', async () => {
  const undo = parts.registry.register('bank', { name: 'Bank', methods: { wire: 'Wire', cash: 'Cash' }, build: () => false }, 'bank');
  const methods = JSON.stringify([
    { plugin: 'bank', method: 'wire', display_name: XSS, sort: 3 },
    { plugin: 'gone', method: 'x' },
  ]);
  const reply = await parts.settingsOperations.saveMethods({ methods });
  expect(translate('zh-CN', reply.text)).toBe('修改成功');
  const forget = addOwnerTexts('bank', { en: { 'gateway.bank': 'The bank', 'method.wire': 'A transfer' } });
  const listed = await parts.settingsOperations.listMethods(new NoInput(), testCall({ ...admin, locale: 'en' }));
  forget();
  expect(listed.rows).toMatchObject([
    { plugin: 'bank', method: 'wire', display_name: XSS, enabled: true, registered: true, gateway: 'The bank', label: 'A transfer' },
    { plugin: 'gone', method: 'x', enabled: true, registered: false },
    { plugin: 'bank', method: 'cash', display_name: 'Cash', enabled: false, registered: true },
  ]);
  undo();
  for (const wrong of ['', '{', '{}', 'null']) {
    const error = await parts.settingsOperations
      .saveMethods({ methods: wrong })
      .catch((thrown: unknown) => thrown as { shape: { text: string } });
    expect(translate('zh-CN', (error as { shape: { text: string } }).shape.text)).toBe('数据格式错误');
  }
});

it('no operation is open: admin operations need an admin, user operations a user', () => {
  const declared = [OrderOperations, PaymentSettingsOperations, SecondPaymentOperations].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const method = prototype[name as keyof typeof prototype] as object;
      const declaration = Reflect.getMetadata(OPERATION_METADATA, method) as OperationDeclaration | undefined;
      return declaration ? [declaration] : [];
    }),
  );
  expect(declared.map(({ side, gn }) => `${side} ${gn}`).sort()).toEqual([
    'admin adddd',
    'admin listdd',
    'admin listzfcf',
    'admin listzffs',
    'admin setdd',
    'admin sethb',
    'admin setpaymethods',
    'admin zftk',
    'admin zftkwg',
    'admin zftkye',
    'user ddcx',
    'user listdd',
  ]);
  for (const { side, auth } of declared) expect(auth).toBe(side);
});
