/**
 * Names sold by the bundled plugin domain_shop: bought, reserved, delivered once, renewed, and refunded if they are no longer available.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { legacyDay } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { DurableEvent, EventDelivery, EventDispatcher } from '../../src/hooks/index.js';
import { HostingAccount, HostOwnership, monthsAfter, Names, SiteDomain, SoldName } from '../../src/hosting/index.js';
import { Notice } from '../../src/notify/index.js';
import { Order, Orders, Settlement } from '../../src/payment/index.js';
import { AccountVisitor } from '../support/account-visitor.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';

const PASS = 'secret-pass-1';
type Row = Record<string, unknown>;
type Answer = Row & { rows: Row[]; id: number };

let panel: TestPanel;
let ann: PanelClient;
let bob: PanelClient;
let zone: string;
let asked = 0;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  for (const user of ['ann001', 'bob001']) await panel.admin('addzj', { user, pass: PASS, btdh: 'local', ll: '10', yhds: '0', ymbds: '0' });
  ann = await new PanelClient(panel.url).login('user', 'ann001', PASS);
  bob = await new PanelClient(panel.url).login('user', 'bob001', PASS);
  expect(await admin('addym', { url: 'early.example.com', bt: 'local', jg: '9.90' })).toMatchObject({ success: false, err: 'E_DISABLED' });
  for (const slug of ['sandbox', 'accounts', 'domain_shop']) await panel.enable(slug);
  const added = await admin('p_domain_addym', {
    url: 'names.example.com',
    bt: 'local',
    jg: '9.90',
    ymjs: 'for shops',
    kg: 'true',
    channel: 'pan',
    ys: '12',
  });
  expect(added).toMatchObject({ success: true, qk: 1, code: '添加成功' });
  zone = String(added.id);
  await admin('xgym', { id: zone, sl: '0', blqz: 'www mail' });
});
afterAll(() => panel.close());

const admin = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
const ask = async (who: PanelClient, gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await who.ajax('user', { gn, ...fields })).json as unknown as Answer;
const post = (who: PanelClient, path: string, fields: Record<string, string>): Promise<PanelAnswer> =>
  who.send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { 'Accept-Language': 'en' } });
const hostOf = (username: string) => panel.get(Database).repository(HostingAccount).findOneByOrFail({ username });
const nameOf = (prefix: string) =>
  panel
    .get(Database)
    .repository(SoldName)
    .findOneBy({ name: `${prefix}.names.example.com` });
const bound = (name: string) => panel.get(Database).repository(SiteDomain).findOneBy({ name });
const today = () => legacyDay(panel.get(Names).now(), 'Asia/Shanghai');
const year = (n: number) => monthsAfter(today(), 12 * n);
const order = (ddh: string) => panel.get(Database).repository(Order).findOneByOrFail({ number: ddh });
const sales = async (): Promise<Row[]> => (await admin('p_domain_sales', { limit: '200' })).rows;
const saleOf = async (prefix: string) => (await sales()).find(({ name }) => name === `${prefix}.names.example.com`);

/**
 * Orders a name.
 *
 * @returns number of the order
 */
async function buy(who: PanelClient, prefix: string, more: Record<string, string> = {}): Promise<string> {
  const answer = await post(who, '/domain/buy', { zone, prefix, request: `r${(asked += 1)}`, ...more });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('/pay/order')]);
  return new URL(answer.headers.get('location')!, panel.url).searchParams.get('ddh') ?? lastOrder();
}
async function lastOrder(): Promise<string> {
  const [row] = await panel
    .get(Database)
    .repository(Order)
    .find({ order: { id: 'DESC' }, take: 1 });
  return row!.number;
}
async function pay(ddh: string, trade = ddh): Promise<void> {
  const { id, amount } = await order(ddh);
  await panel.get(Orders).chooseType(id, 'sandbox__test');
  await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: trade, amount });
}
const delivered = (state: string, prefix: string) =>
  expect.poll(async () => (await saleOf(prefix))?.state, { timeout: 15_000 }).toBe(state);

