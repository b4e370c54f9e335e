/** Plans of the shop: prices, stock, limits per customer, and orders that are created once. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { amountText } from '../../src/sdk/index.js';
import { quote, type Quote } from '../../plugins/hosting_shop/src/quote.js';
import { networkOf } from '../../plugins/hosting_shop/src/network.js';
import { PERIOD_NAMES, PERIODS } from '../../plugins/hosting_shop/src/periods.js';
import type { Plan } from '../../plugins/hosting_shop/src/plan-terms.js';
import { SessionService } from '../../src/auth/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount, HostingService } from '../../src/hosting/index.js';
import { CronScheduler } from '../../src/jobs/index.js';
import { OrderClosing, Orders, Settlement } from '../../src/payment/index.js';
import { addCustomer } from '../support/customers.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

const PASSWORD = 'a-password-of-my-own';
type Answer = Record<string, unknown> & { code: string; fields?: Record<string, string> };

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
});
afterAll(() => panel?.close());

const json = async (method: string, path: string, fields?: Record<string, string>, headers = {}): Promise<Answer> =>
  (await (await panel.fetch(path, { method, headers, ...(fields ? { body: new URLSearchParams(fields) } : {}) })).json()) as Answer;
const save = async (fields: Record<string, string>): Promise<number> => {
  const answer = await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, ...fields });
  expect(answer, JSON.stringify(answer)).toMatchObject({ success: true });
  return Number((answer.data as { id: number }).id);
};
const order = (plan: number, username: string, more: Record<string, string> = {}): Promise<Answer> =>
  json('POST', '/shop/api/create_order', { plan_id: String(plan), period: 'month', username, password: PASSWORD, ...more });
const shown = async (id: number): Promise<Answer> => (await json('GET', `/shop/api/plan/${id}`)).plan as Answer;
const taken = async (id: number): Promise<number> =>
  Number((await panel.get(Database).query<{ taken: number }>('SELECT taken FROM SVC_plg_hosting_shop_plan WHERE id = ?', [id]))[0]!.taken);
const close = async (ddh: unknown): Promise<boolean> =>
  panel.get(OrderClosing).close((await panel.get(Orders).get(String(ddh)))!.id, { source: 'admin' });
const pay = async (ddh: unknown): Promise<void> => {
  const found = (await panel.get(Orders).get(String(ddh)))!;
  await panel.get(Orders).chooseType(found.id, 'sandbox__test');
  expect(await panel.get(Settlement).settle(found.number, 'sandbox', { trade_no: found.number, amount: found.amount })).toMatchObject({
    ok: true,
  });
};
const opened = (user: string) =>
  expect.poll(async () => (await panel.get(HostingService).get(user))?.status, { timeout: 20_000 }).toBe('active');

it('the payment methods are named in the caller’s language', async () => {
  const id = await save({ name: 'Methods' });
  const names = async (path: string, language: string): Promise<unknown[]> =>
    ((await json('GET', path, undefined, { 'accept-language': language })).methods as { display_name: string }[]).map(
      (method) => method.display_name,
    );
  for (const path of ['/shop/api/methods', `/shop/api/plan/${id}`]) {
    expect(await names(path, 'en')).toEqual(['Sandbox (no real money)']);
    expect(await names(path, 'zh-CN')).toEqual(['沙箱支付（不收费）']);
  }
});

it('plans are a list on the page, and an operation returns the same data', async () => {
  const id = await save({ name: 'Listed', category: 'Shelf', stock: '5', active: 'false' });
  await panel.get(Database).run("UPDATE SVC_plg_hosting_shop_plan SET node = 'sold-off' WHERE id = ?", [id]);
  const { rows } = (await panel.admin('p_hosting_shop_plans')) as unknown as { rows: Record<string, unknown>[] };
  const row = { name: 'Listed', category: 'Shelf', server: 'sold-off', is_gone: true, state: 'hidden' };
  expect(rows.find((one) => one.id === id)).toMatchObject(row);
  const page = await panel.adminFetch('/admin/plugin.php?p=hosting_shop&page=plans', { headers: { 'Accept-Language': 'en' } });
  const html = await page.text();
  for (const words of ['Listed', 'Shelf', 'not available', '0 of 5 used', 'Hidden', `page=plan&amp;id=${id}`])
    expect(html).toContain(words);
});

describe('the price of a plan', () => {
  it('is listed for each period it is sold for; another period is refused with the documented message', async () => {
    const id = await save({
      name: 'Periods',
      price: '9.90',
      price_quarter: '',
      price_half_year: '',
      price_year: '99',
      price_two_year: '',
      price_three_year: '',
      setup_fee: '5',
      category: 'Web',
      sort: '7',
    });
    expect(await shown(id)).toMatchObject({
      category: 'Web',
      periods: ['month', 'year'],
      prices: { month: 990, year: 9_900 },
      setup_fee: 500,
      stock: null,
      trial_days: 0,
    });
    expect(await order(id, 'periods1', { period: 'quarter' })).toEqual({
      code: '该套餐不支持此购买周期',
      fields: { period: '该套餐不支持此购买周期' },
    });
    expect((await order(id, 'periods1', { period: 'trial' })).fields).toHaveProperty('period');
    const made = await order(id, 'periods1', { period: 'year', amount: '1', price: '0.01', total: '1' });
    expect((await panel.get(Orders).get(String(made.order_no)))!.amount).toBe(10_400);
    expect(await json('GET', '/shop/api/plan/99999')).toEqual({ code: '套餐不存在或已下架' });
    // Clients that only know monthly prices.
    const plain = await save({ name: 'Plain' });
    expect((await shown(plain)).prices).toEqual(Object.fromEntries(PERIOD_NAMES.map((name) => [name, 990 * PERIODS[name]])));
  });

  it.each([
    [{ price: '0' }, 'price'],
    [{ price: '', price_year: '', price_quarter: '', price_half_year: '', price_two_year: '', price_three_year: '' }, 'price'],
    [{ price_year: '1.999' }, 'price_year'],
    [{ setup_fee: '-1' }, 'setup_fee'],
    [{ stock: '1000001' }, 'stock'],
    [{ stock: 'many' }, 'stock'],
    [{ per_customer: '1001' }, 'per_customer'],
    [{ trial_days: '366' }, 'trial_days'],
    [{ sort: 'x' }, 'sort'],
    [{ category: 'x'.repeat(51) }, 'category'],
    [{ free: 'true' }, 'price'],
    [{ free: 'true', price: '0', setup_fee: '1' }, 'setup_fee'],
    [{ free: 'true', price: '0', trial_days: '3' }, 'trial_days'],
  ] as [Record<string, string>, string][])('refuses %j', async (fields, wrong) => {
    const answer = await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, ...fields });
    expect(answer).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(Object.keys(answer.fields as object)).toContain(wrong);
  });

  it('excludes limits the server does not measure: the embedded one has no databases', async () => {
    const id = await save({ name: 'Measured', web_mb: '10', database_mb: '77' });
    const extra = { plan_id: String(id), kind: 'database_mb', unit: '5', most: '4', price: '1' };
    expect(await panel.admin('p_hosting_shop_extra_save', extra)).toMatchObject({
      success: false,
      fields: { kind: expect.stringContaining('local') as string },
    });
    // As if it had been saved while the plan was on another server.
    await panel
      .get(Database)
      .run(
        'INSERT INTO SVC_plg_hosting_shop_extra (plan_id, kind, unit, most, periods, price_month) VALUES (?, ' +
          "'database_mb', 5, 4, 'month', 1)",
        [id],
      );
    expect((await shown(id)).extras).toEqual([]);
    expect((await order(id, 'measured', { extra_database_mb: '1' })).fields).toHaveProperty('extra_database_mb');
    for (const path of ['/shop', `/shop/order/${id}`]) {
      const page = await (await panel.fetch(path)).text();
      expect([page.includes('Measured'), page.includes('77 MB'), page.includes('extra_database_mb')]).toEqual([true, false, false]);
    }
    const page = await (await panel.adminFetch(`/admin/plugin.php?p=hosting_shop&page=plan&id=${id}`)).text();
    expect([page.includes('value="web_mb"'), page.includes('value="database_mb"')]).toEqual([true, false]);
  });

  it('includes options, in steps, at the price of the period; the host gets what was bought', async () => {
    const id = await save({ name: 'Optional', web_mb: '10', traffic_gb: '0' });
    const extra = (fields: Record<string, string>) =>
      panel.admin('p_hosting_shop_extra_save', {
        plan_id: String(id),
        kind: 'web_mb',
        unit: '5',
        most: '4',
        price: '1.50',
        price_year: '15',
        ...fields,
      });
    expect(await extra({})).toMatchObject({ success: true });
    const refused: Record<string, string>[] = [
      { kind: 'traffic_gb' },
      { kind: '__proto__' },
      { unit: '0' },
      { most: '1001' },
      { price: '0' },
      { plan_id: '9999' },
    ];
    for (const wrong of refused) expect(await extra(wrong), JSON.stringify(wrong)).toMatchObject({ success: false, err: 'E_ARGS' });
    expect((await shown(id)).extras).toEqual([{ kind: 'web_mb', unit: 5, most: 4, prices: { month: 150, year: 1_500 } }]);
    for (const steps of ['5', '-1', '1.5', 'x'])
      expect((await order(id, 'optional', { extra_web_mb: steps })).fields, steps).toHaveProperty('extra_web_mb');
    expect((await order(id, 'optional', { extra_web_mb: '1', period: 'quarter' })).fields).toHaveProperty('extra_web_mb');
    const made = await order(id, 'optional', { extra_web_mb: '3' });
    expect((await panel.get(Orders).get(String(made.order_no)))!.amount).toBe(990 + 450);
    await pay(made.order_no);
    await opened('optional');
    const host = (await panel.get(HostingService).get('optional'))!;
    expect(host.webMb).toBe(25);
    // A renewal costs the current prices of plan and options, for the periods both are sold for.
    const offers = await panel.admin('xfjg', { id: String(host.id) });
    expect((offers.rows as unknown as { zq: number; rmb: string }[]).map(({ zq, rmb }) => [zq, rmb])).toEqual([
      [1, '14.40'],
      [12, '163.80'],
    ]);
    // The shop's own row is written after the host was created.
    const where = '{"name":"username","type":"2","value":"optional"}';
    await expect
      .poll(() => panel.admin('p_hosting_shop_assets', { limit: '50', where }))
      .toMatchObject({
        total: 1,
        rows: [{ user: 'optional', plan: 'Optional', kind: 'paid', extras: expect.stringContaining('15') as string }],
      });
  });

  it('is the sum of its parts, whatever is chosen, and never taken from the request', () => {
    const fen = fc.integer({ min: 1, max: 9_999_999_99 });
    const prices = fc.record(Object.fromEntries(PERIOD_NAMES.map((name) => [name, fen])), { requiredKeys: [] });
    fc.assert(
      fc.property(
        prices,
        fc.nat(1_000_000),
        fc.record({ unit: fc.integer({ min: 1, max: 100 }), most: fc.nat(1_000), prices }),
        fc.record({
          period: fc.constantFrom(...PERIOD_NAMES, 'trial', '__proto__', ''),
          extra_web_mb: fc.oneof(fc.nat(1_200).map(String), fc.string()),
        }),
        fc.nat(30),
        (planPrices, setupFee, extra, fields, trialDays) => {
          const plan = { prices: planPrices, setupFee, trialDays } as unknown as Plan;
          const made = quote(plan, [{ planId: 1, kind: 'web_mb', ...extra }], fields) as Quote;
          if ('key' in made) return;
          expect(made.total).toBe(made.base + made.extras + made.setupFee);
          expect(Number.isSafeInteger(made.total) && made.total >= 0).toBe(true);
          if (made.period !== null) expect(made.total).toBeGreaterThan(0);
          for (const { steps } of made.chosen) expect(steps).toBeLessThanOrEqual(extra.most);
          expect(amountText(made.total)).toMatch(/^\d+\.\d\d$/);
        },
      ),
    );
  });
});

describe('stock', () => {
  it('is reserved by orders, never exceeded by ten concurrent ones, and released when they are closed', async () => {
    const id = await save({ name: 'Three', stock: '3' });
    const made = await Promise.all(Array.from({ length: 10 }, (_, n) => order(id, `stocked-${n}`)));
    const got = made.filter(({ code }) => code === 'ok');
    expect(got).toHaveLength(3);
    for (const { code, fields } of made.filter((answer) => answer.code !== 'ok'))
      expect([code, fields]).toEqual(['已售罄', { plan_id: '已售罄' }]);
    expect((await shown(id)).stock).toBe(0);
    expect(await (await panel.fetch('/shop', { headers: { 'Accept-Language': 'en' } })).text()).toContain('Sold out');
    await close(got[0]!.order_no);
    await expect.poll(() => taken(id), { timeout: 20_000 }).toBe(2);
    expect((await order(id, 'stocked-again')).code).toBe('ok');
    expect(await taken(id)).toBe(3);
  });

  it('that is used up does not prevent delivery after a late payment, and the sale says so', async () => {
    const id = await save({ name: 'Late', stock: '1' });
    const first = await order(id, 'late-payer');
    await close(first.order_no);
    await expect.poll(() => taken(id), { timeout: 20_000 }).toBe(0);
    await pay((await order(id, 'second-buyer')).order_no);
    await opened('second-buyer');
    await pay(first.order_no);
    await opened('late-payer');
    expect(await taken(id)).toBe(2);
    expect((await shown(id)).stock).toBe(0);
    const sales = (await panel.admin('p_hosting_shop_sales', {
      where: '{"name":"username","type":"2","value":"late-pay"}',
    })) as unknown as { rows: { remark: string }[] };
    expect(sales.rows.map(({ remark }) => remark)).toEqual(['付款迟到，已超出库存交付']);
  });
});

describe('a free plan', () => {
  it('is opened immediately, without an order, up to the limit per customer', async () => {
    const id = await save({
      name: 'Gift',
      free: 'true',
      price: '0',
      price_quarter: '',
      price_half_year: '',
      price_year: '',
      price_two_year: '',
      price_three_year: '',
      per_customer: '1',
    });
    expect((await order(id, 'gifted-1')).fields).toHaveProperty('email');
    const made = await order(id, 'gifted-1', { email: 'Ann+one@example.com' });
    expect(made).toMatchObject({ code: '开通成功', redirect: expect.stringMatching(/^\/shop\/status\/[0-9a-f]{32}$/) as string });
    await opened('gifted-1');
    expect(await (await panel.fetch(String(made.redirect))).text()).toContain('gifted-1.localhost');
    expect(await order(id, 'gifted-2', { email: 'ann+two@EXAMPLE.com' })).toMatchObject({ code: '您购买该套餐的数量已达上限。' });
    expect(await panel.get(HostingService).get('gifted-2')).toBeNull();
    const many = await Promise.all(Array.from({ length: 8 }, (_, n) => order(id, `gifted-m${n}`, { email: 'bob@example.com' })));
    expect(many.filter(({ code }) => code === '开通成功')).toHaveLength(1);
  });

  it('is limited per network and day', async () => {
    await panel.get(Database).run("DELETE FROM SVC_plg_hosting_shop_share WHERE name LIKE 'free:%'");
    const id = await save({ name: 'Gifts', free: 'true', price: '0' });
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => order(id, `network-${n}`, { email: `n${n}@example.com` })));
    expect(made.filter(({ code }) => code === '开通成功')).toHaveLength(5);
    expect([networkOf('10.0.0.7'), networkOf('2001:db8::1'), networkOf('2001:db8:0:0:ffff::9'), networkOf('::1')]).toEqual([
      '10.0.0.7',
      '2001:db8:0:0::/64',
      '2001:db8:0:0::/64',
      '0:0:0:0::/64',
    ]);
  });
});

describe('a trial', () => {
  it('is given to a customer once, for its days, and renewed at the price of the plan', async () => {
    await panel.get(Database).run("DELETE FROM SVC_plg_hosting_shop_share WHERE name LIKE 'free:%'");
    const id = await save({ name: 'Tried', trial_days: '7' });
    const trial = (username: string, email: string) => order(id, username, { period: 'trial', email });
    expect(await trial('trial-01', 'carl@example.com')).toMatchObject({ code: '开通成功' });
    await opened('trial-01');
    const host = (await panel.get(HostingService).get('trial-01'))!;
    const days =
      (Date.parse(host.expiresOn!) - Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date()))) /
      86_400_000;
    expect(days).toBe(7);
    expect(await trial('trial-02', 'carl+x@example.com')).toMatchObject({ code: '您已使用过试用。' });
    expect(((await panel.admin('xfjg', { id: String(host.id) })).rows as unknown as { rmb: string }[])[0]!.rmb).toBe('9.90');
  });
});

describe('an order', () => {
  it('is created once per request, however often and concurrently it is sent', async () => {
    const id = await save({ name: 'Once', stock: '50' });
    const made = await Promise.all(Array.from({ length: 6 }, () => order(id, 'once-only', { request: 'request-0001' })));
    expect(new Set(made.map(({ order_no: ddh }) => ddh)).size).toBe(1);
    expect(await taken(id)).toBe(1);
    // Another name in the same cart is another host.
    expect((await order(id, 'once-other', { request: 'request-0001' })).order_no).not.toBe(made[0]!.order_no);
    // A changed choice replaces the unpaid order.
    const year = await order(id, 'once-only', { request: 'request-0001', period: 'year' });
    expect(year.order_no).not.toBe(made[0]!.order_no);
    expect((await panel.get(Orders).get(String(made[0]!.order_no)))!.status).toBe('closed');
    expect(await taken(id)).toBe(2);
    // An order that expired is created again.
    await close(year.order_no);
    const again = await order(id, 'once-only', { request: 'request-0001', period: 'year' });
    expect(again.order_no).not.toBe(year.order_no);
    expect((await panel.get(Orders).get(String(again.order_no)))!.status).toBe('unpaid');
    await expect.poll(() => taken(id), { timeout: 20_000 }).toBe(2);
  });

  it('stays the same when the browser goes back, and is not created at a price the browser has not shown', async () => {
    const id = await save({ name: 'Browser' });
    const page = await panel.fetch(`/shop/order/${id}`, { headers: { 'Accept-Language': 'en' } });
    const cookie = page.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^shop_cart=[0-9a-f]{32}; Path=\/shop; HttpOnly; SameSite=Lax/);
    expect(await page.text()).toContain('name="seen_total" value="990"');
    const send = (fields: Record<string, string>): Promise<Response> =>
      panel.fetch(`/shop/order/${id}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie.split(';')[0]!, 'Accept-Language': 'en' },
        body: new URLSearchParams({ period: 'month', username: 'browser-1', password: PASSWORD, seen_total: '990', ...fields }),
      });
    const [first, again] = [await send({}), await send({})];
    expect([first.status, again.status, first.headers.get('location')]).toEqual([303, 303, again.headers.get('location')]);
    await save({ name: 'Browser', id: String(id), price: '19.90' });
    const refused = await send({ username: 'browser-2' });
    expect(refused.status).toBe(422);
    const text = await refused.text();
    expect(text).toContain('The price has changed');
    expect(text).toContain('name="seen_total" value="1990"');
    expect((await send({ username: 'browser-2', seen_total: '1990' })).status).toBe(303);
    // Without scripts, a button shows the price of the choice.
    expect(await (await send({ show: 'price', period: 'year', username: '', password: '' })).text()).toContain('¥118.80');
  });

  it('lists its price line by line before it is created', async () => {
    const id = await save({ name: 'Quoted', setup_fee: '3' });
    expect(await json('GET', `/shop/api/quote?plan_id=${id}&period=month`, undefined, { 'Accept-Language': 'en' })).toEqual({
      code: 'ok',
      base: 990,
      extras: 0,
      setup_fee: 300,
      original: 1_290,
      discount: 0,
      total: 1_290,
      rmb: '12.90',
      lines: [
        ['Quoted · 1 month', '¥9.90'],
        ['Setup fee', '¥3.00'],
        ['Total', '¥12.90'],
      ],
      label: 'Continue to payment',
      email: false,
    });
  });

  it('continues in HTML, to the chosen gateway or the payment page', async () => {
    const id = await save({ name: 'Led' });
    expect(String((await order(id, 'led-on-1')).html)).toContain('/pay/order/');
    expect(String((await order(id, 'led-on-2', { type: 'sandbox__test' })).html)).toContain('/pay/sandbox/');
  });
});

describe('a signed-in customer', () => {
  it('has a link to their hosts in the header of every page, as a host owner has; others have links to sign in and back', async () => {
    const id = await save({ name: 'Headed' });
    const heading = async (cookie = '', path = `/shop/order/${id}`): Promise<string> => {
      const page = await (await panel.fetch(path, { headers: { Cookie: cookie } })).text();
      return /<a href="([^"]+)"(?: data-signs-in)?>[^<]+<\/a><\/nav>/.exec(page)![1]!;
    };
    const token = await panel
      .get(SessionService)
      .open('customer', await addCustomer(panel, 'heading'), { ip: '203.0.113.8', userAgent: 't' });
    const host = await panel.signInUser('heading-host');
    for (const path of ['/shop', `/shop/order/${id}`, '/shop/order/999999']) {
      expect(await heading('', path)).toBe('/user/login');
      expect(await heading(`account_token=${token}`, path)).toBe('/account');
      expect(await heading(host, path)).toBe('/user/');
    }
    expect(await heading('account_token=x; user_token=y')).toBe('/user/login');
    await panel.enable('accounts');
    expect(await heading()).toBe(`/account/login?next=%2Fshop%2Forder%2F${id}`);
    await panel.admin('plugin_enable', { slug: 'accounts', enabled: 'false' });
  });

  it('orders without an email address; only they can see the host', async () => {
    const add = async (username: string): Promise<{ id: number; cookie: string }> => {
      const id = await addCustomer(panel, username);
      const token = await panel.get(SessionService).open('customer', id, { ip: '203.0.113.7', userAgent: 'test' });
      return { id, cookie: `account_token=${token}` };
    };
    const [ann, bob] = [await add('ann'), await add('bob')];
    const id = await save({ name: 'Owned', per_customer: '1' });
    const as = (who: { cookie: string }, username: string): Promise<Answer> =>
      json(
        'POST',
        '/shop/api/create_order',
        { plan_id: String(id), period: 'month', username, password: PASSWORD },
        { Cookie: who.cookie },
      );
    const made = await as(ann, 'owned-by-ann');
    expect((await panel.get(Orders).get(String(made.order_no)))!).toMatchObject({ ownerKind: 'customer', ownerId: ann.id });
    expect(await as(ann, 'owned-again')).toMatchObject({ code: '您购买该套餐的数量已达上限。' });
    expect(await as(bob, 'owned-by-bob')).toMatchObject({ code: 'ok' });
    await pay(made.order_no);
    await opened('owned-by-ann');
    expect((await panel.get(HostingService).get('owned-by-ann'))!.ownerId).toBe(ann.id);
    const assets = async (headers: Record<string, string>) => json('GET', '/shop/api/assets', undefined, headers);
    await expect
      .poll(async () => (await assets({ Cookie: ann.cookie })).assets, { timeout: 20_000 })
      .toMatchObject([{ user: 'owned-by-ann', plan_name: 'Owned', status: 'active' }]);
    expect((await assets({ Cookie: bob.cookie })).assets).toEqual([]);
    for (const path of ['/shop/api/assets', '/shop/api/orders'])
      expect(await json('GET', path)).toEqual({ code: 'not_login', logged_in: false });
    const orders = await json('GET', '/shop/api/orders?per_page=1000', undefined, { Cookie: ann.cookie });
    expect(orders).toMatchObject({
      total: 1,
      per_page: 100,
      orders: [{ order_no: made.order_no, status: 'paid', amount_cents: 990, period: 'month', pay_url: null }],
    });
    for (const path of ['/shop/assets', '/shop/orders']) {
      expect(await (await panel.fetch(path, { headers: { Cookie: ann.cookie } })).text()).toContain('Owned');
      expect((await panel.fetch(path, { redirect: 'manual' })).headers.get('location')).toBe(`/account/login?next=${path}`);
    }
  });
});

describe('what a host uses of a plan', () => {
  const used = async (name: string): Promise<number> =>
    Number(
      (await panel.get(Database).query<{ used: number }>('SELECT used FROM SVC_plg_hosting_shop_share WHERE name = ?', [name]))[0]?.used ??
        0,
    );
  const hostOf = async (user: string) => (await panel.get(HostingService).get(user))!;
  const takenOf = (id: number, n: number) => expect.poll(() => taken(id), { timeout: 20_000 }).toBe(n);
  const bought = async (plan: number, user: string, more: Record<string, string> = {}): Promise<number> => {
    const made = await order(plan, user, more);
    if (made.pay_url !== undefined) await pay(made.order_no);
    await opened(user);
    const { id } = await hostOf(user);
    // If a host is deleted before the shop has recorded it, only the cron job would notice: wait for the row.
    const seats = () => panel.get(Database).query('SELECT id FROM SVC_plg_hosting_shop_seat WHERE host_id = ?', [id]);
    await expect.poll(async () => (await seats()).length, { timeout: 20_000 }).toBe(1);
    return id;
  };

  it('is released once when the host is deleted; a used trial stays used', async () => {
    const id = await save({ name: 'Held', stock: '2', per_customer: '1', trial_days: '7' });
    const host = await bought(id, 'held-one', { email: 'eve@example.com' });
    expect([await taken(id), await used(`plan:${id}:e:eve@example.com`)]).toEqual([1, 1]);
    expect(await order(id, 'held-two', { email: 'eve@example.com' })).toMatchObject({ code: '您购买该套餐的数量已达上限。' });
    await panel.get(HostingService).terminate(host, 'admin');
    await takenOf(id, 0);
    expect(await used(`plan:${id}:e:eve@example.com`)).toBe(0);
    const trial = await bought(id, 'held-trial', { period: 'trial', email: 'eve@example.com' });
    await panel.get(HostingService).terminate(trial, 'admin');
    await takenOf(id, 0);
    expect((await order(id, 'held-again', { period: 'trial', email: 'eve@example.com' })).code).not.toBe('开通成功');
    await bought(id, 'held-two', { email: 'eve@example.com' });
    await takenOf(id, 1);
  });

  it('moves to the new plan on a change, whose limit per customer applies', async () => {
    const [from, to] = [
      await save({ name: 'From', stock: '5', per_customer: '1' }),
      await save({ name: 'To', stock: '5', per_customer: '1' }),
    ];
    const host = await bought(from, 'mover-01', { email: 'fay@example.com' });
    const assign = (spid: string) => panel.admin('zjfptc', { id: String(host), spid, rmb: '' });
    expect(await assign(`hosting_shop:${to}`)).toMatchObject({ success: true });
    await takenOf(to, 1);
    expect([await taken(from), await used(`plan:${from}:e:fay@example.com`), await used(`plan:${to}:e:fay@example.com`)]).toEqual([
      0, 0, 1,
    ]);
    // Another host of the same customer cannot be changed to it.
    await bought(from, 'mover-02', { email: 'fay@example.com' });
    const other = String((await hostOf('mover-02')).id);
    const offered = async () => (await panel.admin('bgjg', { id: other })).rows.map((row) => (row as unknown as { name: string }).name);
    // The shop knows the owner of a host shortly after it was opened.
    await expect.poll(offered).not.toContain('To');
    expect(await assign('')).toMatchObject({ success: true });
    await takenOf(to, 0);
    expect(await assign(`hosting_shop:${to}`)).toMatchObject({ success: true });
    await takenOf(to, 1);
    await panel.get(HostingService).terminate(host, 'admin');
    await takenOf(to, 0);
  });

  it('is counted once if opening it was interrupted after its package was recorded', async () => {
    const database = panel.get(Database);
    const id = await save({ name: 'Broke off', stock: '5', per_customer: '3' });
    const made = await order(id, 'brokeoff', { email: 'hal@example.com' });
    const purchase = async () =>
      (
        await database.query<{ state: string; host_id: number; sealed_password: string }>(
          'SELECT state, host_id, sealed_password FROM SVC_plg_hosting_shop_purchase WHERE order_no = ?',
          [String(made.order_no)],
        )
      )[0]!;
    const { sealed_password: sealed } = await purchase();
    await pay(made.order_no);
    const isOpen = () => expect.poll(async () => (await purchase()).state, { timeout: 20_000 }).toBe('opened');
    await isOpen();
    // As the failed attempt left it: the host and its seat exist, the purchase waits for another attempt, and both are counted.
    await database.run(
      "UPDATE SVC_plg_hosting_shop_purchase SET state = 'failed', host_id = NULL, sealed_password = ? WHERE order_no = ?",
      [sealed, String(made.order_no)],
    );
    await database.run('UPDATE SVC_plg_hosting_shop_plan SET taken = taken + 1 WHERE id = ?', [id]);
    await database.run('UPDATE SVC_plg_hosting_shop_share SET used = used + 1 WHERE name = ?', [`plan:${id}:e:hal@example.com`]);
    await panel.get(CronScheduler).tick(new Date(Date.UTC(2043, 0, 1, 0, 7)));
    await isOpen();
    expect([await taken(id), await used(`plan:${id}:e:hal@example.com`)]).toEqual([1, 1]);
    expect(await database.query('SELECT plan_id FROM SVC_plg_hosting_shop_seat WHERE host_id = ?', [(await purchase()).host_id])).toEqual([
      { plan_id: id },
    ]);
    await panel.get(HostingService).terminate((await hostOf('brokeoff')).id, 'admin');
    await takenOf(id, 0);
  });
});

describe('a free host', () => {
  it('is renewed by its owner with one click, from a week before its last day on', async () => {
    await panel.get(Database).run("DELETE FROM SVC_plg_hosting_shop_share WHERE name LIKE 'free:%'");
    const id = await save({
      name: 'Free for ever',
      free: 'true',
      price: '0',
      price_quarter: '',
      price_half_year: '',
      price_year: '',
      price_two_year: '',
      price_three_year: '',
    });
    await order(id, 'free-again', { email: 'gil@example.com' });
    await opened('free-again');
    const host = (await panel.get(HostingService).get('free-again'))!;
    const client = await new PanelClient(panel.url).login('user', 'free-again', PASSWORD);
    const renew = async () => (await client.ajax('user', { gn: 'xdd', scene: 'xf', zq: '1' })).json;
    expect(await renew()).toMatchObject({ success: false, err: 'E_STATE' });
    expect((await client.ajax('user', { gn: 'xfjg' })).json.rows).toMatchObject([
      { zq: 1, mf: true, rmb: '0.00', datek: expect.any(String) as string },
    ]);
    const dayIn = (days: number) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date(Date.now() + days * 86_400_000));
    await panel
      .get(Database)
      .repository(HostingAccount)
      .update({ id: host.id }, { expiresOn: dayIn(2) });
    const answers = await Promise.all([renew(), renew(), renew()]);
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect((await panel.get(HostingService).get(host.id))!.expiresOn! > dayIn(25)).toBe(true);
    expect((await panel.get(HostingService).get(host.id))!.expiresOn! < dayIn(40)).toBe(true);
    expect((await client.send('/user/renew')).text).toContain('data-ajax="xdd"');
  });
});

describe('the grace and keep days of a plan’s hosts', () => {
  it('follow the plan if set, stay as sold, and are refused by name if invalid', async () => {
    const id = await save({ name: 'Ends', grace_days: '5', keep_days: '0' });
    const { order_no } = (await order(id, 'endings1')) as { order_no?: string };
    await pay(order_no);
    await opened('endings1');
    const found = (user: string) => panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: user });
    expect(await found('endings1')).toMatchObject({ graceDays: 5, ownGraceDays: 5, keepDays: 0 });
    // A client that does not send the fields leaves them unchanged; an empty field means the settings of the panel.
    await save({ id: String(id), name: 'Ends' });
    expect(await panel.get(Database).query('SELECT grace_days, keep_days FROM SVC_plg_hosting_shop_plan WHERE id = ?', [id])).toEqual([
      { grace_days: 5, keep_days: 0 },
    ]);
    await save({ id: String(id), name: 'Ends', grace_days: '', keep_days: '' });
    expect(await found('endings1')).toMatchObject({ ownGraceDays: 5, keepDays: 0 });
    const second = (await order(id, 'endings2')) as { order_no?: string };
    await pay(second.order_no);
    await opened('endings2');
    expect(await found('endings2')).toMatchObject({ graceDays: 0, ownGraceDays: null, keepDays: null });
    const wrongs: Record<string, string>[] = [
      { grace_days: '28' },
      { grace_days: '-1' },
      { keep_days: '2' },
      { keep_days: '3651' },
      { keep_days: 'x' },
    ];
    for (const wrong of wrongs)
      expect(await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, ...wrong })).toMatchObject({
        success: false,
        fields: { [Object.keys(wrong)[0]!]: expect.any(String) as string },
      });
  });
});
