/** U2: of two tabs with the same form of a plugin the second is warned, and nothing is overwritten silently. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AccountVisitor } from '../support/account-visitor.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { STARTER_PLAN } from '../support/shop.js';

/** A plugin's own form, written as in docs/plugin-api.md. */
const NOTES = `
  await svc.db.migrate([{ id: '001', up: (schema) => schema.createTable({ name: 'note', columns: [
    { name: 'text', type: 'text' }, { name: 'pinned', type: 'boolean', default: false }] }) }]);
  const { insertId } = await svc.db.run('INSERT INTO {note} (text, pinned) VALUES (?, ?)', ['first', false]);
  const formOf = ({ text, pinned }) => ({ text, pinned: Boolean(Number(pinned)), password: { secret: 'hash of ' + text } });
  const find = async () => (await svc.db.query('SELECT text, pinned FROM {note} WHERE id = ?', [insertId]))[0];
  const save = ({ body }) => svc.db.transaction(async () => {
    await svc.db.run('UPDATE {note} SET pinned = pinned WHERE id = ?', [insertId]);
    svc.svc_check_row_version(body.row_version, formOf(await find()));
    await svc.db.run('UPDATE {note} SET text = ?, pinned = ? WHERE id = ?', [body.text, body.pinned === 'true' ? 1 : 0, insertId]);
    return { success: true, code: 'Saved', row_version: svc.svc_row_version(formOf(await find())) };
  });
  svc.svc_register_ajax('admin', 'p_notes_save', save, 'admin');
  const show = async () => ({ ...(await find()), row_version: svc.svc_row_version(formOf(await find())) });
  svc.svc_register_ajax('admin', 'p_notes_show', show, 'admin', { rate: 'read' });
  svc.svc_register_route('POST', '/p/notes/save', (_params, ctx) => save(ctx), 10, 'admin');
  svc.svc_register_route('POST', '/p/notes/page', async (_params, ctx) => {
    try { await save(ctx); return '<p>Saved</p>'; }
    catch (error) { return { status: 422, body: { name: error.name, code: error.code, message: error.message, fields: error.fields,
      row_version: error.row_version } }; }
  }, 10, 'admin');
  svc.svc_register_ajax('admin', 'p_notes_wrong', ({ body }) => {
    const values = { name: { 'a b': 1 }, value: { a: {} }, list: [], none: null };
    try { svc.svc_row_version(values[body.what]); } catch (error) { return { name: error.name, message: error.message }; }
  }, 'admin');`;

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start({ RATE_LIMIT: 'off' });
  writePlugin(panel.dataDir, 'notes', functionPlugin(NOTES));
  for (const slug of ['notes', 'epay', 'hosting_shop', 'resource_pool', 'accounts']) await panel.enable(slug);
});
afterAll(() => panel?.close());

const EN = { 'Accept-Language': 'en' };
type Reply = Record<string, unknown> & { success: boolean; fields?: Record<string, string>; row_version: string };
/** An operation as sent by the second tab, in English. */
const send = async (gn: string, fields: Record<string, string>, path = '/admin/ajax.php'): Promise<Reply> => {
  const response = await panel.adminFetch(path, { method: 'POST', body: new URLSearchParams({ gn, ...fields }), headers: EN });
  return (await response.json()) as Reply;
};
const page = async (path: string): Promise<string> => (await panel.adminFetch(path)).text();
/** The versions in the forms of a page. */
const versionsIn = (html: string): string[] => [...html.matchAll(/name="row_version"\s+value="([^"]+)"/g)].map(([, version]) => version!);
const told = (value: string): string => `Changed in the meantime. Current value: ${value}`;

