/** The bundled gateway manual: transfer details are shown, people review the proof, and one confirmation settles the order once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { proofKindOf } from '../../plugins/manual/src/proof-kind.js';
import { Database } from '../../src/database/index.js';
import { EventDispatcher, HookRegistry } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { Notice } from '../../src/notify/index.js';
import { Order, OrderExpiry, Orders, PaymentTransaction, SecondPayment, payPagePath } from '../../src/payment/index.js';
import { PluginTables } from '../../src/plugin-registry/tables/plugin-tables.js';

import { choose, newOrder, stateOf } from '../support/gateway-orders.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { tidyHtml } from '../support/tidy-html.js';

const DAY = 24 * 3_600_000;
const ACCOUNT = { enabled: 'on', holder: 'Anna <b>Shop</b>', bank: 'First Bank', account: '6222 0000 1111', text: 'We look twice a day.' };
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(60_000, 7)]);
const PDF = Buffer.from('%PDF-1.7\n%tail');

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  await panel.enable('manual');
});
afterAll(() => panel.close());
beforeEach(async () => {
  expect(await panel.admin('p_manual_save', { ...ACCOUNT, hold_days: '7', keep_days: '30' })).toMatchObject({ success: true });
});

const database = () => panel.get(Database);
const tables = () => panel.get(PluginTables).forPlugin('manual');
interface Line {
  id: number;
  state: string;
  bytes: number;
  note: string;
}
/** The proofs of an order, newest first. */
const proofsOf = (number: string) => tables().query<Line>('SELECT * FROM {proof} WHERE order_no = ? ORDER BY id DESC', [number]);
const waitingFor = async (number: string) => (await proofsOf(number)).find(({ state }) => state === 'waiting');
const pieces = async (id: string | number) => (await tables().query('SELECT id FROM {piece} WHERE proof_id = ?', [id])).length;
/** Redirects the buyer to the transfer page; returns its path. */
async function placed(order: Order): Promise<string> {
  const { status, headers } = await choose(panel, order, 'manual__transfer');
  expect(status).toBe(303);
  return headers.get('location')!;
}
function send(
  path: string,
  { note = '', file, name = 'proof.png' }: { note?: string; file?: Buffer; name?: string } = {},
): Promise<Response> {
  const form = new FormData();
  form.set('note', note);
  form.set('proof', file ? new Blob([new Uint8Array(file)], { type: 'text/html' }) : new Blob([]), file ? name : '');
  return panel.fetch(path, { method: 'POST', body: form, redirect: 'manual', headers: { 'Accept-Language': 'en' } });
}
const read = async (path: string) => (await panel.fetch(path, { headers: { 'Accept-Language': 'en' } })).text();
/** An order with a proof in review. */
async function proven(amount = 1_050): Promise<{ order: Order; path: string; id: string }> {
  const order = await newOrder(panel, amount);
  const path = await placed(order);
  expect((await send(path, { note: 'from Bob', file: PNG })).status).toBe(303);
  return { order, path, id: String((await waitingFor(order.number))!.id) };
}
const confirm = (id: string) => panel.admin('p_manual_confirm', { id });
const reject = (id: string, reason = 'Nothing arrived.') => panel.admin('p_manual_reject', { id, reason });
const transactions = (order: Order) => database().repository(PaymentTransaction).findBy({ orderId: order.id });
const noticesOf = (key: string) =>
  database()
    .repository(Notice)
    .countBy({ key: `plugin:manual:${key}` });
async function tick(): Promise<void> {
  await panel.get(HookRegistry).doAction('cron');
}

