import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { PanelClient } from '../support/panel-client.js';
import { TestShop, NODE_KEY } from '../support/provisioning.js';
import { tidyHtml } from '../support/tidy-html.js';

const PASSWORD = 'svc-panel-admin';
type Answer = Record<string, unknown> & { code: string };

let shop: TestShop;
let node: string;
beforeAll(async () => {
  shop = await TestShop.start({ API_KEY: 'x'.repeat(48) });
  const rows = (await shop.panel.admin('listbt')).rows as unknown as Record<string, string>[];
  node = rows.find(({ btdh }) => btdh === 'bh1')!.id!;
});
afterAll(() => shop.panel.close());

const admin = async (gn: string, fields: Record<string, string> = {}) => (await shop.panel.admin(gn, fields)) as unknown as Answer;
const logged = async (category: string) =>
  (await shop.panel.get(Database).repository(OperationLog).findBy({ category })).map(({ summary }) => summary);
const connects = async (fields: Record<string, string>) => (await shop.call('cfif', fields)).success;

describe('W6 the API key', () => {
  it('is shown in exchange for the password, which is logged without the key', async () => {
    expect(await admin('apimyck', { ypass: 'wrong' })).toMatchObject({
      success: false,
      fields: { ypass: '密码不正确，请输入您当前的后台密码' },
    });
    expect(await admin('apimyck')).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await logged('apimyck')).toEqual([]);
    expect(await admin('apimyck', { ypass: PASSWORD })).toMatchObject({ success: true, apikey: 'API' });
    expect(await logged('apimyck')).toEqual(['查看 API 密钥']);
    expect(await new PanelClient(shop.panel.url).ajax('admin', { gn: 'apimyck', ypass: PASSWORD })).toMatchObject({
      json: { code: '请登陆后台' },
    });
  });

  it('is renewed: the old one ends, the new one works, and neither is logged', async () => {
    expect(await admin('apimygx', { ypass: 'wrong' })).toMatchObject({ success: false });
    expect(await connects({})).toBe(true);
    const { apikey } = await admin('apimygx', { ypass: PASSWORD });
    expect(apikey).toMatch(/^[0-9a-f]{48}$/);
    expect([await connects({}), await connects({ svc_key: String(apikey) })]).toEqual([false, true]);
    expect(JSON.stringify(await shop.panel.get(Database).repository(OperationLog).find())).not.toContain(apikey);
    await admin('setapi', { apikey: 'k'.repeat(128) });
    expect(await connects({ svc_key: 'k'.repeat(128) })).toBe(true);
    expect(await admin('setapi', { apikey: 'k'.repeat(129) })).toMatchObject({ success: false, fields: { apikey: expect.any(String) } });
  });

  it('has a page that accepts 128 characters, never contains the key, and names callers', async () => {
    await shop.call('kt', { svc_key: 'k'.repeat(128), password: 'secret-1' });
    const html = tidyHtml(await (await shop.panel.adminFetch('/admin/settings?tab=api')).text());
    expect(html).toMatch(/name="apikey"[^>]* maxlength="128"/);
    expect(html).not.toContain('kkkkkkkk');
    expect(html).toMatch(/<li><code>127\.0\.0\.1<\/code><\/li>/);
    for (const gn of ['apimyck', 'apimygx']) expect(html).toContain(`data-ajax="${gn}"`);
  });
});

describe('W6 the calling key of a server', () => {
  it('is shown, which is logged, and renewed with time for the modules to follow', async () => {
    expect(await admin('btmyck', { id: node })).toMatchObject({ success: true, bh: 'bh1', dymy: NODE_KEY, jmsj: '' });
    expect(await logged('btmyck')).toEqual(['查看节点 bh1 的调用密钥']);
    const renewed = await admin('btmygx', { id: node, xs: '24' });
    expect(await admin('btmyck', { id: node })).toMatchObject({ dymy: renewed.dymy, jmsj: renewed.jmsj });
    expect(renewed.dymy).not.toBe(NODE_KEY);
    expect(await admin('btmyck', { id: '9999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
  });

  it('has a page in the menu, without the key', async () => {
    expect(await (await shop.panel.adminFetch('/admin/')).text()).toContain('href="/admin/servers"');
    const page = await shop.panel.adminFetch('/admin/servers');
    const html = await page.text();
    expect(page.status).toBe(200);
    for (const gn of ['btmyck', 'btmygx', 'btmyjs', 'btztjc', 'addbt', 'xgjl', 'btsc']) expect(html).toContain(`data-ajax="${gn}"`);
    expect(html).not.toMatch(/[0-9a-f]{32}/);
    expect((await shop.panel.fetch('/admin/servers')).status).toBe(302);
  });
});