describe('a name', () => {
  it('is bought for a host: ordered at the server’s price, paid, bound, and owned for a year', async () => {
    const form = await ann.send(`/domain/buy?zone=${zone}&prefix=shop`, { headers: { 'Accept-Language': 'en' } });
    expect(form.text).toContain('¥9.90');
    const wrong = await post(ann, '/domain/buy', { zone, prefix: 'shop', seen_total: '1', jg: '0', amount: '1' });
    expect([wrong.status, wrong.text.includes('The price has changed')]).toEqual([422, true]);
    expect(await nameOf('shop')).toBeNull();

    const ddh = await buy(ann, 'Shop', { seen_total: '990', folder: '' });
    expect(await order(ddh)).toMatchObject({ amount: 990, scene: 'ymgm', status: 'unpaid' });
    expect(await nameOf('shop')).toMatchObject({ state: 'held', orderNo: ddh });
    await pay(ddh);
    await delivered('done', 'shop');
    expect(await nameOf('shop')).toMatchObject({ state: 'sold', expiresOn: year(1) });
    await expect.poll(() => bound('shop.names.example.com')).toMatchObject({ accountId: (await hostOf('ann001')).id });
    expect((await ask(ann, 'wdym')).rows).toMatchObject([
      { name: 'shop.names.example.com', state: 'sold', renew_url: expect.stringMatching(/^\/domain\/renew\/\d+$/) as string },
    ]);
    const mine = await ann.send('/domain/mine', { headers: { 'Accept-Language': 'en' } });
    expect(mine.text).toContain('shop.names.example.com');
    expect(mine.text).toContain('shows ann001');
  });

  it('has a page that polls while its order is pending, without reloading itself', async () => {
    const ddh = await buy(ann, 'watched');
    const [{ view_key }] = (await panel.get(Database).rows('SELECT view_key FROM SVC_plg_domain_shop_sale WHERE order_no = ?', [ddh])) as [
      { view_key: string },
    ];
    const shown = async (): Promise<string> =>
      (await ann.send(`/domain/status/${view_key}`, { headers: { 'Accept-Language': 'en' } })).text;
    const unpaid = await shown();
    expect(unpaid).toContain('<main data-look-again="10" aria-live="polite">');
    expect(unpaid).toContain('Waiting for your payment.');
    expect(unpaid).toContain(`<a href="/domain/status/${view_key}">Refresh</a>`);
    expect(unpaid).not.toContain('http-equiv');
    const [, script] = /<script src="([^"]+look-again\.js\?v=[0-9a-f]{12})" defer>/.exec(unpaid)!;
    expect((await ann.send(script!)).status).toBe(200);
    await pay(ddh);
    await expect.poll(shown, { timeout: 15_000 }).not.toContain('look-again');
    expect(await shown()).toContain('The subdomain is yours.');
  });

  it('is ordered once per request, and can be ordered again only from its own open order', async () => {
    const fields = { zone, prefix: 'once', request: 'same' };
    const answers = await Promise.all([1, 2, 3].map(() => post(ann, '/domain/buy', fields)));
    const places = new Set(answers.map(({ headers }) => headers.get('location')));
    expect([answers.map(({ status }) => status), places.size]).toEqual([[303, 303, 303], 1]);
    expect((await post(ann, '/domain/buy', { ...fields, request: 'other' })).headers.get('location')).toBe([...places][0]);
    expect(await panel.get(Database).repository(Order).countBy({ scene: 'ymgm', status: 'unpaid' })).toBe(1);
    const others = await post(bob, '/domain/buy', { ...fields, request: 'his' });
    expect([others.status, others.text.includes('once.names.example.com is taken')]).toEqual([422, true]);
  });

  it('is available again when its order is closed', async () => {
    const ddh = await buy(ann, 'given');
    expect((await ask(bob, 'ymcx', { id: zone, qz: 'given' })).state).toBe('taken');
    await admin('ddgb', { id: String((await order(ddh)).id), yy: 'no' });
    await expect.poll(() => nameOf('given')).toBeNull();
    await buy(bob, 'given');
    expect(await nameOf('given')).toMatchObject({ accountId: (await hostOf('bob001')).id });
  });

  it('that is still available is delivered after a late payment', async () => {
    const ddh = await buy(ann, 'late');
    await admin('ddgb', { id: String((await order(ddh)).id), yy: 'no' });
    await expect.poll(() => nameOf('late')).toBeNull();
    await admin('ymkg', { id: zone, kg: 'false' });
    await pay(ddh);
    await delivered('done', 'late');
    await admin('ymkg', { id: zone, kg: 'true' });
    expect(await nameOf('late')).toMatchObject({ state: 'sold', orderNo: ddh, expiresOn: year(1) });
  });

  it('that was sold before a late payment is refunded, and buyer and administrator are notified', async () => {
    const ddh = await buy(ann, 'gone');
    await admin('ddgb', { id: String((await order(ddh)).id), yy: 'no' });
    await expect.poll(() => nameOf('gone')).toBeNull();
    await pay(await buy(bob, 'gone'));
    await delivered('done', 'gone');
    await pay(ddh);
    const due = async () => (await admin('p_domain_sales', { state: 'gone' })).rows;
    await expect.poll(due).toMatchObject([{ order_no: ddh, state: 'gone' }]);
    expect(await order(ddh)).toMatchObject({ status: 'paid' });
    expect(await nameOf('gone')).toMatchObject({ accountId: (await hostOf('bob001')).id });
    const notices = await panel.get(Database).repository(Notice).find();
    const told = notices.filter(({ content }) => content.includes(ddh)).map(({ link }) => link);
    expect(told).toContain(`/admin/order?ddh=${ddh}`);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(await (await panel.adminFetch('/admin/plugin.php?p=domain_shop&page=sales')).text()).toContain(ddh);
    await admin('ddtk', { id: String((await order(ddh)).id), rmb: '9.90', qd: 'hand', yy: 'gone' });
    expect(await due()).toMatchObject([{ order_no: ddh, state: 'refunded' }]);
  });

  it('goes to one of two buyers who order it at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const prefix = `race${round}`;
      const answers = await Promise.all([ann, bob].map((who) => post(who, '/domain/buy', { zone, prefix, request: `race-${round}` })));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
      expect(
        await panel
          .get(Database)
          .repository(Order)
          .countBy({ name: `Subdomain ${prefix}.names.example.com` }),
      ).toBe(1);
      expect(await nameOf(prefix)).toMatchObject({ state: 'held' });
    }
  });

  it('may use any script, but no reserved name', async () => {
    const ddh = await buy(ann, '商店');
    expect(await nameOf('xn--czrs0t')).toMatchObject({ orderNo: ddh });
    for (const prefix of ['www', 'a.b', '-a', '', '<script>', 'x'.repeat(25)]) {
      const answer = await post(ann, '/domain/buy', { zone, prefix });
      expect([prefix, answer.status]).toEqual([prefix, 422]);
      expect(answer.text).not.toContain('<script>a');
    }
  });

  it('cannot be bought without sign-in, or for another owner’s host', async () => {
    const nobody = new PanelClient(panel.url);
    expect((await post(nobody, '/domain/buy', { zone, prefix: 'mine' })).text).toContain('/account/login?next=');
    const others = await post(ann, '/domain/buy', { zone, prefix: 'mine', host: String((await hostOf('bob001')).id) });
    expect([others.status, await nameOf('mine')]).toEqual([422, null]);
    expect((await post(ann, '/domain/buy', { zone: '999', prefix: 'mine' })).status).toBe(404);
  });

  it('is requested again after its buyer has signed in, as customer or host owner', async () => {
    const buy = `/domain/buy?${new URLSearchParams({ zone, prefix: 'back' }).toString()}`;
    for (const [asked, back] of [
      [buy, buy],
      ['/domain/mine', '/domain/mine'],
      ['/domain/renew/1', '/domain/renew/1'],
    ] as const) {
      const { text } = await new PanelClient(panel.url).send(asked);
      const ways = [...text.matchAll(/href="(\/(?:account|user)\/login\?[^"]*)"/g)].map(([, href]) => new URL(href!, panel.url));
      expect(ways.map(({ pathname, searchParams }) => [pathname, searchParams.get('next')])).toEqual([
        ['/account/login', back],
        ['/user/login', back],
      ]);
    }
    // The target also survives a switch from the customer's to the host owner's sign-in; account pages are only for customers.
    const fromAccount = async (next: string): Promise<string | null> => {
      const { text } = await new PanelClient(panel.url).send(`/account/login?next=${encodeURIComponent(next)}`);
      return new URL(/href="(\/user\/login[^"]*)"/.exec(text)![1]!, panel.url).searchParams.get('next');
    };
    expect([await fromAccount(buy), await fromAccount('/account/orders')]).toEqual([buy, null]);
    const owner = new PanelClient(panel.url);
    const signIn = { gn: 'login', user: 'ann001', pass: PASS, code: '', next: buy };
    expect((await owner.ajax('user', signIn)).json).toMatchObject({ success: true, data: { redirect: buy } });
    expect((await owner.send(buy)).text).toContain('name="prefix" value="back"');
    // Users who are signed in already are redirected immediately.
    const on = await owner.send(`/user/login?next=${encodeURIComponent(buy)}`, { redirect: 'manual' });
    expect([on.status, on.headers.get('location')]).toEqual([expect.any(Number), buy]);
  });

  it('costs what a coupon leaves, or nothing', async () => {
    expect(await admin('addyhq', { yhm: 'ALLFREE', lx: 'percent', bl: '100', sp: `domain_shop:${zone}` })).toMatchObject({ success: true });
    const answer = await post(ann, '/domain/buy', { zone, prefix: 'coupon', yhq: 'allfree', seen_total: '0', request: 'coupon' });
    expect(answer.headers.get('location')).toMatch(/^\/domain\/status\//);
    await delivered('done', 'coupon');
    const refused = await post(ann, '/domain/buy', { zone, prefix: 'coupon2', yhq: 'nothing', request: 'coupon2' });
    expect([refused.status, await nameOf('coupon2')]).toEqual([422, null]);
  });
});

