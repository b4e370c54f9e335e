import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PanelClient } from '../../test/support/panel-client.js';
import { TestPanel } from '../../test/support/panel.js';
import { ApiKey } from '../auth/index.js';
import { Database } from '../database/index.js';
import { CallingKeys, HostingNode } from '../hosting/index.js';
import { OperationRegistry } from '../operations/index.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const keys = () => panel.get(Database).repository(ApiKey);
async function make(fields: Record<string, string>): Promise<{ id: string; secret: string }> {
  const { data } = await panel.admin('addmy', fields);
  return { id: String(data.id), secret: String(data.secret) };
}
async function run(secret: string, gn: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ gn, ...fields });
  const response = await panel.fetch('/admin/ajax.php', {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${secret}`, ...headers },
  });
  return (await response.json()) as { success?: boolean; err?: string; code?: unknown; rows?: unknown[]; data?: Record<string, unknown> };
}
async function provision(svc_key: string, gn: string, fields: Record<string, string> = {}) {
  const node = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
  const body = new URLSearchParams({
    svc_bh: 'local',
    svc_key,
    svc_keye: panel.get(CallingKeys).of(node),
    svc_vs: '15',
    username: 'shophost1',
    ...fields,
  });
  return (await (await panel.fetch(`/api/api.php?gn=${gn}`, { method: 'POST', body })).json()) as {
    success: boolean;
    code: number;
    msg: string;
  };
}
const NOBODY = { code: '请登陆后台' };

describe('an API key', () => {
  it('may run what it permits, is counted, and is logged by name', async () => {
    const { secret } = await make({ name: 'billing', qx: 'listzj,addzj' });
    expect(secret).toMatch(/^svck_[\w-]{43}$/);
    expect(await run(secret, 'listzj')).toHaveProperty('rows');
    expect(await run(secret, 'addzj', { user: 'bykey001', pass: 'secret-1', btdh: 'local' })).toMatchObject({ success: true });
    expect(await run(secret, 'zjsc', { id: '1' })).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
    const [row] = (await panel.admin('listmy')).rows as unknown as Record<string, string>[];
    expect(row).toMatchObject({ name: 'billing', zt: 'on', sl: '3', last: expect.stringMatching(/^\d{4}-/) as string });
    const log = (await panel.admin('listlog', { lx: 'addzj' })).rows as unknown as Record<string, string>[];
    expect(log[0]!.czuser).toBe('key:billing');
    expect(
      JSON.stringify([await panel.admin('listmy'), await panel.admin('listlog', { limit: '100' }), await keys().find()]),
    ).not.toContain(secret);
  });

  it('has no account: no own-account operations and no pages, whatever it permits', async () => {
    const { secret } = await make({ name: 'everything', qx: '*' });
    const own = panel
      .get(OperationRegistry)
      .all()
      .filter((record) => record.side === 'admin' && record.own);
    expect(own.length).toBeGreaterThan(5);
    for (const { name } of own) expect([name, await run(secret, name)]).toEqual([name, expect.objectContaining({ err: 'E_FORBIDDEN' })]);
    for (const path of ['/admin/', '/admin/hosts', '/admin/openapi.json', '/user/ajax.php'])
      expect((await (await panel.fetch(path, { headers: { Authorization: `Bearer ${secret}` } })).text()).includes('data-list')).toBe(
        false,
      );
    const narrow = (await make({ name: 'narrow', qx: 'listzj' })).secret;
    for (const key of [secret, narrow])
      expect(await (await panel.fetch('/admin/openapi.json', { headers: { Authorization: `Bearer ${key}` } })).json()).toEqual({
        code: '请登陆后台',
      });
    expect(await run(secret, 'listadmin')).toHaveProperty('rows');
    await panel.admin('setwz', { f2: 'true' });
    expect(await run(secret, 'setwz', { f2: 'false' })).toMatchObject({ success: true });
  });

  it('that is invalid, disabled, expired, removed or from another address is unauthenticated, even with a session cookie', async () => {
    for (const wrong of [`svck_${'a'.repeat(43)}`, 'svck_', `svck_${'a'.repeat(5_000)}`]) {
      expect(await run(wrong, 'listzj')).toEqual(NOBODY);
    }
    const cookie = { Cookie: panel.adminCookie };
    expect(await run(`svck_${'a'.repeat(43)}`, 'listzj', {}, cookie)).toEqual(NOBODY);
    const { id, secret } = await make({ name: 'changing', qx: 'listzj' });
    const as = (fields: Record<string, string>) => panel.admin('myxg', { id, name: 'changing', qx: 'listzj', ...fields });
    expect(await run(secret, 'listlog', {}, cookie)).toMatchObject({ err: 'E_FORBIDDEN' });
    for (const [fields, works] of [
      [{ kg: 'false' }, false],
      [{ dq: '2020-01-01' }, false],
      [{ dq: '2099-12-31' }, true],
      [{ ips: '192.0.2.0/24' }, false],
      [{ ips: '127.0.0.0/8, ::1' }, true],
    ] as const) {
      expect(await as(fields)).toMatchObject({ success: true });
      expect([fields, 'rows' in (await run(secret, 'listzj'))]).toEqual([fields, works]);
    }
    expect((await panel.admin('listmy')).rows.find((row) => (row as unknown as { name: string }).name === 'changing')).toMatchObject({
      dq: '',
    });
    expect(await panel.admin('mysc', { id })).toMatchObject({ success: true });
    expect(await run(secret, 'listzj')).toEqual(NOBODY);
    expect(await panel.admin('mysc', { id })).toMatchObject({ err: 'E_NOTEXIST' });
  });

  it('works for the provisioning API within its permissions, in addition to the main key', async () => {
    const { secret, id } = await make({ name: 'shop', qx: 'api.kt,api.cfif' });
    expect(await provision(secret, 'cfif')).toMatchObject({ success: true });
    expect(await provision(secret, 'kt', { password: 'secret-1' })).toMatchObject({ success: true });
    expect(await provision(secret, 'tz')).toMatchObject({ success: false, code: 100, msg: expect.stringContaining('权限') as string });
    expect(await run(secret, 'listzj')).toMatchObject({ err: 'E_FORBIDDEN' });
    const log = (await panel.admin('listlog', { lx: 'api.php' })).rows as unknown as Record<string, string>[];
    expect(log.some(({ czuser, lr }) => czuser === 'key:shop' && lr!.includes('kt shophost1'))).toBe(true);
    await panel.admin('myxg', { id, name: 'shop', qx: 'api.*', kg: 'false' });
    expect(await provision(secret, 'cfif')).toMatchObject({ success: false, msg: expect.stringContaining('密钥不匹配') as string });
    const { secret: other } = await make({ name: 'no-shop', qx: 'listzj' });
    expect(await provision(other, 'cfif')).toMatchObject({ success: false });
  });

  it('reports errors by field, and grants nobody more than their own permissions', async () => {
    expect((await panel.admin('addmy', { name: 'a b', qx: 'listzj' })).fields).toHaveProperty('name');
    expect((await panel.admin('addmy', { name: 'x', qx: '<b>' })).fields).toHaveProperty('qx');
    expect((await panel.admin('addmy', { name: 'x', qx: 'listzj', ips: '1.2.3' })).fields).toHaveProperty('ips');
    expect((await panel.admin('addmy', { name: 'x', qx: 'listzj', dq: 'soon' })).fields).toHaveProperty('dq');
    expect((await panel.admin('addmy', { name: 'x', qx: 'listzj', dq: '2027-02-30' })).fields).toHaveProperty('dq');
    await make({ name: 'Same', qx: 'listzj' });
    expect(await panel.admin('addmy', { name: 'SAME', qx: 'listzj' })).toMatchObject({ err: 'E_EXISTS' });
    const role = String((await panel.admin('jsbc', { name: 'keys', qx: 'listmy,addmy,myxg,mysc,listzj' })).data.id);
    await panel.admin('addadmin', { user: 'keeper01', pass: 'secret-of-keeper', js_id: role });
    const keeper = await new PanelClient(panel.url).login('admin', 'keeper01', 'secret-of-keeper');
    const as = async (gn: string, fields: Record<string, string>) => (await keeper.ajax('admin', { gn, ...fields })).json;
    const strong = await make({ name: 'strong', qx: '*' });
    expect(await as('addmy', { name: 'more', qx: 'listlog' })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await as('myxg', { id: strong.id, name: 'strong', qx: 'listzj' })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await as('mysc', { id: strong.id })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await as('addmy', { name: 'less', qx: 'listzj' })).toMatchObject({ success: true });
    const { secret } = await make({ name: 'maker', qx: 'addmy,listzj' });
    expect(await run(secret, 'addmy', { name: 'child', qx: '*' })).toMatchObject({ err: 'E_FORBIDDEN' });
    expect(await run(secret, 'addmy', { name: 'child', qx: 'listzj' })).toMatchObject({ success: true });
  });
});
