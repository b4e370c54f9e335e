/** What a plugin's gateway can do apart from taking payments. Source: docs/plugin-api.md "Payments". */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { CallDeadlines, Faults, PluginCalls } from '../../src/common/index.js';
import { Dispatch, GatewayCalls, Orders, PaymentMethods, type Order } from '../../src/payment/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** Gateway whose answers are the values in `globalThis.gateway`; undefined if there is none. */
const GATEWAY = functionPlugin(`
  const answer = (action) => (...args) => {
    globalThis.gateway.calls.push([action, ...args]);
    const value = globalThis.gateway[action];
    return typeof value === 'function' ? value(...args) : value;
  };
  svc.svc_register_payment('mygate', {
    name: 'My gateway',
    methods: { card: 'Card' },
    limits: { least: 100, most: 5_000 },
    build: () => 'https://pay.example.com/',
    query: answer('query'),
    refund: answer('refund'),
    test: answer('test'),
  });
  svc.svc_register_settings_tab('admin', { id: 'mine', title: 'Mine', fields: [{ key: 'a', label: 'A', type: 'text' }] });
`);

interface Script {
  calls: unknown[][];
  query?: unknown;
  refund?: unknown;
  test?: unknown;
}
const script = (): Script => (globalThis as unknown as { gateway: Script }).gateway;
const never = (): Promise<never> => new Promise(() => undefined);

let panel: TestPanel;
let calls: GatewayCalls;
let order: Order;

beforeAll(async () => {
  (globalThis as unknown as { gateway: Script }).gateway = { calls: [] };
  panel = await TestPanel.start();
  calls = panel.get(GatewayCalls);
  writePlugin(panel.dataDir, 'mygate', {
    files: { 'index.js': GATEWAY, 'lang/en.json': '{"key":"The key of {who} is wrong"}', 'lang/zh-CN.json': '{"key":"{who} 的密钥错误"}' },
  });
  await panel.enable('mygate');
  order = await panel.get(Orders).create({ user: 'u', scene: 's', name: 'n', amount: 990, type: 'mygate__card' });
});
afterAll(() => panel.close());
beforeEach(() => {
  Object.assign(script(), { calls: [], query: undefined, refund: undefined, test: undefined });
});

const REQUEST = { id: 'R1', amount: 90, trade_no: 'T1', paid: 990, reason: '' };

describe('querying a gateway about an order', () => {
  it('passes the same order as build, and returns the gateway’s result', async () => {
    script().query = { state: 'paid', trade_no: ' T1 ', amount: 990, more: 'x' };
    expect(await calls.query(order, 'mygate')).toEqual({ state: 'paid', trade_no: 'T1', amount: 990 });
    expect(script().calls[0]![1]).toMatchObject({ out_trade_no: order.number, amount: 990, notify_url: `${panel.url}/pay/mygate/notify` });
    script().query = { state: 'unpaid', amount: 'x' };
    expect(await calls.query(order, 'mygate')).toEqual({ state: 'unpaid' });
  });

  it.each([
    ['nothing', undefined],
    ['a state nobody knows', { state: 'PAID' }],
    ['money without a number', { state: 'paid', amount: 990 }],
    ['money without an amount', { state: 'paid', trade_no: 'T1' }],
    ['part of a fen', { state: 'paid', trade_no: 'T1', amount: 9.9 }],
    ['less than nothing', { state: 'paid', trade_no: 'T1', amount: -1 }],
    ['an amount that is a text', { state: 'paid', trade_no: 'T1', amount: '990' }],
  ])('rejects a result that is %s', async (_name, answer) => {
    script().query = () => Promise.resolve(answer);
    await expect(calls.query(order, 'mygate')).rejects.toMatchObject({ code: 'GATEWAY_FAILED' });
  });

  it('passes on why the query failed, in one line, and records the fault', async () => {
    script().query = () => Promise.reject(new Error(`no  connection\n${'x'.repeat(5_000)}`));
    const error = (await calls.query(order, 'mygate').catch((thrown: unknown) => thrown)) as { params: { reason: string } };
    expect(error.params.reason).toMatch(/^no connection x+$/);
    expect(error.params.reason).toHaveLength(300);
    expect(panel.get(Faults).last('mygate')).toMatchObject({ place: 'query of the gateway' });
  });

  it('refuses features the gateway does not offer, and a disabled gateway', async () => {
    await panel.enable('sandbox');
    await expect(calls.query(order, 'sandbox')).rejects.toMatchObject({ code: 'GATEWAY_CANNOT' });
    await expect(calls.refund(order, 'nobody', REQUEST)).rejects.toMatchObject({ code: 'GATEWAY_OFF' });
    expect([calls.can('mygate', 'refund'), calls.can('sandbox', 'refund'), calls.can('nobody', 'refund')]).toEqual([true, false, false]);
  });
});