describe('a renewal', () => {
  it('extends the last day once, however often the payment is reported', async () => {
    const { id } = (await nameOf('shop'))!;
    const form = await ann.send(`/domain/renew/${id}`, { headers: { 'Accept-Language': 'en' } });
    expect(form.text).toContain(year(2));
    const answer = await post(ann, `/domain/renew/${id}`, { n: '2', seen_total: '1980', request: 'renew' });
    expect(answer.status).toBe(303);
    const ddh = await lastOrder();
    expect(await order(ddh)).toMatchObject({ amount: 1_980, scene: 'ymgm' });
    await pay(ddh);
    await expect.poll(async () => (await nameOf('shop'))?.expiresOn).toBe(year(3));
    // The event is delivered again, as after a crash between the delivery and its record.
    const { id: event } = await panel
      .get(Database)
      .repository(DurableEvent)
      .findOneByOrFail({ hook: 'order.paid', subject: `order:${(await order(ddh)).id}` });
    await panel
      .get(Database)
      .repository(EventDelivery)
      .update({ eventId: event, owner: 'domain_shop' }, { state: 'pending', dueAt: new Date(0), claimedBy: null, finishedAt: null });
    panel.get(EventDispatcher).wake();
    await expect
      .poll(
        async () => (await panel.get(Database).repository(EventDelivery).findOneByOrFail({ eventId: event, owner: 'domain_shop' })).state,
        { timeout: 15_000 },
      )
      .toBe('done');
    expect((await nameOf('shop'))!.expiresOn).toBe(year(3));
  });

  it('is for the owner only, and at most ten years ahead', async () => {
    const { id } = (await nameOf('shop'))!;
    expect((await post(bob, `/domain/renew/${id}`, { n: '1' })).status).toBe(404);
    expect((await bob.send(`/domain/renew/${id}`)).status).toBe(404);
    await panel
      .get(Database)
      .repository(SoldName)
      .update({ id }, { expiresOn: year(9) });
    const far = await post(ann, `/domain/renew/${id}`, { n: '2', request: 'far' });
    expect([far.status, far.text.includes('10 years')]).toEqual([422, true]);
    await panel
      .get(Database)
      .repository(SoldName)
      .update({ id }, { expiresOn: year(3) });
  });

  it('of a name withdrawn in the meantime is refunded', async () => {
    const { id } = (await nameOf('late'))!;
    await post(ann, `/domain/renew/${id}`, { request: 'taken' });
    const ddh = await lastOrder();
    await admin('ymjb', { id: String(id) });
    await pay(ddh);
    await expect.poll(async () => (await sales()).find(({ order_no }) => order_no === ddh)?.state).toBe('gone');
  });
});

