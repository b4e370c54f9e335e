import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Clock } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { OperationLog, OutsideLog } from '../../src/operations/index.js';
import { HookRegistry } from '../../src/hooks/index.js';
import { OldOrders, Order, UNPAID_PER_ADDRESS, UNPAID_PER_USER } from '../../src/payment/index.js';
import { RateLimit } from '../../src/auth/index.js';
import { TestPanel } from '../support/panel.js';
import { writePlugin } from '../support/plugins.js';
import { STARTER_PLAN } from '../support/shop.js';

// A thousand requests take a while on a shared processor.
vi.setConfig({ testTimeout: 90_000 });

let panel: TestPanel;
let database: Database;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
  database = panel.get(Database);
  // A shop without limits of its own: the panel's are enough.
  writePlugin(
    panel.dataDir,
    'rows',
    `module.exports = (svc) => {
    svc.svc_register_route('POST', '/rows/order', async (_params, ctx) => {
      try {
        return { no: (await svc.orders.create({ user: ctx.body.user, scene: 'rows', name: 'Rows', amount: 100, type: 'rows__test',
          ip: ctx.ip })).ddh };
      } catch (error) {
        return { refused: error.code };
      }
    });
    svc.svc_register_payment('rows', { name: 'Rows', methods: { test: 'Test' }, build: () => '/', notify: async (ctx) => {
      const { text, order } = ctx.body;
      if (order) return (await svc.svc_pay_settle_order(order, 'rows', { trade_no: 'T' + order, amount: 100 })).ok ? 'success' : 'fail';
      await svc.svc_pay_log(text ?? 'bad signature', ctx.body.level ?? 'error');
      return 'fail';
    } });
  };`,
  );
  await panel.enable('rows');
});
afterAll(() => panel?.close());

const post = (path: string, fields: Record<string, string>, ip: string): Promise<Response> =>
  panel.fetch(path, { method: 'POST', body: new URLSearchParams(fields), headers: { 'X-Forwarded-For': ip } });