describe('a refund', () => {
  it('has the outcome the gateway reports', async () => {
    for (const answer of [
      { state: 'done', refund_no: 'G1', msg: '' },
      { state: 'pending', msg: '' },
      { state: 'refused', msg: 'no balance' },
    ]) {
      script().refund = answer;
      expect(await calls.refund(order, 'mygate', REQUEST)).toEqual(answer);
    }
    expect(script().calls[0]![2]).toEqual(REQUEST);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('cut off'))],
    ['answers something else', () => ({ ok: true })],
    ['answers nothing', () => undefined],
  ])('is unknown if the gateway %s', async (_name, refund) => {
    script().refund = refund;
    expect(await calls.refund(order, 'mygate', REQUEST)).toMatchObject({ state: 'unknown' });
  });
});

describe('the test of a gateway', () => {
  const test = (slug = 'mygate') => panel.admin('zfcs', { slug });

  it('returns its result in the caller’s language', async () => {
    script().test = ({ t, notify_url }: { t: (key: string, params: object) => string; notify_url: string }) => ({
      ok: false,
      msg: `${t('key', { who: 'Pay' })} ${notify_url}`,
    });
    expect(await test()).toMatchObject({
      success: false,
      err: 'E_UNREACH',
      code: `My gateway：Pay 的密钥错误 ${panel.url}/pay/mygate/notify`,
    });
    script().test = { ok: true, msg: 'Connected' };
    expect(await test()).toMatchObject({ success: true, code: 'My gateway：Connected' });
    expect(await test('nobody')).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await test('sandbox')).toMatchObject({ success: false, err: 'E_STATE' });
    script().test = { ok: 'yes' };
    expect(await test()).toMatchObject({ success: false, err: 'E_UNREACH' });
  });

  it('is on the payment settings with the callback URL, the limits and a link to its settings', async () => {
    const page = await (await panel.adminFetch('/admin/settings?tab=payments')).text();
    for (const part of [`${panel.url}/pay/sandbox/notify`, '/admin/settings?tab=mine', '¥1.00', '¥50.00', 'data-ajax="zfcs"'])
      expect(page).toContain(part);
    expect(page).not.toContain('/pay/mygate/notify'); // it has no notify callback
  });
});

it('a gateway is offered only for amounts and currencies it accepts', async () => {
  const offered = async (amount?: number): Promise<string[]> => (await panel.get(PaymentMethods).available(amount)).map(({ type }) => type);
  expect(await offered()).toContain('mygate__card');
  for (const [amount, isTaken] of [
    [99, false],
    [100, true],
    [5_000, true],
    [5_001, false],
  ] as const) {
    expect((await offered(amount)).includes('mygate__card'), String(amount)).toBe(isTaken);
    const { id } = await panel.get(Orders).create({ user: 'u', scene: 's', name: 'n', amount });
    expect((await panel.get(Dispatch).dispatch(id, 'mygate__card')) !== false, String(amount)).toBe(isTaken);
  }
});

it('one that never responds does not block others', async () => {
  const deadlines = panel.get(CallDeadlines);
  const { payment } = deadlines;
  deadlines.payment = 100;
  try {
    Object.assign(script(), { query: never, refund: never, test: never });
    await expect(calls.query(order, 'mygate')).rejects.toMatchObject({ code: 'GATEWAY_SILENT' });
    expect(await calls.refund(order, 'mygate', REQUEST)).toMatchObject({ state: 'unknown' });
    expect(await panel.admin('zfcs', { slug: 'mygate' })).toMatchObject({ success: false, err: 'E_BUSY' });
  } finally {
    deadlines.payment = payment;
  }
  expect(panel.get(PluginCalls).place('mygate', 'query of the gateway').timeouts).toBe(1);
});

describe('a gateway that reports whether it is configured', () => {
  it('is offered while it returns true, and not while it returns false, throws or never responds', async () => {
    writePlugin(
      panel.dataDir,
      'later',
      functionPlugin(
        "svc.svc_register_payment('later', { name: 'Later', methods: { card: 'Later card' }, build: () => " +
          "'https://pay.example.com/', ready: () => globalThis.gateway.ready() });",
      ),
    );
    const ready = (answer: () => unknown): void => void Object.assign(script(), { ready: answer });
    const isOffered = async (): Promise<boolean> =>
      (await panel.get(PaymentMethods).available()).some(({ type }) => type === 'later__card');
    const settings = async (): Promise<string> =>
      (await panel.adminFetch('/admin/settings?tab=payments', { headers: { 'Accept-Language': 'en' } })).text();

    ready(() => false);
    await panel.admin('plugin_install', { slug: 'later' });
    expect(await panel.tryEnable('later')).toMatchObject({ success: true, code: expect.stringContaining('设置') });
    expect(await isOffered()).toBe(false);
    expect(await settings()).toContain('Not set up: not offered');
    for (const no of [() => Promise.resolve('yes'), () => null, () => Promise.reject(new Error('lost'))]) {
      ready(no);
      expect(await isOffered()).toBe(false);
    }
    ready(() => {
      throw new Error('broken');
    });
    expect(await isOffered()).toBe(false);
    ready(never);
    expect(await isOffered()).toBe(false);
    ready(() => Promise.resolve(true));
    expect(await isOffered()).toBe(true);
    expect(await settings()).not.toContain('Not set up: not offered');
    await panel.disable('later');
  });
});