describe('a customer with an account', () => {
  it('buys for one of their hosts, keeps the name when the host is deleted, and points it at another host', async () => {
    const visitor = new AccountVisitor(panel);
    const form = { username: 'carol', password: PASS, password2: PASS, email: 'carol@example.org', qq: '' };
    expect(await visitor.api('register', form)).toMatchObject({ code: 'ok' });
    const { user } = (await visitor.api('me')) as { user: { id: number } };
    const { id } = user;
    for (const host of ['carol1', 'carol2']) {
      await panel.admin('addzj', { user: host, pass: PASS, btdh: 'local', ll: '10', yhds: '0', ymbds: '0' });
      await panel.get(HostOwnership).assign((await hostOf(host)).id, id);
    }
    const carol = new PanelClient(panel.url);
    for (const [name, value] of visitor.cookies) carol.cookies.set(name, value);
    const first = await hostOf('carol1');
    const none = await post(carol, '/domain/buy', { zone, prefix: 'carol', request: 'c0' });
    expect([none.status, none.text.includes('Choose one of your hosts')]).toEqual([422, true]);
    const ddh = await buy(carol, 'carol', { host: String(first.id) });
    expect(await order(ddh)).toMatchObject({ ownerKind: 'customer', ownerId: id });
    await pay(ddh);
    await delivered('done', 'carol');
    expect(await nameOf('carol')).toMatchObject({ customerId: id, accountId: first.id });
    await expect.poll(() => bound('carol.names.example.com')).not.toBeNull();
    const name = (await nameOf('carol'))!;
    const second = await hostOf('carol2');
    const [, row_version] = /name="row_version"\s+value="([^"]+)"/.exec((await carol.send('/domain/mine')).text)!;
    expect((await post(carol, `/domain/mine/${name.id}`, { deed: 'show', host: String(second.id) })).status).toBe(303);
    expect(await bound('carol.names.example.com')).toMatchObject({ accountId: second.id });
    // The other tab shows outdated values.
    const late = await post(carol, `/domain/mine/${name.id}`, { deed: 'show', host: String(first.id), row_version: row_version! });
    expect([late.status, late.text.includes('While you were editing')]).toEqual([422, true]);
    expect(await bound('carol.names.example.com')).toMatchObject({ accountId: second.id });
    expect((await post(ann, `/domain/mine/${name.id}`, { deed: 'release' })).status).toBe(404);
    expect((await post(carol, `/domain/mine/${name.id}`, { deed: 'release' })).status).toBe(303);
    expect(await nameOf('carol')).toMatchObject({ state: 'resting' });
  });
});