describe('a form of a plugin that was opened before someone else saved', () => {
  const shown = () => send('p_notes_show', {});

  it.each([
    ['operation', '/admin/ajax.php'],
    ['route', '/p/notes/save'],
  ])('of an %s is rejected like a form of the panel, and saved when it is sent again', async (kind, path) => {
    const save = (fields: Record<string, string>) => send('p_notes_save', fields, path);
    const { row_version, text } = await shown();
    const first = await save({ text: `first ${kind}`, pinned: 'true', row_version });
    expect(first).toMatchObject({ success: true, row_version: (await shown()).row_version });
    const late = await save({ text: String(text), pinned: 'false', row_version });
    expect(late).toMatchObject({ success: false, qk: 4, err: 'E_CONFLICT', row_version: first.row_version });
    expect(late.fields).toEqual({ text: told(`first ${kind}`), pinned: 'Turned on in the meantime', password: 'Changed in the meantime' });
    expect(late.code).toMatch(/While you were editing.*Your input is kept/);
    expect(JSON.stringify(late)).not.toContain('hash of');
    expect(await shown()).toMatchObject({ text: `first ${kind}` });
    expect(await save({ text: 'second tab', pinned: 'false', row_version: late.row_version })).toMatchObject({ success: true });
    // Callers without a form work as before.
    expect(await save({ text: 'no version' })).toMatchObject({ success: true });
    expect(await save({ text: 'no version', row_version: '' })).toMatchObject({ success: true });
  });

  it.each(['latest', 'name:', '{"text":1}', 'text:123456,', `${'a:123456,'.repeat(1_200)}a:123456`, '\u0000'])(
    'with an invalid version is invalid input: %s',
    async (row_version) => {
      const refused = { success: false, err: 'E_ARGS', fields: { row_version: 'Invalid value' } };
      for (const path of ['/admin/ajax.php', '/p/notes/save']) {
        const answer = await send('p_notes_save', { text: 'forged', row_version }, path);
        expect(answer).toMatchObject(refused);
        expect(answer.code).toContain('row_version');
      }
      expect((await shown()).text).not.toBe('forged');
    },
  );

  it('with a made-up version is compared field by field', async () => {
    expect(await send('p_notes_save', { text: 'forged', row_version: 'text:123456,nowhere:123456' })).toMatchObject({
      err: 'E_CONFLICT',
      fields: { text: expect.any(String) as string, nowhere: 'Cleared in the meantime' },
    });
  });

  it('is reported on a page that catches it, in the reader’s language, and is no error of the plugin', async () => {
    const post = async (row_version: string, language: string) => {
      const body = new URLSearchParams({ text: 'by page', row_version });
      const response = await panel.adminFetch('/p/notes/page', { method: 'POST', body, headers: { 'Accept-Language': language } });
      return [response.status, await response.json()] as [number, Record<string, unknown>];
    };
    await send('p_notes_save', { text: 'now' });
    const { row_version } = await shown();
    const late = { name: 'FormRefusal', code: 'STALE_FORM', fields: { text: told('now') } };
    const [status, english] = await post('text:123456', 'en');
    expect([status, english]).toEqual([
      422,
      { ...late, message: expect.stringMatching(/^While you were editing/) as string, row_version: row_version.split(',')[0] },
    ]);
    const [, chinese] = await post('text:123456', 'zh-CN');
    expect(chinese).toMatchObject({ message: expect.stringContaining('在您编辑期间') as string, fields: { text: '在此期间已改为：now' } });
    expect((await post('latest', 'en'))[1]).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { row_version: 'Invalid value' },
      row_version: '',
    });
    const { rows } = await panel.admin('plugin_list');
    expect((rows as unknown as Record<string, unknown>[]).find(({ slug }) => slug === 'notes')).toMatchObject({ last_fault: null });
  });

  it.each(['name', 'value', 'list', 'none'])('has no version for values that no form can return: an invalid %s', async (what) => {
    expect(await send('p_notes_wrong', { what })).toEqual({
      name: 'TypeError',
      message: expect.stringContaining('svc_row_version') as string,
    });
  });
});

