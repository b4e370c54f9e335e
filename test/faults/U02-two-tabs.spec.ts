/** U2: of two tabs that change the same thing the second is warned, and nothing is overwritten silently. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HostingNode } from '../../src/hosting/index.js';
import { Database } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { SettingsTabRegistry } from '../../src/theme/index.js';

import { TestPanel } from '../support/panel.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
  const fields = [
    { key: 'greeting.text', label: 'Greeting', type: 'text', default: 'hello' },
    { key: 'token', label: 'Token', type: 'password' },
  ] as const;
  panel.get(SettingsTabRegistry).add({ title: 'Made up', fields: [...fields] }, 'made-up');
});
afterAll(() => panel.close());

const EN = { headers: { 'Accept-Language': 'en' } };
/** An operation as sent by the second tab, in English. */
const send = async (gn: string, fields: Record<string, string>) => {
  const response = await panel.adminFetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }), ...EN });
  return (await response.json()) as Record<string, unknown> & { fields?: Record<string, string>; row_version: string };
};
/** The versions in the forms of a settings tab. */
const versionsOf = async (tab: string): Promise<string[]> => {
  const html = await (await panel.adminFetch(`/admin/settings?tab=${tab}`)).text();
  return [...html.matchAll(/name="row_version" value="([^"]+)"/g)].map(([, version]) => version!);
};
const rowOf = async (list: string, field: string, value: string) =>
  (await panel.admin(list)).rows.find((row) => (row as unknown as Record<string, string>)[field] === value) as unknown as Record<
    string,
    string
  >;
const settings = () => panel.get(Database).repository(SiteConfig).findOneByOrFail({ id: 1 });