describe('operations called by older programs', () => {
  it('list, change and remove zones', async () => {
    expect((await admin('p_domain_listym')).rows).toMatchObject([
      { id: Number(zone), url: 'names.example.com', btdh: 'local', jg: '9.90', js: 'for shops', channel: 'pan' },
    ]);
    expect(
      await admin('p_domain_xgym', { id: zone, js: 'for all', jg: '19.90', kg: 'true', channel: 'pan', provider_id: '0' }),
    ).toMatchObject({ success: true });
    expect((await admin('listym')).rows).toMatchObject([{ jg: '19.90', ymjs: 'for all' }]);
    expect(await admin('p_domain_xgym', { id: zone, jg: '-1' })).toMatchObject({
      success: false,
      fields: { jg: expect.any(String) as string },
    });
    expect(await admin('p_domain_ymsc', { id: zone })).toMatchObject({ success: false });
    const { id } = await admin('p_domain_addym', { url: 'other.example.net', bt: 'local', jg: '1', kg: 'true', channel: 'pan' });
    expect(await admin('p_domain_ymscxz', { 'idsz[]': String(id) })).toMatchObject({ success: true, removed: [id] });
    expect(await ask(ann, 'p_domain_erurl')).toMatchObject([{ url: 'names.example.com', jg: '19.90', jj: 'for all' }]);
    const ddh = await buy(ann, 'dearer');
    expect((await order(ddh)).amount).toBe(1_990);
  });

  it('bind and remove domains of the caller’s host, and change the prefix of a name', async () => {
    expect(await ask(ann, 'p_domain_tjurl', { url: 'www.ann.example.org', dirs: 'blog' })).toMatchObject({
      success: true,
      code: '添加成功',
    });
    expect(await ask(ann, 'p_domain_urllist', { type: '1' })).toMatchObject({
      url: [{ name: 'www.ann.example.org', path: '/blog' }],
      dir: ['blog'],
    });
    for (const [fields, code] of [
      [{ url: 'x.ann.example.org', dirs: ' ' }, '子目录不得为空！'],
      [{ url: '192.0.2.1' }, '禁止添加本站IP！'],
      [{ url: 'free.names.example.com' }, '禁止使用自定义添加本站的售卖二级域名'],
    ] as const)
      expect(await ask(ann, 'p_domain_tjurl', fields)).toMatchObject({ success: false, qk: 4, code });
    expect(await ask(ann, 'p_domain_scurl', { url: 'www.ann.example.org' })).toMatchObject({ success: true, code: '删除成功' });
    expect(await ask(ann, 'p_domain_scurl', { url: 'ann001.localhost' })).toMatchObject({ success: false, code: '禁止删除主机名称' });
    expect(await ask(ann, 'p_domain_seturl', { zym: 'names.example.com', jqz: 'shop', xqz: 'gone', path: '' })).toMatchObject({
      success: false,
    });
    expect(await ask(bob, 'p_domain_seturl', { zym: 'names.example.com', jqz: 'shop', xqz: 'bobs', path: '' })).toMatchObject({
      success: false,
    });
    expect(await ask(ann, 'p_domain_seturl', { zym: 'names.example.com', jqz: 'shop', xqz: 'store', path: '' })).toMatchObject({
      success: true,
    });
    expect(await nameOf('store')).toMatchObject({ state: 'sold', expiresOn: year(3) });
    expect(await nameOf('shop')).toMatchObject({ state: 'resting', accountId: null });
    expect([await bound('shop.names.example.com'), (await bound('store.names.example.com'))?.accountId]).toEqual([
      null,
      (await hostOf('ann001')).id,
    ]);
  });
});

