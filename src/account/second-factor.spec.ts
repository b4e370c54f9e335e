import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AuthenticatorApp } from '../../test/support/authenticator-app.js';
import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel } from '../../test/support/panel.js';
import { functionPlugin, writePlugin } from '../../test/support/plugins.js';
import { tidyHtml } from '../../test/support/tidy-html.js';
import { SecondFactor, Session } from '../auth/index.js';
import { Database } from '../database/index.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
  const refund = (side: Side) =>
    `svc.svc_register_ajax('${side}', 'p_bank_refund', () => ({ refunds: (count += 1) ` +
    `}), '${side}', { audit: 'Refunded', secondProof: true });`;
  writePlugin(panel.dataDir, 'bank', functionPlugin(`let count = 0;\n${refund('admin')}\n${refund('user')}`));
  await panel.enable('bank');
});
afterAll(() => panel.close());

type Side = 'admin' | 'user';
const PASS = { admin: 'secret-of-other', user: 'secret-pass-1' };
const anybody = () => new PanelClient(panel.url);
const run = async (client: PanelClient, side: Side, gn: string, fields: Record<string, string> = {}) =>
  (await client.ajax(side, { gn, ...fields })).json as {
    success?: boolean;
    err?: string;
    data: Record<string, string>;
    fields?: object;
    code: unknown;
  };

let n = 0;
/** Somebody of a side with a second factor, and his recovery codes. */
async function withFactor(side: Side): Promise<{ client: PanelClient; user: string; id: string; codes: string[]; app: AuthenticatorApp }> {
  const user = `person${(n += 1)}0`;
  const made =
    side === 'admin'
      ? await panel.admin('addadmin', { user, pass: PASS.admin, js_id: '0' })
      : await panel.admin('addzj', { user, pass: PASS.user, btdh: 'local' });
  const client = await anybody().login(side, user, PASS[side]);
  const begun = await run(client, side, 'f2kq');
  expect(begun.data.image).toMatch(/^data:image\/svg\+xml;base64,/);
  expect(begun.data.uri).toContain(begun.data.secret);
  const app = new AuthenticatorApp(begun.data.secret!);
  expect((await run(client, side, 'f2qr', { totp: '000000' })).fields).toHaveProperty('totp');
  const confirmed = await run(client, side, 'f2qr', { totp: app.at(new Date()) });
  return { client, user, id: String(made.data.id), codes: confirmed.data.codes!.split('\n'), app };
}