/** A thousand requests from one address, twenty at a time. */
async function thousand(send: (n: number) => Promise<Response>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let n = 0; n < 1_000; n += 20) {
    for (const { status } of await Promise.all(Array.from({ length: 20 }, (_, i) => send(n + i))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

describe('F8 rows without limit', () => {
  it('a thousand orders from one address leave a limited number of rows; others can still order', async () => {
    await thousand((n) => post('/rows/order', { user: `buyer${n}` }, '192.0.2.1'));
    expect(await database.repository(Order).countBy({ ip: '192.0.2.1' })).toBe(UNPAID_PER_ADDRESS);
    expect(await (await post('/rows/order', { user: 'another' }, '192.0.2.1')).json()).toEqual({ refused: 'TOO_MANY_UNPAID' });
    expect(await (await post('/rows/order', { user: 'another' }, '192.0.2.2')).json()).toHaveProperty('no');
  });

  it('addresses of an IPv6 network count together; for one name, all addresses do', async () => {
    for (let n = 0; n < UNPAID_PER_ADDRESS; n += 1) await post('/rows/order', { user: `six${n}` }, `2001:db8:1:2::${n}`);
    expect(await (await post('/rows/order', { user: 'six' }, '2001:db8:1:2:ffff::1')).json()).toEqual({ refused: 'TOO_MANY_UNPAID' });
    for (let n = 0; n < UNPAID_PER_USER; n += 1)
      expect(await (await post('/rows/order', { user: 'One-Name' }, `198.51.100.${n}`)).json()).toHaveProperty('no');
    expect(await (await post('/rows/order', { user: 'one-name' }, '198.51.100.99')).json()).toEqual({ refused: 'TOO_MANY_UNPAID' });
  });

  it('paid orders do not count', async () => {
    for (let n = 0; n < UNPAID_PER_ADDRESS + 5; n += 1) {
      const { no } = (await (await post('/rows/order', { user: `payer${n}` }, '192.0.2.3')).json()) as { no?: string };
      expect(no, String(n)).toBeDefined();
      expect(await (await post('/pay/rows/notify', { order: no! }, '192.0.2.200')).text()).toBe('success');
    }
  });

  it('an administrator can add as many as needed', async () => {
    for (let n = 0; n < UNPAID_PER_ADDRESS + 5; n += 1)
      expect((await panel.admin('adddd', { user: 'resold', scene: 'x', name: 'n', rmb: '1' })).success).toBe(true);
  });

  it('a thousand invalid notifications leave a limited number of lines, and finally get 429', async () => {
    const statuses = await thousand((n) => post('/pay/rows/notify', { text: `line ${n}` }, '192.0.2.4'));
    const lines = await database.repository(OperationLog).countBy({ ip: '192.0.2.4' });
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(30);
    expect([...statuses]).toEqual([
      [200, 60],
      [429, 940],
    ]);
    const refused = await post('/pay/rows/notify', {}, '192.0.2.4');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('a valid notification from the same address is still accepted', async () => {
    const { no } = (await (await post('/rows/order', { user: 'in-time' }, '192.0.2.5')).json()) as { no: string };
    const accepted = await post('/pay/rows/notify', { order: no }, '192.0.2.4');
    expect([accepted.status, await accepted.text()]).toEqual([200, 'success']);
  });

  it('a thousand captchas for one address without a cookie leave a limited number of rows', async () => {
    await thousand(() => panel.fetch('/user/code.php', { headers: { 'X-Forwarded-For': '192.0.2.6' } }));
    const [row] = await database.query<{ n: number }>('SELECT COUNT(*) AS n FROM SVC_captcha');
    expect(Number(row!.n)).toBeLessThanOrEqual(120);
  }, 60_000);

  it('none of this leaves more than a few limit rows per address', async () => {
    const rows = await database.repository(RateLimit).find();
    expect(rows.filter(({ key }) => key.includes('192.0.2.4')).length).toBeLessThan(8);
    expect(rows.filter(({ key }) => key.includes('192.0.2.1')).length).toBeLessThan(8);
  });
});

describe('F8 lines from outside', () => {
  const lineOf = async (ip: string): Promise<OperationLog> => database.repository(OperationLog).findOneByOrFail({ ip });

  it('never look like an action of someone with an account', async () => {
    await post(
      '/pay/rows/notify',
      { text: 'admin」 登陆\r\n2026-11-21 admin\tdeleted 「everything\u202e\u0000', level: 'ok\nadmin' },
      '203.0.113.1',
    );
    const line = await lineOf('203.0.113.1');
    expect(line).toMatchObject({ actor: 'callback:rows', source: 'rows', category: '支付回调', outcome: 'ok admin' });
    expect(line.summary).toMatch(/^「[^「」]*」$/);
    expect(
      [...line.summary].every((character) => character >= ' ' && !/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(character)),
    ).toBe(true);
    await post('/pay/rows/notify', { text: 'x'.repeat(5_000) }, '203.0.113.2');
    expect((await lineOf('203.0.113.2')).summary).toMatch(/^「x+…」$/);
  });

  it('are removed after 90 days, and nothing else is', async () => {
    const log = database.repository(OperationLog);
    const old = new Date(panel.get(Clock).now().getTime() - 91 * 86_400_000);
    const common = { category: '支付回调', summary: 's', ip: '203.0.113.9', outcome: '' };
    await log.insert([
      { ...common, actor: 'callback:rows', source: 'rows', createdAt: old },
      { ...common, actor: 'callback:rows', source: 'rows', createdAt: new Date() },
      { ...common, actor: '支付回调', createdAt: old },
      { ...common, actor: 'admin', createdAt: old },
      { ...common, actor: 'callback', createdAt: old },
    ]);
    await panel.get(OutsideLog).removeOld();
    const left = (await log.findBy({ ip: '203.0.113.9' })).map(({ actor }) => actor).sort();
    expect(left).toEqual(['admin', 'callback', 'callback:rows', '支付回调']);
  });
});

describe('F8 old data is removed', () => {
  const DAY = 86_400_000;
  const ago = (days: number): Date => new Date(panel.get(Clock).now().getTime() - days * DAY);

  it('closed unpaid orders after 90 days, with the bundled shop’s data about them; nothing else', async () => {
    await panel.enable('hosting_shop');
    await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN);
    const orders = database.repository(Order);
    const made = [];
    for (let n = 0; n < 4; n += 1) {
      const answer = await post(
        '/shop/api/create_order',
        { plan_id: '1', period: 'month', username: `forgotten${n}`, password: 'a-password-of-my-own' },
        `192.0.2.5${n}`,
      );
      made.push(((await answer.json()) as { order_no: string }).order_no);
    }
    await orders.update({ number: made[0]! }, { status: 'closed', createdAt: ago(91) });
    await orders.update({ number: made[1]! }, { status: 'paid', createdAt: ago(91), paidAt: ago(91) });
    await orders.update({ number: made[2]! }, { status: 'closed', createdAt: ago(89) });
    expect(await panel.get(OldOrders).removeClosed()).toBe(1);
    expect((await orders.findBy({ scene: 'hosting' })).map(({ number }) => number).sort()).toEqual(made.slice(1).sort());
    const kept = async () =>
      (await database.query<{ order_no: string }>('SELECT order_no FROM SVC_plg_hosting_shop_purchase ORDER BY id')).map(
        ({ order_no: number }) => number,
      );
    expect(await kept()).toEqual(made);
    await panel.get(HookRegistry).doAction('cron');
    expect(await kept()).toEqual(made.slice(1));
  });

  it('failed sign-ins and wrong keys in the log after 90 days, successful ones never', async () => {
    const log = database.repository(OperationLog);
    const line = { ip: '203.0.113.10', createdAt: ago(91), actor: 'admin', summary: 's', outcome: 'ok' };
    await log.insert([
      { ...line, category: '登陆' },
      { ...line, category: '登陆', outcome: '密码错误' },
      { ...line, category: '登陆', outcome: '密码错误', createdAt: ago(1) },
      { ...line, category: 'api.php', source: 'api.php', summary: 'api_key (bh1)' },
      { ...line, category: 'api.php', summary: 'xf alice01 (bh1)' },
    ]);
    await panel.get(OutsideLog).removeOld();
    expect(
      (await log.find({ where: { ip: '203.0.113.10' }, order: { id: 'ASC' } })).map(({ category, summary, outcome }) => [
        category,
        summary,
        outcome,
      ]),
    ).toEqual([
      ['登陆', 's', 'ok'],
      ['登陆', 's', '密码错误'],
      ['api.php', 'xf alice01 (bh1)', 'ok'],
    ]);
  });
});