describe('paying by transfer', () => {
  it('shows account, amount and reference, stores a proof, notifies the reseller, whose confirmation settles the order', async () => {
    const order = await newOrder(panel, 1_990, 'Plan <i>');
    const path = await placed(order);
    expect(path).toBe(`/pay/manual/transfer?${new URLSearchParams({ no: order.number, k: order.accessKey })}`);
    const page = await read(path);
    for (const text of [
      'Anna &lt;b&gt;Shop',
      'First Bank',
      '6222 0000 1111',
      '¥19.90',
      order.number,
      'We look twice a day.',
      'Plan &lt;i&gt;',
    ])
      expect(page).toContain(text);

    expect((await send(path, { note: 'from <b>Bob</b>', file: PNG })).headers.get('location')).toBe(path);
    const waiting = await read(path);
    expect(waiting).toContain('We have received your proof');
    // A customer may be anywhere: both times include their time zone.
    expect(waiting).toMatch(/Sent \d{4}-\d\d-\d\d \d\d:\d\d UTC\+8\. .* until \d{4}-\d\d-\d\d \d\d:\d\d UTC\+8\./);
    expect(await stateOf(panel, order)).toBe('unpaid');
    const { rows } = (await panel.admin('p_manual_proofs')) as unknown as { rows: { id: number; order_no: string; state: string }[] };
    expect(rows[0]).toMatchObject({ order_no: order.number, rmb: '19.90', state: 'waiting' });
    const id = String(rows[0]!.id);
    expect(await noticesOf(`proof:${id}`)).toBe(1);

    const review = await (await panel.adminFetch(`/admin/plugin.php?p=manual&page=proof&id=${id}`)).text();
    expect(review).toContain('from &lt;b&gt;Bob&lt;/b&gt;');
    expect(review).toContain(`src="/pay/manual/proof/${id}"`);
    const answer = await confirm(id);
    expect(answer).toMatchObject({ success: true });
    expect(await stateOf(panel, order)).toBe('paid');
    expect(await transactions(order)).toMatchObject([{ gateway: 'manual', tradeNumber: `hand-${order.number}`, amountChecked: true }]);
    expect((await panel.get(Orders).get(order.id))!.type).toBe('manual__transfer');
    expect(await confirm(id)).toMatchObject({ success: false });
    expect((await panel.fetch(path, { redirect: 'manual' })).headers.get('location')).toContain(`${payPagePath(order)}&done=1`);
    expect(await database().repository(SecondPayment).countBy({ orderId: order.id })).toBe(0);
  });

  it('is confirmed once by twenty clicks, including a manual mark', async () => {
    const { order, id } = await proven();
    const clicks = [
      ...Array.from({ length: 10 }, () => confirm(id)),
      ...Array.from({ length: 10 }, () => panel.admin('ddbz', { id: String(order.id), yy: 'seen' })),
    ];
    const done = (await Promise.all(clicks)).filter(({ success }) => success);
    expect(done.length).toBeGreaterThan(0);
    expect(await transactions(order)).toHaveLength(1);
    expect(await database().repository(SecondPayment).countBy({ orderId: order.id })).toBe(0);
    const type = (await panel.get(Orders).get(order.id))!.type;
    expect(['manual__transfer', 'manual__confirmed']).toContain(type);
  });

  it('distinguishes a manual mark and a transfer by their method', async () => {
    const { order, id } = await proven();
    expect(await panel.admin('ddbz', { id: String(order.id), yy: 'cash' })).toMatchObject({ success: true });
    expect((await panel.get(Orders).get(order.id))!.type).toBe('manual__confirmed');
    const answer = await confirm(id);
    expect(answer).toMatchObject({ success: true });
    expect(String(answer.code)).toContain('没有重复入账');
    expect(await transactions(order)).toHaveLength(1);
    const list = (await panel.admin('listzffs')) as unknown as { data: unknown };
    expect(JSON.stringify(list)).not.toContain('manual__confirmed');
  });

  it('records a transfer for an order settled by another gateway as a duplicate payment, to be refunded', async () => {
    writePlugin(
      panel.dataDir,
      'desk',
      functionPlugin(`svc.svc_register_payment('desk', { name: 'Desk', methods: { a: 'A' }, build: () => '/', notify: async (ctx) =>
        (await svc.svc_pay_settle_order(ctx.body.no, 'desk', { trade_no: 'D-' + ctx.body.no, amount: Number(ctx.body.fen) })).ok
          ? 'success' : 'fail' });`),
    );
    await panel.enable('desk');
    const { order, id } = await proven();
    await choose(panel, order, 'desk__a');
    await panel.fetch('/pay/desk/notify', { method: 'POST', body: new URLSearchParams({ no: order.number, fen: String(order.amount) }) });
    expect(await stateOf(panel, order)).toBe('paid');
    expect(String((await confirm(id)).code)).toContain('重复付款');
    expect(await database().repository(SecondPayment).findBy({ orderId: order.id })).toMatchObject([{ gateway: 'manual' }]);
    await panel.disable('desk');
  });

  it('rejects with a reason the buyer reads; the buyer sends another proof, and the owner account is notified', async () => {
    const host = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'bob00001', password: 'secret-pass-1', expiresOn: null }, 'admin');
    const order = await panel
      .get(Orders)
      .create({ user: 'bob00001', owner: { account: host.id }, scene: 'test', name: 'Plan', amount: 700 });
    const path = await placed(order);
    await send(path, { note: 'first' });
    const first = String((await waitingFor(order.number))!.id);
    expect(await reject(first, '')).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await reject(first, 'x'.repeat(201))).toMatchObject({ err: 'E_ARGS' });
    expect(await reject(first, 'Only ¥5 <came>.')).toMatchObject({ success: true });
    expect(await read(path)).toContain('Only ¥5 &lt;came&gt;.');
    expect(
      await database()
        .repository(Notice)
        .findBy({ key: `plugin:manual:rejected:${first}` }),
    ).toMatchObject([{ side: 'user', username: 'bob00001' }]);
    expect(await confirm(first)).toMatchObject({ success: false });
    await send(path, { note: 'second' });
    const second = String((await waitingFor(order.number))!.id);
    expect(await confirm(second)).toMatchObject({ success: true });
    expect(await stateOf(panel, order)).toBe('paid');
    expect(await reject(second)).toMatchObject({ success: false });
  });
});

