/**
 * Forms on pages of bundled plugins without scripts: errors are shown at their field, with the input; and users who must sign in are
 * redirected back to the page of the form.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { markFields } from '../../plugins/page-kit/src/field-marks.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount, HostOwnership } from '../../src/hosting/index.js';
import { Order, Orders, Settlement } from '../../src/payment/index.js';
import { escapeHtml, html } from '../../src/sdk/index.js';
import { AccountVisitor } from '../support/account-visitor.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

const PASS = 'secret-pass-1';
let panel: TestPanel;
let ann: PanelClient;
let carol: PanelClient;
let zone: string;
let plan: string;

beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  for (const slug of ['sandbox', 'manual', 'accounts', 'balance', 'domain_shop', 'hosting_shop', 'resource_pool']) await panel.enable(slug);
  for (const user of ['ann001', 'ann002', 'carol1', 'carol2']) {
    const host = { user, pass: PASS, btdh: 'local', ll: '10', yhds: '0', ymbds: '0' };
    expect(await panel.admin('addzj', host)).toMatchObject({ success: true });
  }
  ann = await new PanelClient(panel.url).login('user', 'ann001', PASS);
  carol = await customer('Carol_1');
  for (const host of ['carol1', 'carol2']) await give(host, carol);
  const added = await panel.admin('p_domain_addym', { url: 'names.example.com', bt: 'local', jg: '9.90', kg: 'true', ys: '12' });
  zone = String((added as unknown as { id: number }).id);
  await panel.admin('xgym', { id: zone, sl: '0', blqz: 'www' });
  plan = String((await panel.admin('p_hosting_shop_plan_save', STARTER_PLAN)).data.id);
});
afterAll(() => panel?.close());

/** Registers a customer and returns a client signed in as such. */
async function customer(username: string): Promise<PanelClient> {
  const visitor = new AccountVisitor(panel);
  expect(await visitor.api('register', { username, password: PASS, password2: PASS })).toMatchObject({ code: 'ok' });
  const client = new PanelClient(panel.url);
  for (const [name, value] of visitor.cookies) client.cookies.set(name, value);
  return client;
}
async function give(host: string, to: PanelClient): Promise<void> {
  const { user } = (await to.send('/account/api/me')).json as { user: { id: number } };
  const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: host });
  await panel.get(HostOwnership).assign(id, user.id);
}
const post = (who: PanelClient, path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PanelAnswer> =>
  who.send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { 'Accept-Language': 'en', ...headers } });
const orders = (): Promise<number> => panel.get(Database).repository(Order).count();

/** Returns the invalid fields of a page by name: the message each is described by, and whether it has the focus. */
function wrongOf({ text }: Pick<PanelAnswer, 'text'>): Record<string, [words: string | undefined, hasFocus: boolean]> {
  const tags = [...text.matchAll(/<(?:input|select|textarea)\b[^>]*\saria-invalid="true"[^>]*>/g)].map(([tag]) => tag);
  const found = tags.map((tag) => {
    const [, id] = /aria-describedby="(?:[^"]* )?([^" ]+)"/.exec(tag)!;
    const words = new RegExp(`<small class="wrong" id="${id}">([^<]*)</small>`).exec(text)?.[1];
    return [/ name="([^"]+)"/.exec(tag)![1]!, [words, /\sautofocus\b/.test(tag)]] as const;
  });
  return Object.fromEntries(found) as Record<string, [string | undefined, boolean]>;
}
const typedIn = ({ text }: Pick<PanelAnswer, 'text'>, name: string): string | undefined =>
  / value="([^"]*)"/.exec(new RegExp(`<input\\b[^>]*\\sname="${name}"[^>]*>`).exec(text)?.[0] ?? '')?.[1];

it('marks fields of the submitted form, the first of each name, but none that is hidden or unnamed', () => {
  const content = String(html`<form method="get" action="/a"><input name="x"></form><form method="post" action="/b"><input name="x"></form>
    <form method="post" action="/a?k=1&amp;l=2"><input value="${'<input name="x">'}"><input type="hidden" name="h"><input name="x"
      type="radio" value="1"><input name="x" type="radio" value="2"><textarea name="t" autofocus>${'</textarea><input name="x">'}</textarea>
      <select name="s"><option>1</option></select></form><form method="post"><input name="x"></form>`);
  const noteOf = (id: string, words: string): string => `<small class="wrong" id="${id}">${escapeHtml(words)}</small>`;
  const mark = (path: string, fields: Record<string, string>): string => markFields(content, path, fields, noteOf);
  const wrong = { '': 'no name', h: 'hidden', x: 'A <b> & "', t: '$& $1', none: 'no such field', toString: 'own' };
  const marked = mark('/a', wrong);
  expect(Object.keys(wrongOf({ text: marked }))).toEqual(['x', 't']);
  expect(marked.match(/aria-invalid/g)).toHaveLength(2);
  expect(marked).toContain('<input aria-invalid="true" aria-describedby="x-error" autofocus name="x"\n      type="radio" value="1">');
  expect(marked).toContain('<small class="wrong" id="x-error">A &lt;b&gt; &amp; &quot;</small>');
  expect(marked).toContain('</textarea><small class="wrong" id="t-error">$&amp; $1</small>');
  expect(marked.match(/autofocus/g)).toHaveLength(2);
  for (const [path, fields] of [
    ['/c?', {}],
    ['/a', { none: 'x' }],
    ['/a', {}],
  ] as const)
    expect(mark(path, fields)).toBe(content);
});