describe('two tabs of a bundled plugin', () => {
  it('the second is warned at the settings of a gateway, whose secrets are neither compared nor shown', async () => {
    const form = { apiurl: 'https://epay.example', pid: '1001', key: 'planted-merchant-key', sign_type: 'MD5', key_join: 'plain' };
    const shown = async () => versionsIn(await page('/admin/settings?tab=epay'))[0]!;
    const row_version = await shown();
    expect(row_version).not.toMatch(/\b(?:private_)?key:/);
    const first = await send('p_epay_save', { ...form, row_version });
    expect(first).toMatchObject({ success: true, row_version: await shown() });
    const late = await send('p_epay_save', { ...form, pid: '1002', row_version });
    expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', fields: { pid: told('1001'), apiurl: told('https://epay.example') } });
    expect(JSON.stringify(late)).not.toContain('planted');
    const next = await send('p_epay_save', { ...form, pid: '1003', row_version: late.row_version });
    expect(next).toMatchObject({ success: true });
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send('p_epay_save', { ...form, pid: `200${n}`, row_version: next.row_version })),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
    const plain = await send('p_epay_save', form);
    expect(plain).toMatchObject({ success: true });
    expect(plain).not.toHaveProperty('row_version');
    expect(await send('p_epay_save', { ...form, row_version: 'latest' })).toMatchObject({ err: 'E_ARGS' });
  });

  it('the second is warned at a plan of the shop, and at its options', async () => {
    const { data } = (await send('p_hosting_shop_plan_save', STARTER_PLAN)) as unknown as { data: { id: number } };
    const id = String(data.id);
    const versions = async () => versionsIn(await page(`/admin/plugin.php?p=hosting_shop&page=plan&id=${id}`));
    const [row_version] = await versions();
    const form = { ...STARTER_PLAN, id, category: '', description: '', free: 'false', row_version: row_version! };
    expect(await send('p_hosting_shop_plan_save', { ...form, price: '12.50', active: 'false' })).toMatchObject({ success: true });
    const late = await send('p_hosting_shop_plan_save', { ...form, name: 'Second tab' });
    expect(late).toMatchObject({ err: 'E_CONFLICT', fields: { price: told('12.50'), active: 'Turned off in the meantime' } });
    expect(Object.keys(late.fields!)).toEqual(['price', 'active']);
    const again = { ...form, name: 'Second tab', row_version: late.row_version };
    expect(await send('p_hosting_shop_plan_save', again)).toMatchObject({ success: true });
    const [present, ofOption] = await versions();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => send('p_hosting_shop_plan_save', { ...form, name: `tab ${n}`, row_version: present! })),
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(1);
    expect(await send('p_hosting_shop_plan_save', { ...STARTER_PLAN, id })).toMatchObject({ success: true });

    const option = { plan_id: id, kind: 'web_mb', unit: '10', most: '5', price: '1.00' };
    expect(await send('p_hosting_shop_extra_save', { ...option, row_version: ofOption! })).toMatchObject({ success: true });
    const second = await send('p_hosting_shop_extra_save', { ...option, unit: '20', row_version: ofOption! });
    expect(second).toMatchObject({ err: 'E_CONFLICT', fields: { unit: told('10'), most: told('5'), price: told('1.00') } });
    const retried = { ...option, unit: '20', row_version: second.row_version };
    expect(await send('p_hosting_shop_extra_save', retried)).toMatchObject({ success: true });
    expect(await send('p_hosting_shop_extra_save', option)).toMatchObject({ success: true });
    expect(versionsIn(await page('/admin/plugin.php?p=hosting_shop&page=plan'))).toEqual([]);
  });

  describe('the second is warned at a resource pool', () => {
    const pool = { name: 'East', username: 'dealer.tabs', web_space: '1000', sql_space: '500', flow: '100', expire_date: '', nodes: '' };
    let id: string;
    beforeAll(async () => {
      id = String((await send('p_respool_save', { ...pool, password: 'dealer-pass-1' })).id);
    });

    it('by administrators', async () => {
      const [row_version] = versionsIn(await page(`/admin/plugin.php?p=resource_pool&page=add&id=${id}`));
      const form = { ...pool, id, password: '', status: 'enabled', remark: '', row_version: row_version! };
      expect(await send('p_respool_save', { ...form, web_space: '2000' })).toMatchObject({ success: true });
      const late = await send('p_respool_save', { ...form, remark: 'second tab' });
      expect(late).toMatchObject({ success: false, err: 'E_CONFLICT', fields: { web_space: told('2000') } });
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) => send('p_respool_save', { ...form, remark: `tab ${n}`, row_version: late.row_version })),
      );
      expect(answers.filter(({ success }) => success)).toHaveLength(1);
      expect(answers.filter(({ err }) => err === 'E_CONFLICT')).toHaveLength(3);
      const { row_version: _version, ...plain } = form;
      expect(await send('p_respool_save', plain)).toMatchObject({ success: true });
      expect(versionsIn(await page('/admin/plugin.php?p=resource_pool&page=add'))).toEqual([]);
    });

    it('by the sub-reseller at the limits and last day of a host, with the input kept', async () => {
      const dealer = new AccountVisitor(panel);
      const post = (path: string, fields: Record<string, string>) => dealer.send('POST', path, fields, EN);
      await post('/pool/login', { username: pool.username, password: 'dealer-pass-1' });
      const limits = { web_space: '100', sql_space: '10', flow: '1', domain_count: '3' };
      const host = {
        ...limits,
        node: 'local',
        pool_id: id,
        host_user: 'tabsinpool',
        host_pass: 'secret-pass-1',
        expire_date: '2098-12-31',
      };
      const { host_id } = (await send('p_respool_open_host', host)) as unknown as { host_id: number };
      const path = `/pool/host/${host_id}`;
      const [ofDay, ofLimits] = versionsIn(await dealer.page(path));
      expect((await post(`${path}/limits`, { ...limits, web_space: '150', row_version: ofLimits! })).status).toBe(200);
      const late = await post(`${path}/limits`, { ...limits, sql_space: '20', row_version: ofLimits! });
      const html = await late.text();
      expect([late.status, versionsIn(html)[1]]).not.toEqual([200, ofLimits]);
      expect(html).toMatch(/While you were editing.*Web space.*Current value: 150/);
      expect(html).toContain('name="sql_space" inputmode="numeric" maxlength="9"\n      value="20"');
      expect((await post(`${path}/limits`, { ...limits, sql_space: '20', row_version: versionsIn(html)[1]! })).status).toBe(200);
      expect((await post(`${path}/limits`, limits)).status).toBe(200);
      expect((await post(`${path}/renew`, { expire_date: '2099-01-31', row_version: ofDay! })).status).toBe(200);
      const day = await post(`${path}/renew`, { expire_date: '2099-02-28', row_version: ofDay! });
      expect([day.status, await day.text()]).toEqual([
        422,
        expect.stringMatching(/Last day: Changed in the meantime\. Current value: 2099-01-31/),
      ]);
      expect((await post(`${path}/renew`, { expire_date: '2099-02-28' })).status).toBe(200);
      expect((await post(`${path}/renew`, { expire_date: '2099-02-28', row_version: 'latest' })).status).toBe(422);
    });
  });

  it('the second is warned at the profile of a customer, with the input kept', async () => {
    await panel.admin('addyh', { username: 'tabs_self', pass: 'secret-pass-1', email: 'first@example.com', qq: '10001' });
    const visitor = new AccountVisitor(panel);
    await visitor.send('POST', '/account/login', { username: 'tabs_self', password: 'secret-pass-1' });
    const post = (fields: Record<string, string>) => visitor.send('POST', '/account/profile', fields, EN);
    const [row_version] = versionsIn(await visitor.page('/account/profile'));
    expect((await post({ email: 'tab@example.com', qq: '10001', row_version: row_version! })).status).toBe(303);
    const late = await post({ email: 'first@example.com', qq: '10002', row_version: row_version! });
    const html = await late.text();
    expect(late.status).toBe(422);
    expect(html).toContain(told('tab@example.com'));
    expect(html).toContain('value="10002"');
    expect((await post({ email: 'first@example.com', qq: '10002', row_version: versionsIn(html)[0]! })).status).toBe(303);
    expect((await post({ email: 'first@example.com', qq: '10003', row_version: 'latest' })).status).toBe(422);
    expect(await visitor.api('update_profile', { email: 'first@example.com', qq: '10004' })).toMatchObject({ code: 'ok' });
  });
});