describe('a proof', () => {
  it('is identified by its bytes: no other type is accepted, whatever its name', async () => {
    expect([PNG, PDF, Buffer.from('ffd8ffe0', 'hex'), Buffer.from('RIFFabcdWEBPVP8 ')].map(proofKindOf)).toEqual([
      'png',
      'pdf',
      'jpg',
      'webp',
    ]);
    const order = await newOrder(panel);
    const path = await placed(order);
    for (const file of [
      '<script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      'MZ',
      ' %PDF-1.7',
      'PK\u0003\u0004',
    ].map((text) => Buffer.from(text))) {
      const answer = await send(path, { file, name: 'proof.png' });
      expect([answer.status, (await answer.text()).includes('not a JPEG, PNG, WebP or PDF')]).toEqual([422, true]);
    }
    expect((await send(path)).status).toBe(422);
    expect((await send(path, { note: 'x'.repeat(501) })).status).toBe(422);
    expect((await send(path, { file: Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024)]) })).status).toBe(422);
    const two = new FormData();
    for (const name of ['proof', 'other']) two.set(name, new Blob([new Uint8Array(PDF)]), 'a.pdf');
    expect((await panel.fetch(path, { method: 'POST', body: two, redirect: 'manual' })).status).toBe(422);
    expect(await proofsOf(order.number)).toEqual([]);
  });

  it('is served to administrators only, with its type and never as a page', async () => {
    const { order, path, id } = await proven();
    const answer = await panel.adminFetch(`/pay/manual/proof/${id}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    expect(
      Object.fromEntries(
        ['content-type', 'x-content-type-options', 'content-disposition', 'content-security-policy', 'cache-control'].map((name) => [
          name,
          answer.headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="proof-${id}.png"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
    await send(path, { file: PDF });
    const next = (await waitingFor(order.number))!.id;
    expect((await panel.adminFetch(`/pay/manual/proof/${next}`)).headers.get('content-disposition')).toBe(
      `attachment; filename="proof-${next}.pdf"`,
    );
    const user = await new PanelClient(panel.url).login('user', 'bob00001', 'secret-pass-1');
    for (const asked of [`/pay/manual/proof/${next}`, `/pay/manual/proof/${next}?k=${order.accessKey}`]) {
      const stranger = await panel.fetch(asked, { redirect: 'manual' });
      expect(stranger.headers.get('content-type')).not.toContain('pdf');
      expect((await user.send(asked, { redirect: 'manual' })).text).not.toContain('%PDF');
    }
    for (const none of ['0', 'x', '99999999', '-1', "1' OR 1=1"])
      expect((await panel.adminFetch(`/pay/manual/proof/${encodeURIComponent(none)}`)).status).toBe(404);
  });

  it('replaces the previous one: of ten at once one is in review, and the old one can no longer be confirmed', async () => {
    const { order, path, id } = await proven();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(path, { note: 'again', file: PDF })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await confirm(id)).toMatchObject({ success: false });
    expect((await panel.adminFetch(`/pay/manual/proof/${id}`)).status).toBe(404);
    const waiting = (await proofsOf(order.number)).filter(({ state }) => state === 'waiting');
    expect(waiting).toHaveLength(1);
    for (let n = 0; n < 4; n += 1) await send(path, { note: 'and again' });
    expect(await (await send(path, { note: 'too many' })).text()).toContain('sent ten times');
    expect(await confirm(String((await waitingFor(order.number))!.id))).toMatchObject({ success: true });
  });

  it('has a storage limit: beyond it a note is accepted and a file is not', async () => {
    const order = await newOrder(panel);
    const path = await placed(order);
    const values = ['other', 'other', 1, 'waiting', '', 500 * 1024 * 1024, 1, 1];
    const { insertId } = await tables().run(
      'INSERT INTO {proof} (order_no, order_name, amount, state, note, bytes, sent_at, held_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      values,
    );
    expect(await (await send(path, { file: PDF })).text()).toContain('No more files');
    expect((await send(path, { note: 'without' })).status).toBe(303);
    await tables().run('DELETE FROM {proof} WHERE id = ?', [insertId]);
    expect((await send(path, { file: PDF })).status).toBe(303);
  });

  it('is for those with the key of the order, and is rejected from other sites', async () => {
    const { order, path } = await proven();
    for (const asked of [
      path.replace(order.accessKey, 'x'),
      path.replace(/&k=.*/, ''),
      '/pay/manual/transfer',
      `/pay/manual/transfer?no=${encodeURIComponent("' OR 1=1")}&k=`,
    ]) {
      expect((await panel.fetch(asked)).status).toBe(404);
      expect((await send(asked, { note: 'hello' })).status).toBe(404);
    }
    const foreign = await panel.fetch(path, {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
      body: new URLSearchParams({ note: 'x' }),
    });
    expect(foreign.status).toBe(403);
  });
});

describe('an order with a proof', () => {
  const old = (order: Order) =>
    database()
      .repository(Order)
      .update(order.id, { createdAt: new Date(Date.now() - 60 * DAY) });

  it('is not closed automatically during the review; the reseller is notified before and afterwards, and can still confirm', async () => {
    const { order, id, path } = await proven();
    const bare = await newOrder(panel);
    await Promise.all([old(order), old(bare)]);
    await panel.get(OrderExpiry).closeOld();
    expect([await stateOf(panel, order), await stateOf(panel, bare)]).toEqual(['unpaid', 'closed']);
    await tick();
    expect(await noticesOf(`soon:${id}`)).toBe(0);
    await panel
      .get(PluginTables)
      .forPlugin('manual')
      .run('UPDATE {proof} SET held_until = ? WHERE id = ?', [Date.now() + DAY / 2, id]);
    await tick();
    await tick();
    expect(await noticesOf(`soon:${id}`)).toBe(1);
    await database()
      .repository(Order)
      .update(order.id, { heldUntil: new Date(Date.now() - 1_000) });
    await panel.get(OrderExpiry).closeOld();
    expect(await stateOf(panel, order)).toBe('closed');
    await panel.get(EventDispatcher).idle();
    expect(await noticesOf(`closed:${id}`)).toBe(1);
    expect(await read(path)).toContain('The order has been closed');
    expect(await confirm(id)).toMatchObject({ success: true });
    expect(await stateOf(panel, order)).toBe('paid');
  });

  it('is kept open while the plugin is disabled, and its proof is still there afterwards', async () => {
    const { order, id } = await proven();
    await old(order);
    await panel.disable('manual');
    await panel.get(OrderExpiry).closeOld();
    expect(await stateOf(panel, order)).toBe('unpaid');
    await panel.enable('manual');
    expect(await confirm(id)).toMatchObject({ success: true });
  });

  it('loses its file a number of days after it ended, and keeps the line', async () => {
    const [{ order, id }, waiting] = [await proven(), await proven()];
    await confirm(id);
    await panel.get(EventDispatcher).idle();
    /** Like a process that was just started: it checks immediately, then hourly. */
    const sweep = async () => {
      await panel.disable('manual');
      await panel.enable('manual');
      await tick();
    };
    await tables().run('UPDATE {proof} SET ended_at = ended_at - ? WHERE id = ?', [29 * DAY, id]);
    await sweep();
    expect(await pieces(id)).toBeGreaterThan(1);
    await tables().run('UPDATE {proof} SET ended_at = ended_at - ? WHERE id = ?', [DAY, id]);
    await sweep();
    expect(await pieces(id)).toBe(0);
    expect(await proofsOf(order.number)).toMatchObject([{ bytes: 0, state: 'confirmed', note: 'from Bob' }]);
    expect((await panel.adminFetch(`/pay/manual/proof/${id}`)).status).toBe(404);
    expect(await pieces(waiting.id)).toBeGreaterThan(1);
  });

  it('that was deleted cannot be paid; the proof can be dismissed', async () => {
    const { order, id } = await proven();
    await database().repository(Order).delete(order.id);
    const answer = await confirm(id);
    expect(answer).toMatchObject({ success: false });
    expect(await waitingFor(order.number)).toBeDefined();
    expect(await reject(id)).toMatchObject({ success: true });
  });
});

describe('the reseller', () => {
  it('gets invalid input rejected by name, and can disable it: nobody is offered it', async () => {
    expect(await panel.admin('p_manual_save', { account: '' })).toMatchObject({
      err: 'E_ARGS',
      fields: { account: expect.any(String) as string },
    });
    for (const hold_days of ['0', '31', '-1', '1.5', 'many'])
      expect(await panel.admin('p_manual_save', { hold_days })).toMatchObject({ err: 'E_ARGS' });
    expect(await panel.admin('p_manual_save', { enabled: 'perhaps' })).toMatchObject({ err: 'E_ARGS' });
    const order = await newOrder(panel);
    expect(await read(payPagePath(order))).toContain('manual__transfer');
    const { order: open, path } = await proven();
    await panel.admin('p_manual_save', { enabled: 'off' });
    expect(await read(payPagePath(order))).not.toContain('manual__transfer');
    // Buyers who already transferred can still say so; new ones are told of other ways.
    expect(await read(path)).toContain('not available at the moment');
    expect((await send(path, { note: 'sent yesterday' })).status).toBe(303);
    expect(
      (await send(`/pay/manual/transfer?${new URLSearchParams({ no: order.number, k: order.accessKey })}`, { note: 'new' })).status,
    ).toBe(422);
    expect(await stateOf(panel, open)).toBe('unpaid');
  });

  it('with access to the plugin but without permission to mark orders as paid can view and not confirm', async () => {
    const { order, id } = await proven();
    const helperOf = async (name: string, qx: string) => {
      const js_id = String((await panel.admin('jsbc', { name, qx })).data.id);
      await panel.admin('addadmin', { user: name, pass: 'secret-of-helper', js_id });
      return new PanelClient(panel.url).login('admin', name, 'secret-of-helper');
    };
    const looker = await helperOf('looker01', 'plugin.manual');
    const run = async (client: PanelClient, gn: string) => (await client.ajax('admin', { gn, id, reason: 'no' })).json;
    expect(await run(looker, 'p_manual_proofs')).toMatchObject({ total: expect.any(Number) as number });
    expect(await run(looker, 'p_manual_confirm')).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await run(looker, 'p_manual_reject')).toMatchObject({ err: 'E_FORBIDDEN' });
    const marker = await helperOf('marker01', 'ddbz');
    expect(await run(marker, 'p_manual_confirm')).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await stateOf(panel, order)).toBe('unpaid');
    const both = await helperOf('cashier1', 'plugin.manual,ddbz');
    expect(await run(both, 'p_manual_confirm')).toMatchObject({ success: true });
    expect(await stateOf(panel, order)).toBe('paid');
  });

  it('can be paid the same day: the guide says so; refunds are manual', async () => {
    const fresh = await TestPanel.start();
    try {
      const guide = async () =>
        tidyHtml(await (await fresh.adminFetch('/admin/', { headers: { 'Accept-Language': 'en' } })).text()).includes(
          'A way to get paid<span class="visually-hidden">– Done',
        );
      await fresh.enable('manual');
      expect(await guide()).toBe(false);
      await fresh.admin('p_manual_save', ACCOUNT);
      expect(await guide()).toBe(true);
    } finally {
      await fresh.close();
    }
    const { order, id } = await proven();
    await confirm(id);
    expect(await panel.admin('ddtk', { id: String(order.id), rmb: '1', qd: 'gateway', yy: 'x' })).toMatchObject({ success: false });
    expect(await panel.admin('ddtk', { id: String(order.id), rmb: '1', qd: 'hand', yy: 'x' })).toMatchObject({ success: true });
  });
});