describe('the form of a name', () => {
  it.each([
    ['prefix', { prefix: 'www' }],
    ['prefix', { prefix: 'a.b' }],
    ['prefix', { prefix: '<script>alert(1)</script>' }],
    ['prefix', { prefix: '' }],
    ['host', { host: '99999' }],
    ['host', { host: '"><b>' }],
    ['folder', { folder: '../../etc' }],
    ['yhq', { yhq: 'NO-SUCH-ONE' }],
  ])('reports at %s what is wrong with %o, and keeps the input', async (field, wrong) => {
    const fields = { zone, prefix: 'good', host: '', folder: 'blog', yhq: '', n: '2', ...wrong };
    const before = await orders();
    const answer = await post(ann, '/domain/buy', fields);
    expect(answer.status).toBe(422);
    expect(wrongOf(answer)).toEqual({ [field]: [expect.stringMatching(/\S/) as string, true] });
    expect(answer.text).toContain('role="alert"');
    for (const name of ['prefix', 'folder', 'yhq'] as const)
      expect(typedIn(answer, name), name).toBe(fields[name].replace(/</g, '&lt;').replace(/>/g, '&gt;'));
    expect(answer.text).toMatch(/<option value="2" selected>/);
    expect(answer.text).not.toMatch(/<script>alert|"><b>/);
    expect(await orders()).toBe(before);
  });

  it('reports above the form what concerns no field', async () => {
    const answer = await post(ann, '/domain/buy', { zone, prefix: 'good', seen_total: '1' });
    expect([answer.status, wrongOf(answer), answer.text.includes('The price has changed')]).toEqual([422, {}, true]);
  });

  it('reports an invalid coupon from the URL at its field', async () => {
    const answer = await ann.send(`/domain/buy?zone=${zone}&prefix=good&yhq=NOTHING`, { headers: { 'Accept-Language': 'en' } });
    expect([answer.status, Object.keys(wrongOf(answer))]).toEqual([200, ['yhq']]);
  });

  it('leads signed-out users to the sign-in, and tells the script that keeps their input', async () => {
    const { text } = await post(new PanelClient(panel.url), '/domain/buy', { zone, prefix: 'good' });
    expect(text).toContain('data-sign-in');
    expect(text).toContain(`next=${encodeURIComponent(`/domain/buy?zone=${zone}&prefix=good`)}`);
  });

  it('of one’s own names reports errors at the field of that name, with the submitted value', async () => {
    const own: number[] = [];
    for (const prefix of ['first', 'second']) {
      const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'carol1' });
      await post(carol, '/domain/buy', { zone, prefix, host: String(id), request: prefix });
      const order = await panel
        .get(Database)
        .repository(Order)
        .findOneOrFail({ where: {}, order: { id: 'DESC' } });
      await panel.get(Orders).chooseType(order.id, 'sandbox__test');
      await panel.get(Settlement).settle(order.number, 'sandbox', { trade_no: order.number, amount: order.amount });
    }
    const mine = async () => carol.send('/domain/mine', { headers: { 'Accept-Language': 'en' } });
    await expect.poll(async () => [...(await mine()).text.matchAll(/\/domain\/mine\/(\d+)/g)].length, { timeout: 15_000 }).toBe(4);
    for (const [, id] of (await mine()).text.matchAll(/\/domain\/mine\/(\d+)"><input/g)) own.push(Number(id));
    const answer = await post(carol, `/domain/mine/${own[1]}`, { deed: 'show', host: '', folder: '..' });
    expect(answer.status).toBe(422);
    const [form] = new RegExp(`<form method="post" action="/domain/mine/${own[1]}">.*?</form>`, 's').exec(answer.text)!;
    expect(wrongOf(answer)).toEqual(wrongOf({ text: form }));
    expect(Object.keys(wrongOf(answer))).toHaveLength(1);
    expect(typedIn({ text: form }, 'folder')).toBe('..');
  });
});

describe('the forms of credit', () => {
  it.each(['', '0.5', '-1', '1e3', '60000', '"><b>'])('report at the amount what is wrong with %s, and keep it', async (amount) => {
    const answer = await post(carol, '/balance/recharge', { amount });
    expect([answer.status, Object.keys(wrongOf(answer)), typedIn(answer, 'amount')]).toEqual([
      422,
      ['amount'],
      amount.replace('"><b>', '&quot;&gt;&lt;b&gt;'),
    ]);
    expect(wrongOf(answer).amount).toEqual([expect.stringContaining('¥1.00'), true]);
    expect(typedIn(answer, 'code')).toBe('');
  });

  it('report errors of the code at its field, and none at the other form', async () => {
    const answer = await post(carol, '/balance/redeem', { code: 'NO-CODE-1', amount: '5' });
    expect([answer.status, Object.keys(wrongOf(answer)), typedIn(answer, 'code')]).toEqual([422, ['code'], 'NO-CODE-1']);
  });

  it.each(['recharge', 'redeem'])('return to their page if the URL of %s is requested', async (form) => {
    const { status, headers } = await carol.send(`/balance/${form}`);
    expect([status, headers.get('location')]).toEqual([303, '/balance']);
    expect((await post(new PanelClient(panel.url), `/balance/${form}`, { amount: '5' })).text).toContain('next=%2Fbalance');
  });
});

describe('the order of a host', () => {
  const CART = { period: 'month', username: 'buyer-one', password: PASS };
  const cart = (who: PanelClient, fields: Record<string, string>) => post(who, `/shop/order/${plan}`, { ...CART, ...fields });

  it.each([
    ['username', { username: 'x y' }],
    ['username', { username: 'ann001' }],
    ['password', { password: 'short' }],
    ['yhq', { yhq: 'NOTHING' }],
  ])('reports at %s what is wrong with %o', async (field, wrong) => {
    const answer = await cart(new PanelClient(panel.url), wrong);
    expect([answer.status, Object.keys(wrongOf(answer)), answer.text.includes(PASS)]).toEqual([422, [field], false]);
  });

  it('reports above the form what concerns no field', async () => {
    for (const wrong of [
      ['type', 'no__method'],
      ['seen_total', '1'],
      ['period', 'never'],
    ] as const) {
      const answer = await cart(new PanelClient(panel.url), Object.fromEntries([wrong]));
      expect([answer.status, answer.text.includes('role="alert"')], JSON.stringify(wrong)).toEqual([422, true]);
    }
  });

  it('of a customer whose session ended or changed orders nothing and leads to the sign-in', async () => {
    const before = await orders();
    for (const who of [new PanelClient(panel.url), await customer('Another_1')]) {
      for (const more of [{}, { show: 'price' }] as Record<string, string>[]) {
        const { status, headers } = await cart(who, { ordering_as: 'Carol_1', ...more });
        expect([status, headers.get('location')]).toEqual([303, `/account/login?next=%2Fshop%2Forder%2F${plan}`]);
      }
    }
    expect(await orders()).toBe(before);
    const page = await carol.send(`/shop/order/${plan}`);
    expect([typedIn(page, 'ordering_as'), page.text.includes('data-account="Carol_1"')]).toEqual(['Carol_1', true]);
  });

  it('continues after registration, within this panel only', async () => {
    const next = `/shop/order/${plan}`;
    const login = await new PanelClient(panel.url).send(`/account/login?next=${encodeURIComponent(next)}`);
    expect(login.text).toContain(`/account/register?next=${encodeURIComponent(next)}`);
    for (const [given, led] of [
      [next, next],
      ['//evil.test/', '/account'],
      ['https://evil.test/', '/account'],
      ['/\\evil.test', '/account'],
    ] as const) {
      const username = `New_${Math.random().toString(36).slice(2, 8)}`;
      const form = { username, password: PASS, password2: PASS, next: given };
      const { status, headers } = await post(new PanelClient(panel.url), '/account/register', form);
      expect([given, status, headers.get('location')]).toEqual([given, 303, led]);
    }
  });
});

describe('the forms of a resource pool’s host', () => {
  let dealer: PanelClient;
  let host: string;
  const signIn = (next?: string) =>
    post(dealer, '/pool/login', { username: 'dealer.one', password: PASS, ...(next !== undefined && { next }) });
  beforeAll(async () => {
    const pool = { name: 'East', username: 'dealer.one', web_space: '1000', sql_space: '500', flow: '100', expire_date: '', nodes: '' };
    await panel.admin('p_respool_save', { ...pool, password: PASS });
    dealer = new PanelClient(panel.url);
    expect((await signIn()).headers.get('location')).toBe('/pool');
    const opened = await post(dealer, '/pool/open', {
      ...{ host_user: 'pooled001', host_pass: PASS, node: 'local', expire_date: '', web_space: '100', sql_space: '10', flow: '1' },
      request: 'one',
    });
    host = `/pool/host/${/\/pool\/host\/(\d+)/.exec(opened.text)![1]!}`;
  });

  it.each([
    ['renew', 'expire_date', { expire_date: '2027-02-30' }],
    ['limits', 'web_space', { web_space: 'many', sql_space: '10', flow: '1', domain_count: '3' }],
    ['limits', 'web_space', { web_space: '5000', sql_space: '10', flow: '1', domain_count: '3' }],
    ['reset', 'password', { password: 'x' }],
    ['delete', 'confirm', { confirm: 'pooled002' }],
  ])('report for %s at %s what is wrong', async (action, field, fields) => {
    const shown = await dealer.send(host);
    const [form] = new RegExp(`action="${host}/${action}".*?</form>`, 's').exec(shown.text)!;
    const row_version = / name="row_version"\s+value="([^"]+)"/.exec(form)?.[1];
    const answer = await post(dealer, `${host}/${action}`, { ...(row_version && { row_version }), ...fields } as Record<string, string>);
    expect([answer.status, Object.keys(wrongOf(answer))]).toEqual([422, [field]]);
    expect(answer.text).toContain(`data-drafts-of="${host}"`);
    const kept = (fields as Record<string, string>)[field];
    expect(typedIn(answer, field)).toBe(field === 'password' ? undefined : kept);
  });

  it('show the current values at the fields if another user changed them', async () => {
    const stale = 'a'.repeat(16);
    const answer = await post(dealer, `${host}/limits`, {
      row_version: stale,
      web_space: '200',
      sql_space: '10',
      flow: '1',
      domain_count: '',
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(wrongOf(answer)).every((name) => ['web_space', 'sql_space', 'flow', 'domain_count'].includes(name))).toBe(true);
    expect(typedIn(answer, 'web_space')).toBe('200');
  });

  it('lead to the sign-in and back to their page, and to no other site', async () => {
    const nobody = new PanelClient(panel.url);
    const next = async (referer?: string) =>
      new URL((await post(nobody, `${host}/renew`, {}, referer ? { Referer: referer } : {})).headers.get('location')!, panel.url).search;
    expect(await next(`${panel.url}${host}`)).toBe(`?next=${encodeURIComponent(host)}`);
    for (const other of [undefined, 'https://evil.test/pool', 'nonsense']) expect(await next(other)).toBe('?next=%2Fpool');
    const told = (await nobody.send('/pool?done=password&page=2')).headers.get('location');
    expect(told).toBe(`/pool/login?next=${encodeURIComponent('/pool?page=2')}`);
    for (const [given, led] of [
      [host, host],
      ['//evil.test/', '/pool'],
      ['javascript:alert(1)', '/pool'],
      ['', '/pool'],
    ] as const)
      expect([given, (await signIn(given)).headers.get('location')]).toEqual([given, led]);
    // After the sign-in, the address of a refused form redirects to the page that has it.
    expect((await dealer.send(`${host}/renew`)).headers.get('location')).toBe(host);
  });
});