it('assigns free names with a last day, and renews them for free', async () => {
  const free = String(
    (await admin('p_domain_addym', { url: 'free.example.org', bt: 'local', jg: '0', ys: '3', kg: 'true', channel: 'pan' })).id,
  );
  const answer = await post(ann, '/domain/buy', { zone: free, prefix: 'gift', request: 'gift' });
  expect(answer.headers.get('location')).toMatch(/^\/domain\/status\//);
  expect((await post(ann, '/domain/buy', { zone: free, prefix: 'gift', request: 'gift' })).headers.get('location')).toBe(
    answer.headers.get('location'),
  );
  const row = () => panel.get(Database).repository(SoldName).findOneByOrFail({ name: 'gift.free.example.org' });
  expect(await row()).toMatchObject({ state: 'sold', expiresOn: monthsAfter(today(), 3) });
  expect(await bound('gift.free.example.org')).not.toBeNull();
  const renewed = { n: '1', request: 'gift-renewal' };
  for (let times = 0; times < 2; times += 1) expect((await post(ann, `/domain/renew/${(await row()).id}`, renewed)).status).toBe(303);
  // Counted from the previous last day: if that is in a shorter month, it differs from today's date in six months.
  expect(await row()).toMatchObject({ expiresOn: monthsAfter(monthsAfter(today(), 3), 3) });
});

it('keeps the terms of a zone while the plugin is disabled, and sells nothing', async () => {
  await panel.disable('domain_shop');
  expect((await ann.send('/domain')).status).toBe(404);
  expect(await admin('xgym', { id: zone, ymjs: 'off' })).toMatchObject({ success: true });
  expect(await admin('xgym', { id: zone, jg: '5' })).toMatchObject({ success: false });
  expect((await ask(ann, 'wdym')).rows.every(({ renew_url }) => renew_url === '')).toBe(true);
  expect(await ask(ann, 'ymbd', { id: zone, qz: 'paid' })).toMatchObject({ success: false });
});