describe.each(['admin', 'user'] as const)('a second factor on the %s side', (side) => {
  it('is set up, required, renewed and disabled', async () => {
    const { client, user, codes } = await withFactor(side);
    expect(codes).toHaveLength(10);
    const page = (await client.send(`/${side}/security`, { headers: { 'Accept-Language': 'en' } })).text;
    expect(page).toContain('Recovery codes left: 10');
    const other = anybody();
    const first = await run(other, side, 'login', { user, pass: PASS[side] });
    expect(first).toMatchObject({ success: true, data: { need: 'totp', lp: expect.stringMatching(/^[\w-]{43}$/) as string } });
    expect(other.cookies.has(`${side}_token`)).toBe(false);
    const { lp } = first.data;
    expect(await run(other, side, 'login', { lp: lp!, totp: '000000' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await run(other, side, 'login', { lp: lp!, totp: codes[0]!, next: `/${side}/sessions` })).toMatchObject({
      success: true,
      data: { redirect: `/${side}/sessions` },
    });
    expect(await run(other, side, 'listhh')).toHaveProperty('rows');
    expect(await run(client, side, 'f2kq')).toMatchObject({ err: 'E_STATE' });
    expect((await run(client, side, 'f2hf', { pass: 'wrong' })).fields).toHaveProperty('pass');
    const renewed = (await run(client, side, 'f2hf', { pass: PASS[side] })).data.codes!.split('\n');
    expect((await run(client, side, 'f2gb', { pass: PASS[side], totp: codes[1]! })).fields).toHaveProperty('totp');
    expect(await run(client, side, 'f2gb', { pass: 'wrong', totp: renewed[0]! })).toMatchObject({ success: false });
    expect(await run(client, side, 'f2gb', { pass: PASS[side], totp: renewed[0]! })).toMatchObject({ success: true });
    expect(await run(anybody(), side, 'login', { user, pass: PASS[side] })).toHaveProperty('data.redirect');
    const log = JSON.stringify(await panel.admin('listlog', { limit: '200' }));
    for (const secret of [...codes, ...renewed, lp!]) expect(log).not.toContain(secret);
  });

  it('is set up in the session it was started in, in every tab of it, and in no other', async () => {
    const user = `person${(n += 1)}0`;
    if (side === 'admin') await panel.admin('addadmin', { user, pass: PASS.admin, js_id: '0' });
    else await panel.admin('addzj', { user, pass: PASS.user, btdh: 'local' });
    const owner = await anybody().login(side, user, PASS[side]);
    const other = await anybody().login(side, user, PASS[side]);
    const start = async (client: PanelClient) => (await run(client, side, 'f2kq')).data.secret!;
    const confirm = (client: PanelClient, secret: string) =>
      run(client, side, 'f2qr', { totp: new AuthenticatorApp(secret).at(new Date()) });
    const over = { success: false, err: 'E_STATE', code: expect.stringContaining('重新开始') as string };
    const secret = await start(owner);
    expect(await start(owner)).toBe(secret);
    expect(await confirm(other, secret)).toMatchObject(over);
    const replaced = await start(other);
    expect(replaced).not.toBe(secret);
    expect(await confirm(owner, secret)).toMatchObject(over);
    // A sign-in in the same browser is another session.
    const again = await start(owner);
    await owner.login(side, user, PASS[side]);
    expect(await confirm(owner, again)).toMatchObject(over);
    const last = await start(owner);
    expect(new Set([secret, replaced, again, last]).size).toBe(4);
    const tabs = await Promise.all([confirm(owner, last), confirm(owner, last)]);
    expect(tabs.map(({ success }) => success).sort()).toEqual([false, true]);
    expect(tabs.find(({ success }) => !success)).toMatchObject({ err: 'E_STATE', code: expect.stringContaining('已启用') as string });
    expect(await confirm(other, replaced)).toMatchObject({ err: 'E_STATE', code: expect.stringContaining('已启用') as string });
  });

  it('is removed by an administrator when lost, once', async () => {
    const { user, id } = await withFactor(side);
    const gn = side === 'admin' ? 'adminf2' : 'zjf2';
    const offered = async () => {
      const path = side === 'admin' ? '/admin/administrators' : '/admin/hosts';
      const page = tidyHtml(await (await panel.adminFetch(path)).text());
      const number = new RegExp(`data-action="(\\d+)" data-ajax="${gn}"`).exec(page)?.[1] ?? '';
      const menus = [...page.matchAll(/data-row-menu="([^"]*)"/g)].filter(([, numbers]) => numbers!.split(' ').includes(number));
      return page.split(`data-ajax="${gn}" data-fields`).length - 1 + menus.length;
    };
    const before = await offered();
    expect(before).toBeGreaterThan(0);
    expect(await panel.admin(gn, { id })).toMatchObject({ success: true });
    expect(await offered()).toBe(before - 1);
    expect(await panel.admin(gn, { id })).toMatchObject({ err: 'E_STATE' });
    expect(await panel.admin(gn, { id: '999999' })).toMatchObject({ err: 'E_NOTEXIST' });
    expect(await run(anybody(), side, 'login', { user, pass: PASS[side] })).toHaveProperty('data.redirect');
  });
});

describe('a code of the second factor, before sensitive operations', () => {
  const needed = { success: false, err: 'E_FORBIDDEN', need: 'proof' };
  const forget = async (provenAt: Date | null): Promise<unknown> =>
    panel.get(Database).repository(Session).update({ scope: 'admin' }, { provenAt });

  it('counts for ten minutes in its session, every tab of it, and in no other', async () => {
    const { client, user, codes } = await withFactor('admin');
    const role = { name: 'Somebody', qx: 'listzj' };
    expect(await run(client, 'admin', 'jsbc', role)).toMatchObject({ success: true });
    await forget(null);
    for (const gn of [
      'jsbc',
      'jssc',
      'addmy',
      'myxg',
      'addadmin',
      'adminxg',
      'adminsc',
      'adminf2',
      'bfmy',
      'apimyck',
      'btmyck',
      'zjsc',
      'zjscxz',
      'zjqc',
      'zjscfx',
      'zftk',
      'ddbz',
    ])
      expect([gn, await run(client, 'admin', gn)]).toEqual([gn, expect.objectContaining(needed)]);
    expect(await run(client, 'admin', 'listjs')).toHaveProperty('rows');
    const other = anybody();
    const { lp } = (await run(other, 'admin', 'login', { user, pass: PASS.admin })).data;
    await run(other, 'admin', 'login', { lp: lp!, totp: codes[0]! });
    expect(await run(other, 'admin', 'jsbc', { ...role, name: 'By sign-in' })).toMatchObject({ success: true });
    expect(await run(client, 'admin', 'jsbc', role)).toMatchObject(needed);

    const tries = ['000000', 'wrong', codes[0]!, ''];
    for (const totp of tries)
      expect([totp, (await run(client, 'admin', 'f2zm', { totp })).fields]).toEqual([
        totp,
        expect.objectContaining({ totp: expect.any(String) as string }),
      ]);
    expect(await run(client, 'admin', 'jsbc', role)).toMatchObject(needed);
    const tabs = await Promise.all([codes[1]!, codes[1]!].map((totp) => run(client, 'admin', 'f2zm', { totp })));
    expect(tabs.map(({ success }) => success).sort()).toEqual([false, true]);
    expect(await run(client, 'admin', 'jsbc', { ...role, name: 'Proven' })).toMatchObject({ success: true });
    await forget(new Date(Date.now() - 10 * 60_000));
    expect(await run(client, 'admin', 'jsbc', role)).toMatchObject(needed);
  });

  it.each(['admin', 'user'] as const)('is required by plugin operations on the %s side, before their code runs', async (side) => {
    const gn = 'p_bank_refund';
    expect(await run(anybody(), side, gn)).toEqual({ code: side === 'admin' ? '请登陆后台' : '请登陆' });
    const { client, codes } = await withFactor(side);
    await panel.get(Database).repository(Session).update({ scope: side }, { provenAt: null });
    expect(await run(client, side, gn)).toMatchObject(needed);
    expect(await run(client, side, 'f2zm', { totp: codes[0]! })).toMatchObject({ success: true });
    expect(await run(client, side, gn)).toEqual({ refunds: side === 'admin' ? 1 : 2 });
  });

  it('is required neither from accounts without one nor from programs', async () => {
    expect(await panel.admin('jsbc', { name: 'Without', qx: 'listzj' })).toMatchObject({ success: true });
    expect(await panel.admin('f2zm', { totp: '000000' })).toMatchObject({ err: 'E_STATE' });
    const { client } = await withFactor('admin');
    const { secret } = (await run(client, 'admin', 'addmy', { name: 'shop', qx: 'jsbc', ips: '', dq: '', kg: 'true' })).data;
    await forget(null);
    const answer = await anybody().ajax('admin', { gn: 'jsbc', name: 'By a program', qx: 'jsbc' }, { Authorization: `Bearer ${secret}` });
    expect(answer.json).toMatchObject({ success: true });
  });
});

it('a link of a shop that carries the password does not come past it: the login page is next', async () => {
  const { user } = await withFactor('user');
  const response = await anybody().send(`/user/idcdl.php?gn=logine&username=${user}&password=${PASS.user}`);
  expect([response.status, response.headers.get('location')]).toEqual([302, `/user/login?from=link&user=${user}`]);
  expect(response.headers.getSetCookie().some((line) => line.startsWith('user_token'))).toBe(false);
});

it('if mandatory, redirects accounts without one to the setup, and nowhere else until then', async () => {
  await panel.admin('addadmin', { user: 'latecomer', pass: PASS.admin, js_id: '0' });
  const late = await anybody().login('admin', 'latecomer', PASS.admin);
  await panel.admin('addzj', { user: 'latecustomer', pass: PASS.user, btdh: 'local' });
  const customer = await anybody().login('user', 'latecustomer', PASS.user);
  const { client: ready } = await withFactor('admin');
  expect(await panel.admin('setwz', { f2: 'true' })).toMatchObject({ success: true });
  try {
    expect(await run(late, 'admin', 'listzj')).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    for (const path of ['/admin/', '/admin/hosts', '/admin/settings?tab=site', '/admin/plugin.php?p=x']) {
      const response = await late.send(path, { headers: { Accept: 'text/html' } });
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/admin/security']);
    }
    expect((await late.send('/admin/security', { headers: { 'Accept-Language': 'en' } })).text).toContain('requires a second factor');
    expect(await run(customer, 'user', 'zjxx')).toMatchObject({ success: true });
    expect(await run(ready, 'admin', 'listzj')).toHaveProperty('rows');
    const begun = await run(late, 'admin', 'f2kq');
    await run(late, 'admin', 'f2qr', { totp: new AuthenticatorApp(begun.data.secret!).at(new Date()) });
    expect(await run(late, 'admin', 'listzj')).toHaveProperty('rows');
    expect(await run(late, 'admin', 'setkzmb', { f2: 'true' })).toMatchObject({ success: true });
    expect(await run(customer, 'user', 'zjxx')).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    expect((await customer.send('/user/', { headers: { Accept: 'text/html' } })).headers.get('location')).toBe('/user/security');
    expect((await customer.send('/user/password')).status).toBe(200);
  } finally {
    await run(ready, 'admin', 'setkzmb', { f2: 'false' });
    await run(ready, 'admin', 'setwz', { f2: 'false' });
  }
  expect(await run(customer, 'user', 'zjxx')).toMatchObject({ success: true });
});

it('is removed with its administrator', async () => {
  const { id } = await withFactor('admin');
  await panel.admin('adminsc', { id });
  expect(
    await panel
      .get(Database)
      .repository(SecondFactor)
      .countBy({ side: 'admin', accountId: Number(id) }),
  ).toBe(0);
});
