import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';
import { Database } from '../../database/index.js';
import { OperationLog } from '../../operations/index.js';
import { DomainRecords, HostingAccount, HostingNode } from '../index.js';

let panel: TestPanel;
let owner: string;
let id: string;
beforeAll(async () => {
  panel = await TestPanel.start();
  panel.get(DomainRecords).lookup = (name, type) =>
    name === 'www.example.com' && type === 'A'
      ? Promise.resolve(['203.0.113.9'])
      : Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  owner = await panel.signInUser();
  id = String((await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' })).id);
});
afterAll(() => panel.close());

async function user(gn: string, fields: Record<string, string> = {}): Promise<unknown> {
  const body = new URLSearchParams({ gn, ...fields });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: owner } });
  return response.json();
}
const page = async (path: string, language = 'en'): Promise<string> =>
  (await panel.fetch(path, { headers: { Cookie: owner, 'Accept-Language': language } })).text();

describe('domains on the wire', () => {
  it('are bound, listed and removed through the names older clients use', async () => {
    expect(await user('listurl')).toEqual({ domains: [] });
    expect(await user('hqzmlls')).toBe(false);
    expect(await user('tjurl', { url: 'HTTP://WWW.Example.com/' })).toMatchObject({
      success: true,
      qk: 1,
      code: '添加成功',
      msg: '添加成功',
      name: 'www.example.com',
    });
    expect(await user('tjurl', { url: 'shop.example.com', ml: '/shop' })).toMatchObject({ success: true });
    expect(await user('listurl')).toEqual({
      domains: [
        { name: 'www.example.com', path: '/', main: false },
        { name: 'shop.example.com', path: '/shop', main: false },
      ],
    });
    expect(await user('hqzmlls')).toEqual([{ id: expect.any(Number) as number, domain: 'shop.example.com', path: 'shop', port: 80 }]);
    expect(await user('zyurl', { url: 'www.example.com' })).toMatchObject({ success: true });
    expect(await user('urllb')).toMatchObject({ total: 2, rows: [{ name: 'www.example.com', main: 'true' }, { path: '/shop' }] });
    expect(await user('jcurl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'unknown', found: ['203.0.113.9'] });
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: '203.0.113.9' });
    expect(await user('jcurl', { url: 'www.example.com' })).toMatchObject({ success: true, state: 'here' });
    expect(await user('jcurl', { url: 'shop.example.com' })).toMatchObject({ success: true, state: 'missing' });
    expect(await user('scurl', { url: 'www.example.com' })).toMatchObject({ success: true, code: '删除成功' });
    expect(await user('scurl', { url: 'shop.example.com' })).toMatchObject({ success: true });
    expect(await user('listurl')).toEqual({ domains: [] });
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { category: 'tjurl' }, order: { id: 'ASC' } });
    expect(lines.map(({ summary }) => summary)[0]).toBe('为 owner01 绑定域名 www.example.com');
  });

  it('are rejected with an error at the field, which names the record that proves ownership', async () => {
    expect(await user('tjurl', { url: '' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await user('tjurl', { url: '10.0.0.1' })).toMatchObject({
      success: false,
      qk: 4,
      fields: { url: expect.stringContaining('10.0.0.1') as string },
    });
    expect(await user('tjurl', { url: 'a.example.com', ml: '../x' })).toMatchObject({
      success: false,
      fields: { ml: expect.any(String) as string },
    });
    expect(await user('scurl', { url: 'never.example.com' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    await panel.admin('addzj', { btdh: 'local', user: 'other001', pass: 'secret-pass-1' });
    const other = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'other001' });
    expect(await panel.admin('tjurl', { id: String(other.id), url: 'shop.example.org' })).toMatchObject({ success: true });
    expect(await user('tjurl', { url: 'shop.example.org' })).toMatchObject({ success: false, err: 'E_EXISTS' });
    expect(await user('tjurl', { url: 'example.org' })).toMatchObject({
      success: false,
      err: 'E_FORBIDDEN',
      record: '_svc-verify.example.org',
      value: expect.stringMatching(/^svc-verify=[0-9a-f]{32}$/) as string,
    });
    // The field with the host's id is ignored on the user side.
    expect(await user('listurl', { id: String(other.id) })).toEqual({ domains: [] });
    expect(await user('scurl', { id: String(other.id), url: 'shop.example.org' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('tjurl', { id: '99999', url: 'b.example.org' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('tjurl', { url: 'b.example.org' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('are read-only while the host is expired', async () => {
    await user('tjurl', { url: 'kept.example.com' });
    await panel.admin('zjxf', { id, datae: '2020-01-01' });
    expect(await user('tjurl', { url: 'more.example.com' })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await user('listurl')).toMatchObject({ domains: [{ name: 'kept.example.com' }] });
    await panel.admin('zjxf', { id, datae: '0' });
  });

  it('have a page on both sides, with the DNS records to set', async () => {
    const html = await page('/user/domains');
    expect(html).toContain('kept.example.com');
    expect(html).toContain('203.0.113.9');
    expect(await page('/user/domains', 'zh-CN')).toContain('在 DNS 服务商处如何设置');
    const admin = async (path: string) => panel.adminFetch(path, { headers: { 'Accept-Language': 'en' } });
    expect(await (await admin(`/admin/host-domains?id=${id}`)).text()).toContain('Domains of owner01');
    for (const wrong of ['', '?id=0', '?id=99999', '?id=x']) expect((await admin(`/admin/host-domains${wrong}`)).status, wrong).toBe(404);
    expect(await (await admin('/admin/hosts')).text()).toContain(`/admin/host-domains?id=${id}`);
    expect(await page('/user/')).toMatch(/1\s*\/\s*/);
    // A server without a driver.
    const nodes = panel.get(Database).repository(HostingNode);
    await nodes.update({ code: 'local' }, { driver: 'nobody' });
    expect(await page('/user/domains')).toContain('Domains cannot be bound through the panel');
    await nodes.update({ code: 'local' }, { driver: 'embedded' });
  });
});