describe('a form that was opened before someone else saved', () => {
  it('of the settings is rejected at the fields that changed, and saved when it is sent again', async () => {
    const [row_version] = await versionsOf('site');
    const first = await send('setwz', { name: 'First tab', qq: '', row_version: row_version! });
    expect(first).toMatchObject({ success: true });
    const second = await send('setwz', { name: 'Second tab', qq: '10001', row_version: row_version! });
    expect(second).toMatchObject({
      success: false,
      err: 'E_CONFLICT',
      fields: { name: 'Changed in the meantime. Current value: First tab' },
    });
    expect(Object.keys(second.fields!)).toEqual(['name']);
    expect(second.code).toMatch(/While you were editing.*Your input is kept.*save again/);
    expect(await settings()).toMatchObject({ name: 'First tab', contact: '' });
    expect(await send('setwz', { name: 'Second tab', qq: '10001', row_version: second.row_version })).toMatchObject({ success: true });
    expect(await settings()).toMatchObject({ name: 'Second tab', contact: '10001' });
    // The response to a save has the next version: the open tab continues with it.
    expect(await send('setwz', { name: 'First tab again', row_version: first.row_version })).toMatchObject({ err: 'E_CONFLICT' });
  });

  it('is rejected in Chinese as well', async () => {
    const [row_version] = await versionsOf('site');
    await panel.admin('setwz', { yzm: 'false', gg: '' });
    const { err, code, fields } = await panel.admin('setwz', { gg: 'x', yzm: 'true', row_version: row_version! });
    expect({ err, fields }).toEqual({ err: 'E_CONFLICT', fields: { yzm: '在此期间已关闭' } });
    expect(code).toContain('您输入的内容都还在');
  });

  it('of two that save at the same time, one is warned', async () => {
    const [row_version] = await versionsOf('user');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => send('setkzmb', { bq: `foot of tab ${n}`, kg: 'true', row_version: row_version! })),
    );
    expect(answers.filter(({ success }) => success === true)).toHaveLength(1);
    expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(5);
  });

  it('compares only what the form shows', async () => {
    const [ofSettings, ofPictures] = await versionsOf('user');
    expect(await send('setkzmb', { bq: 'another foot', row_version: ofSettings! })).toMatchObject({ success: true });
    expect(await send('setkzmb', { loasc: 'true', row_version: ofPictures! })).toMatchObject({ success: true });
    expect(await send('setkzmb', { bq: 'a third', row_version: ofSettings! })).toMatchObject({
      fields: { bq: 'Changed in the meantime. Current value: another foot' },
    });
  });

  it('of the API, of scans, of payments', async () => {
    const [ofApi] = await versionsOf('api');
    await send('setapi', { apiip: '192.0.2.1' });
    expect(await send('setapi', { apiqk: 'true', row_version: ofApi! })).toMatchObject({
      fields: { apiip: expect.stringContaining('192.0.2.1') },
    });
    const [ofScans] = await versionsOf('scans');
    await send('savescancfg', { sdzmax: '7' });
    expect(await send('savescancfg', { sdhmax: '5', row_version: ofScans! })).toMatchObject({
      fields: { sdzmax: expect.stringContaining('7') },
    });
    const row = { plugin: 'sandbox', method: 'test', display_name: 'Renamed', icon: '', sort: 1 };
    await send('setpaymethods', { methods: JSON.stringify([{ ...row, display_name: 'Sandbox' }]) });
    const [ofMethods, ofOrders] = await versionsOf('payments');
    await send('setdd', { order_ttl: '48' });
    expect(await send('setdd', { order_ttl: '12', row_version: ofOrders! })).toMatchObject({
      fields: { order_ttl: expect.stringContaining('48') },
    });
    expect(await send('setpaymethods', { methods: JSON.stringify([row]), row_version: ofMethods! })).toMatchObject({ success: true });
    const late = await send('setpaymethods', { methods: '[]', row_version: ofMethods! });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { sandbox__test: expect.stringContaining('Renamed') } });
    expect((await settings()).payMethods).toEqual([row]);
  });

  it("of a plugin's settings, whose passwords are neither compared nor shown", async () => {
    const [row_version] = await versionsOf('made-up');
    const save = (fields: Record<string, string>) => send('szbc', { slug: 'made-up', ...fields });
    expect(await save({ 'greeting.text': 'hi', token: 'planted-token', row_version: row_version! })).toMatchObject({ success: true });
    expect(await save({ 'greeting.text': 'hey', row_version: row_version! })).toMatchObject({
      fields: { 'greeting.text': 'Changed in the meantime. Current value: hi' },
    });
    expect((await versionsOf('made-up'))[0]).toMatch(/^greeting\.text:[\w-]{6}$/);
  });

  it('of a server', async () => {
    const { id, row_version } = await rowOf('listbt', 'btdh', 'local');
    const secrets = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    expect(await send('xgjl', { id: id!, ip: '192.0.2.7', key: 'planted-panel-key', row_version: row_version! })).toMatchObject({
      success: true,
    });
    const late = await send('xgjl', { id: id!, ip: '192.0.2.8', key: 'another-key', row_version: row_version! });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { ip: expect.stringContaining('192.0.2.7'), key: 'Changed in the meantime' } });
    for (const secret of ['planted-panel-key', secrets.signatureKey]) expect(JSON.stringify(late)).not.toContain(secret);
    expect(await send('xgjl', { id: id!, ip: '192.0.2.8', row_version: late.row_version })).toMatchObject({
      success: true,
      btip: '192.0.2.8',
    });
  });

  it('of a host, whose password counts as well, without asking the server for it', async () => {
    await panel.admin('addzj', { user: 'tabs0001', pass: 'secret-pass-1', btdh: 'local', webkj: '100' });
    const { id, row_version } = await rowOf('listzj', 'user', 'tabs0001');
    const form = { id: id!, datar: '0', webkj: '100', sqlkj: '0', llmax: '0', ymbds: '0' };
    expect(await send('zjxgjl', { ...form, webkj: '512', pass: 'secret-pass-2', row_version: row_version! })).toMatchObject({
      success: true,
    });
    const late = await send('zjxgjl', { ...form, datar: '2030-01-31', row_version: row_version! });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { webkj: expect.stringContaining('512'), pass: 'Changed in the meantime' } });
    expect(await rowOf('listzj', 'user', 'tabs0001')).toMatchObject({ datae: '0000-00-00', hxa: expect.stringContaining('512') });
    const again = await send('zjxgjl', { ...form, datar: '2030-01-31', row_version: late.row_version });
    expect(again).toMatchObject({ success: true, datae: '2030-01-31', hxa: expect.stringContaining('100') });
  });

  it('of a role, created again without a version', async () => {
    const made = await send('jsbc', { name: 'Helpers of tabs', qx: 'listzj,zjsj', qxmb: 'zj*' });
    expect(made).toMatchObject({ success: true });
    const id = String(made.id);
    const page = await (await panel.adminFetch(`/admin/role?id=${id}`)).text();
    const { row_version } = await rowOf('listjs', 'id', id);
    expect(page).toContain(`name="row_version" value="${row_version}"`);
    const form = { id, name: 'Helpers of tabs', qx: 'listzj,zjsj', qxmb: 'zj*' };
    const node = await rowOf('listbt', 'btdh', 'local');
    expect(await send('jsbc', { ...form, nodes: node.id!, qx: 'listzj', row_version: row_version! })).toMatchObject({ success: true });
    const late = await send('jsbc', { ...form, name: 'Second tab', row_version: row_version! });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: {
        qx: 'Changed in the meantime. Current value: listzj',
        xz: expect.any(String),
        nodes: 'Changed in the meantime. Current value: local',
      },
    });
    expect(Object.keys(late.fields!)).toEqual(['qx', 'xz', 'nodes']);
    expect(await rowOf('listjs', 'id', id)).toMatchObject({ name: 'Helpers of tabs', qx: ['listzj', 'zj*'], jdmc: 'local' });
    expect(await send('jsbc', { ...form, name: 'Second tab', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('jsbc', form)).toMatchObject({ success: true });
  });

  it('of an administrator, whose password counts and is not shown', async () => {
    const role = await send('jsbc', { name: 'Role of tabs', qx: 'listzj' });
    const { id: made } = await send('addadmin', { user: 'tabs.admin', pass: 'planted-pass-1', js_id: '0' });
    const id = String(made);
    const { row_version } = await rowOf('listadmin', 'id', id);
    const form = { id, user: 'tabs.admin', kg: 'true' };
    const first = { ...form, js_id: String(role.id), pass: 'planted-pass-2', row_version: row_version! };
    expect(await send('adminxg', first)).toMatchObject({ success: true });
    const late = await send('adminxg', { ...form, js_id: '0', kg: 'false', row_version: row_version! });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { pass: 'Changed in the meantime', js_id: 'Changed in the meantime. Current value: Role of tabs' },
    });
    expect(Object.keys(late.fields!)).toEqual(['pass', 'js_id']);
    expect(await rowOf('listadmin', 'id', id)).toMatchObject({ js: 'Role of tabs', kg: 'true' });
    expect(await send('adminxg', { ...form, js_id: '0', kg: 'false', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('adminxg', { ...form, kg: 'true' })).toMatchObject({ success: true });
  });

  it('of an API key', async () => {
    const form = { name: 'key.of.tabs', qx: 'listzj,zjsj', ips: '', dq: '' };
    const id = String((await send('addmy', form)).id);
    const page = await (await panel.adminFetch(`/admin/api-key?id=${id}`)).text();
    const { row_version } = await rowOf('listmy', 'id', id);
    expect(page).toContain(`name="row_version" value="${row_version}"`);
    const first = { ...form, id, ips: '192.0.2.9', dq: '2030-01-31', kg: 'false', row_version: row_version! };
    expect(await send('myxg', first)).toMatchObject({ success: true });
    const late = await send('myxg', { ...form, id, name: 'renamed.key', row_version: row_version! });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { ips: expect.stringContaining('192.0.2.9'), dq: expect.stringContaining('2030-01-31'), kg: expect.any(String) },
    });
    expect(Object.keys(late.fields!).sort()).toEqual(['dq', 'ips', 'kg']);
    expect(await rowOf('listmy', 'id', id)).toMatchObject({ name: 'key.of.tabs', ips: '192.0.2.9', kg: 'false' });
    expect(await send('myxg', { ...form, id, name: 'renamed.key', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('myxg', { ...form, id })).toMatchObject({ success: true });
  });

  it('of a customer', async () => {
    const made = await send('addyh', { username: 'tabs_customer', pass: 'secret-pass-1', email: 'first@example.com', qq: '10001' });
    const id = String(made.id);
    const { row_version } = await rowOf('listyh', 'id', id);
    expect(made.row_version).toBe(row_version);
    expect(await (await panel.adminFetch(`/admin/customer?id=${id}`)).text()).toContain(row_version);
    const first = await send('yhxg', { id, email: 'tab@example.com', qq: '10001', row_version: row_version! });
    expect(first).toMatchObject({ success: true, email: 'tab@example.com' });
    const late = await send('yhxg', { id, email: 'first@example.com', qq: '10002', row_version: row_version! });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { email: 'Changed in the meantime. Current value: tab@example.com' } });
    expect(Object.keys(late.fields!)).toEqual(['email']);
    expect(await rowOf('listyh', 'id', id)).toMatchObject({ email: 'tab@example.com', qq: '10001' });
    // The response to a save has the next version, and so does a rejection.
    expect(await send('yhxg', { id, qq: '10003', row_version: first.row_version })).toMatchObject({ success: true });
    expect(await send('yhxg', { id, qq: '10002', row_version: late.row_version })).toMatchObject({ err: 'E_CONFLICT' });
    expect(await send('yhxg', { id, qq: '10002' })).toMatchObject({ success: true, email: 'tab@example.com', qq: '10002' });
  });

  it('of a channel, whose secrets are neither compared nor shown', async () => {
    const made = { lx: 'ntfy', name: 'Channel of tabs', 'cs[topic]': 'alarm', sj: 'monitor,expire', kg: 'true', row_version: '' };
    const id = String((await send('tdbc', made)).id);
    const page = await (await panel.adminFetch(`/admin/channel?id=${id}`)).text();
    const row_version = /name="row_version" value="([^"]+)"/.exec(page)![1]!;
    expect(await rowOf('listtd', 'name', made.name)).toMatchObject({ row_version });
    expect(row_version).toMatch(/cs\[topic\]:/);
    expect(row_version).not.toContain('token');
    const first = { ...made, id, 'cs[topic]': 'of-tab-1', 'cs[token]': 'planted-token', sj: 'monitor', row_version };
    expect(await send('tdbc', first)).toMatchObject({ success: true });
    const late = await send('tdbc', { ...made, id, name: 'Second tab', row_version });
    expect(late).toMatchObject({
      err: 'E_CONFLICT',
      fields: { 'cs[topic]': 'Changed in the meantime. Current value: of-tab-1', sj: 'Changed in the meantime. Current value: monitor' },
    });
    expect(Object.keys(late.fields!)).toEqual(['cs[topic]', 'sj']);
    expect(JSON.stringify(late)).not.toContain('planted-token');
    expect(await rowOf('listtd', 'name', made.name)).toMatchObject({ cs: { topic: 'of-tab-1' } });
    const again = { ...made, id, name: 'Second tab', 'cs[topic]': 'of-tab-1', row_version: late.row_version };
    expect(await send('tdbc', again)).toMatchObject({ success: true });
    expect(await send('tdbc', { ...again, row_version: '' })).toMatchObject({ success: true });
  });

  it('of notice preferences, on both sides', async () => {
    const versionIn = (html: string): string => /name="row_version" value="([^"]+)"/.exec(html)![1]!;
    const row_version = versionIn(await (await panel.adminFetch('/admin/notice-settings')).text());
    expect(await send('tzsz', { email: 'tab@example.com', traffic_mail: 'false', row_version })).toMatchObject({ success: true });
    const late = await send('tzsz', { email: '', traffic_mail: 'true', yy: 'en', row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { email: 'Changed in the meantime. Current value: tab@example.com' } });
    expect(Object.keys(late.fields!)).toEqual(['email', 'traffic_mail']);
    expect(versionIn(await (await panel.adminFetch('/admin/notice-settings')).text())).toBe(late.row_version);
    expect(await send('tzsz', { email: '', yy: 'en', row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('tzsz', { yy: '' })).toMatchObject({ success: true });

    const headers = { Cookie: await panel.signInUser('tabs0002'), 'Accept-Language': 'en' };
    const save = async (fields: Record<string, string>): Promise<unknown> =>
      (await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'tzsz', ...fields }), headers })).json();
    const shown = versionIn(await (await panel.fetch('/user/notice-settings', { headers })).text());
    expect(await save({ monitor_channel: 'false', row_version: shown })).toMatchObject({ success: true });
    expect(await save({ hz: 'false', monitor_channel: 'true', row_version: shown })).toMatchObject({
      err: 'E_CONFLICT',
      fields: { monitor_channel: expect.any(String) },
    });
    expect(await save({ hz: 'false' })).toMatchObject({ success: true });
  });

  it.each([
    ['backups', '/admin/backups', 'bfsz', { sj: '', bl: '9' }, { sj: '', bl: '11' }, 'bl'],
    ['the operation log', '/admin/log', 'logsz', { days: '90' }, { days: '120' }, 'days'],
    [
      'themes',
      '/admin/themes',
      'settheme',
      { usertheme: 'horizon', admintheme: 'default', hometheme: 'default' },
      { usertheme: 'default', admintheme: 'default', hometheme: 'default' },
      'usertheme',
    ],
  ] as const)('of the settings of %s', async (_name, path, gn, first, second, field) => {
    // Without a recovery key there are no backup settings.
    if (gn === 'bfsz') await panel.admin('bfmy', { ypass: 'svc-panel-admin' });
    const html = await (await panel.adminFetch(path)).text();
    const [, row_version] = new RegExp(`data-ajax="${gn}"[^]*?name="row_version" value="([^"]+)"`).exec(html)!;
    expect(await send(gn, { ...first, row_version: row_version! })).toMatchObject({ success: true });
    const late = await send(gn, { ...second, row_version: row_version! });
    expect(late).toMatchObject({ err: 'E_CONFLICT' });
    expect(Object.keys(late.fields!)).toEqual([field]);
    expect(await send(gn, { ...second, row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send(gn, first)).toMatchObject({ success: true });
    expect(await send(gn, second)).toMatchObject({ success: true });
  });

  it('of the day until which a host is on hold', async () => {
    await panel.admin('addzj', { user: 'held0001', pass: 'secret-pass-1', btdh: 'local', webkj: '100' });
    const { id, gqbb } = await rowOf('listzj', 'user', 'held0001');
    expect(await (await panel.adminFetch(`/admin/host?id=${id}`)).text()).toContain(`value="${gqbb}"`);
    const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await send('zjgq', { id: id!, date: day(10), row_version: gqbb! })).toMatchObject({ success: true });
    const late = await send('zjgq', { id: id!, date: day(20), row_version: gqbb! });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { date: `Changed in the meantime. Current value: ${day(10)}` } });
    expect(await rowOf('listzj', 'user', 'held0001')).toMatchObject({ gq: day(10), gqbb: late.row_version });
    expect(await send('zjgq', { id: id!, date: day(20), row_version: late.row_version })).toMatchObject({ success: true });
    expect(await send('zjgq', { id: id!, date: '' })).toMatchObject({ success: true });
  });

  it('compares nothing without a version, and rejects an invalid one', async () => {
    expect(await send('setwz', { name: 'A program' })).toMatchObject({ success: true });
    expect(await send('setwz', { name: 'A program', row_version: '' })).toMatchObject({ success: true });
    expect(await send('setwz', { name: 'x', row_version: 'latest' })).toMatchObject({
      err: 'E_ARGS',
      fields: { row_version: expect.any(String) },
    });
    expect(await send('setwz', { name: 'x', row_version: 'made_up:123456' })).toMatchObject({ err: 'E_CONFLICT' });
  });

  it('accepts the version of a form that was open during the update of a panel that wrote it in base64url', async () => {
    const name = 'First tab';
    const [, hash] = /(?:^|,)name:([\w-]{6})/.exec((await versionsOf('site'))[0]!)!;
    const before = (fields: string): string => Buffer.from(fields).toString('base64url');
    expect(await send('setwz', { name, row_version: before('name:123456') })).toMatchObject({ err: 'E_CONFLICT' });
    expect(await send('setwz', { name, row_version: before(`name:${hash}`) })).toMatchObject({ success: true });
  });
});
