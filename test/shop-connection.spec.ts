/** Connecting a shop: what the page shows, and a test that calls like a shop and explains problems in plain words. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { RateLimit } from '../src/auth/index.js';
import { BaseUrl } from '../src/config/index.js';
import { Database } from '../src/database/index.js';
import { CallingKeys, HostingNode } from '../src/hosting/index.js';
import { OperationLog } from '../src/operations/index.js';
import { SiteSettings } from '../src/site/index.js';

import { TestPanel, type AjaxAnswer } from './support/panel.js';
import { PanelClient } from './support/panel-client.js';

const KEY = 'planted-api-key-0123456789';

let panel: TestPanel;
let node: HostingNode;

beforeAll(async () => {
  panel = await TestPanel.start({ API_KEY: KEY, RATE_LIMIT: 'on' });
});
afterAll(() => panel?.close());
beforeEach(async () => {
  await panel.get(Database).repository(RateLimit).clear();
  await panel.get(SiteSettings).change({ apiOpen: true, apiAllow: null, api: KEY });
  await nodes().update({ code: 'local' }, { enabled: true });
  node = await nodes().findOneByOrFail({ code: 'local' });
});

const nodes = () => panel.get(Database).repository(HostingNode);
const tried = (fields: Record<string, string> = {}): Promise<AjaxAnswer> => panel.admin('djcs', { id: String(node.id), ...fields });

describe('the test of a connection', () => {
  it('calls like a shop and reports success', async () => {
    expect(await tried()).toMatchObject({ success: true, data: { bh: 'local', url: `${panel.url}/api/api.php?gn=cfif` } });
    expect(await tried({ ip: '192.0.2.7', key: KEY, keye: panel.get(CallingKeys).of(node) })).toMatchObject({ success: true });
  });

  it('explains problems, one at a time, in plain words', async () => {
    const settings = panel.get(SiteSettings);
    expect(await tried({ key: 'wrong' })).toMatchObject({ err: 'E_FORBIDDEN', fields: { key: expect.stringMatching(/API 密钥不正确/) } });
    expect(await tried({ keye: 'wrong' })).toMatchObject({
      err: 'E_FORBIDDEN',
      fields: { keye: expect.stringMatching(/不是节点 local 的/) },
    });
    expect(await tried({ ip: 'shop.example.com' })).toMatchObject({ err: 'E_ARGS', fields: { ip: expect.any(String) } });
    await settings.change({ apiAllow: '192.0.2.0/24' });
    expect(await tried()).toMatchObject({ err: 'E_ARGS', fields: { ip: expect.stringMatching(/请填写商店的 IP/) } });
    expect((await tried({ ip: '198.51.100.9' })).code).toMatch(/没有商店的地址 198\.51\.100\.9/);
    // This machine is not on the list, and need not be.
    expect(await tried({ ip: '192.0.2.9' })).toMatchObject({ success: true });
    await nodes().update({ code: 'local' }, { enabled: false });
    expect((await tried({ ip: '192.0.2.9' })).code).toMatch(/节点 local 已停用/);
    await settings.change({ apiOpen: false });
    expect((await tried()).code).toMatch(/接口已关闭/);
    expect(await panel.admin('djcs', { id: '4711' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('does not count its wrong keys against anyone, and reports a shop that is blocked for its own', async () => {
    for (let tries = 0; tries < 5; tries += 1) await tried({ ip: '192.0.2.8', key: 'wrong' });
    const wrong = await panel.get(Database).repository(RateLimit).find();
    expect(wrong.filter(({ key }) => key.startsWith('api:key'))).toEqual([]);
    await panel.get(Database).repository(RateLimit).clear();
    const { ExternalApi } = await import('../src/hosting/index.js');
    const api = panel.get(ExternalApi);
    const fields = { svc_bh: 'local', svc_key: 'wrong', svc_keye: 'x', svc_vs: '15', username: 'test' };
    for (let tries = 0; tries < 20; tries += 1) await api.handle('cfif', fields, '192.0.2.8');
    expect((await tried({ ip: '192.0.2.8' })).code).toMatch(/接口拒绝了商店的调用：.*密钥错误次数过多/);
    expect(await tried({ ip: '192.0.2.80' })).toMatchObject({ success: true });
  });

  it('distinguishes no response from a different service', async () => {
    const base = panel.get(BaseUrl);
    const right = Number(new URL(base.local()).port);
    const other: Server = createServer((_req, res) => res.end('<html>hello</html>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      base.listeningOn(port);
      expect((await tried()).code).toMatch(/不是来自面板/);
      await new Promise((resolve) => other.close(resolve));
      expect((await tried()).code).toMatch(/没有应答/);
    } finally {
      base.listeningOn(right);
      other.close();
    }
  });

  it('logs a line without any key', async () => {
    await tried({ key: KEY, keye: panel.get(CallingKeys).of(node) });
    const [line] = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { category: 'djcs' }, order: { id: 'DESC' }, take: 1 });
    expect(line!.summary).toMatch(/节点 local/);
    expect([JSON.stringify(line).includes(KEY), JSON.stringify(line).includes(panel.get(CallingKeys).of(node))]).toEqual([false, false]);
  });
});

describe('the page', () => {
  it('shows address, server and where to enter each, warns of disabled features, and contains no key', async () => {
    const page = await (await panel.adminFetch('/admin/connect-shop', { headers: { 'Accept-Language': 'en' } })).text();
    for (const text of [`${panel.url}/api/api.php`, 'value="local"', 'svc_keye', 'Access hash', 'IDCsmart']) expect(page).toContain(text);
    expect([page.includes(KEY), page.includes(panel.get(CallingKeys).of(node))]).toEqual([false, false]);
    await panel.get(SiteSettings).change({ apiOpen: false });
    await nodes().update({ code: 'local' }, { enabled: false });
    const off = await (await panel.adminFetch('/admin/connect-shop', { headers: { 'Accept-Language': 'en' } })).text();
    expect(off).toContain('The provisioning API is disabled');
    expect(off).toContain('The server local is disabled');
  });

  it('and its test cover only servers the administrator may see', async () => {
    const { data } = await panel.admin('jsbc', { name: 'Shops', qx: 'djcs', xz: 'true', nodes: String(node.id) });
    await panel.admin('addadmin', { user: 'shopper', pass: 'helper-pass-1', js_id: String(data.id) });
    await nodes().insert({ ...node, id: undefined, code: 'hidden1', codeKey: 'hidden1' });
    const hidden = await nodes().findOneByOrFail({ code: 'hidden1' });
    const client = await new PanelClient(panel.url).login('admin', 'shopper', 'helper-pass-1');
    const page = await client.send(`/admin/connect-shop?server=${hidden.id}`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.text.includes('hidden1'), page.text.includes('data-ajax="btmyck"')]).toEqual([200, false, false]);
    const answer = async (id: number) => (await client.ajax('admin', { gn: 'djcs', id: String(id) })).json;
    expect(await answer(hidden.id)).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await answer(node.id)).toMatchObject({ success: true });
  });
});