it('a refused proof of payment reports the error at its field, with the input', async () => {
  expect(
    await panel.admin('p_manual_save', { enabled: 'on', holder: 'A', bank: 'B', account: '1', hold_days: '7', keep_days: '30' }),
  ).toMatchObject({ success: true });
  const made = (await panel.admin('adddd', { user: 'ann001', scene: 'hosting', name: 'Plan', rmb: '9.90' })) as unknown as {
    data: { id: number };
  };
  const { number } = await panel
    .get(Database)
    .repository(Order)
    .findOneByOrFail({ id: Number(made.data.id) });
  const chosen = (await ann.ajax('user', { gn: 'ddzf', ddh: number, ff: 'manual__transfer' })).json as { url: string };
  for (const [note, field] of [
    ['', 'proof'],
    ['x'.repeat(501), 'note'],
  ] as const) {
    const body = new FormData();
    body.set('note', note);
    const answer = await ann.send(chosen.url, { method: 'POST', body, headers: { 'Accept-Language': 'en' } });
    expect([answer.status, Object.keys(wrongOf(answer))]).toEqual([422, [field]]);
    expect(answer.text).toContain(`aria-describedby="${field}-hint ${field}-error"`);
    expect(answer.text.includes(`${note}</textarea>`)).toBe(true);
  }
});
