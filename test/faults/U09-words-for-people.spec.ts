import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LOCALES, operationNameKey, translate } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { CallingKeys, HostingNode } from '../../src/hosting/index.js';
import { OperationLog, OperationRegistry } from '../../src/operations/index.js';
import { Orders } from '../../src/payment/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';

let panel: TestPanel;
let zh: PanelClient;
let en: PanelClient;
beforeAll(async () => {
  panel = await TestPanel.start();
  zh = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
  en = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
  zh.cookies.set('lang', 'zh-CN');
  en.cookies.set('lang', 'en');
});
afterAll(() => panel.close());

const rows = async (client: PanelClient, gn: string) => (await client.ajax('admin', { gn })).json.rows as Record<string, string>[];

describe('U9 the operation log', () => {
  it('has words for every operation that writes a line, in both languages', () => {
    const audited = panel
      .get(OperationRegistry)
      .all()
      .filter(({ owner, audit }) => owner === 'core' && audit !== null);
    expect(audited.length).toBeGreaterThan(40);
    for (const kind of [...audited.map(({ name }) => name), '登陆', '支付回调', 'api.php']) {
      for (const locale of LOCALES) {
        const key = operationNameKey(kind)!;
        expect([kind, key]).toEqual([kind, expect.stringMatching(/\.operation\./)]);
        const words = translate(locale, key);
        expect([kind, locale, words]).not.toEqual([kind, locale, key]);
        if (locale === 'en') expect([kind, words]).toEqual([kind, expect.not.stringMatching(/\p{Script=Han}/u)]);
      }
    }
  });

  it('is shown in the reader’s language, whoever wrote it', async () => {
    await zh.ajax('admin', { gn: 'addzj', btdh: 'local', user: 'alice01', pass: 'secret-1' });
    const [chinese] = await rows(zh, 'listlog');
    const [english] = await rows(en, 'listlog');
    expect([chinese!.lx, chinese!.lxmc, chinese!.lr]).toEqual(['addzj', '添加主机', '在节点 local 添加主机 alice01']);
    expect([english!.lx, english!.lxmc]).toEqual(['addzj', 'Add account']);
    expect(english!.lr).toContain('alice01');
    expect(english!.lr).not.toMatch(/\p{Script=Han}/u);
    const signIn = (await rows(en, 'listlog')).find(({ lx }) => lx === '登陆')!;
    expect([signIn.lxmc, signIn.lr]).toEqual(['Sign-in', 'Signed in to the admin panel']);
  });

  it('distinguishes a rejected sign-in from an administrator’s actions, in the reader’s language', async () => {
    await new PanelClient(panel.url).ajax('admin', { gn: 'login', user: 'admin」 登陆 ok 「', pass: 'wrong' });
    const [chinese] = await rows(zh, 'listlog');
    const [english] = await rows(en, 'listlog');
    expect(chinese).toMatchObject({
      czuser: 'callback:login',
      ly: 'login',
      lx: '登陆',
      lr: expect.stringMatching(/^有人登录后台未成功，输入的账号为「admin +登陆 ok *」$/),
      qk: expect.stringMatching(/\p{Script=Han}/u),
    });
    expect(english).toMatchObject({
      czuser: 'callback:login',
      lr: expect.stringMatching(/^Failed sign-in to the admin panel.*「admin +登陆 ok *」$/),
      qk: 'The username or password is wrong.',
    });
  });

  it('counts in words', () => {
    const said = (n: number) => translate('en', 'hosting.node_in_use', { n, code: 'local' });
    expect([said(1), said(2)]).toEqual([expect.stringContaining('has a host and'), expect.stringContaining('has 2 hosts and')]);
    const wait = (seconds: number) => translate('en', 'auth.too_many_tries', { seconds });
    expect([wait(1), wait(2)]).toEqual(['Too many attempts. Try again in 1 second.', 'Too many attempts. Try again in 2 seconds.']);
  });

  it('shows the changes of a host and the response to a shop in the reader’s language', async () => {
    await zh.ajax('admin', { gn: 'zjxgjl', id: '1', webkj: '20', datar: '2040-01-31' });
    expect((await rows(zh, 'listlog'))[0]!.lr).toBe('修改主机 alice01：配额、到期时间');
    expect((await rows(en, 'listlog'))[0]!.lr).toBe('Changed host alice01: limits, expiry date');
    await en.ajax('admin', { gn: 'zjzt', id: '1' });
    await panel.admin('setapi', { apiqk: 'true' });
    const site = panel.get(SiteSettings).current;
    const node = await panel.get(Database).repository(HostingNode).findOneByOrFail({ code: 'local' });
    const shop = { svc_vs: '20', svc_bh: 'local', svc_key: site.api, svc_keye: panel.get(CallingKeys).of(node), username: 'alice01' };
    const answer = (await (
      await panel.fetch('/api/api.php', { method: 'POST', body: new URLSearchParams({ ...shop, gn: 'jc' }) })
    ).json()) as { msg: string };
    expect((await rows(zh, 'listlog'))[0]).toMatchObject({ lx: 'api.php', lr: 'jc alice01 (local)', qk: answer.msg });
    const [english] = await rows(en, 'listlog');
    expect(english).toMatchObject({ lxmc: 'Provisioning API', lr: 'jc alice01 (local)' });
    expect(english!.qk).toContain('other reasons: paused by the administrator');
    expect(english!.qk).not.toMatch(/\p{Script=Han}/u);
  });

  it("keeps earlier lines as they were, and names a plugin's own kind", async () => {
    const log = panel.get(Database).repository(OperationLog);
    await log.insert({
      actor: 'admin',
      createdAt: new Date(),
      category: 'p_domain_add',
      plugin: 'domain',
      summary: '旧的一行',
      ip: '',
      outcome: 'ok',
    });
    expect((await rows(en, 'listlog'))[0]).toMatchObject({ lx: 'p_domain_add', lxmc: 'Plugin domain', lr: '旧的一行' });
  });

  it('can be searched as it was written', async () => {
    const found = (await en.ajax('admin', { gn: 'listlog', where: JSON.stringify({ name: 'lr', type: '2', value: '添加主机 alice01' }) }))
      .json;
    expect(found.total).toBe(1);
  });
});

describe('U9 names instead of keys', () => {
  it('of payment methods in lists of orders', async () => {
    await panel.enable('sandbox');
    await panel.get(Orders).create({ user: 'x', scene: 'test_scene', name: 'Thing', amount: 100, type: 'sandbox__test' });
    await panel.get(Orders).create({ user: 'x', scene: 'test_scene', name: 'Thing', amount: 100, type: 'gone__method' });
    const [gone, sandbox] = await rows(en, 'listdd');
    expect(sandbox).toMatchObject({ ff: 'sandbox__test', ffmc: 'Sandbox (no real money)' });
    expect(gone).toMatchObject({ ff: 'gone__method', ffmc: 'gone__method' });
    const page = await (await panel.adminFetch('/admin/orders')).text();
    expect([page.includes('沙箱支付（不收费）'), page.includes('sandbox__test')]).toEqual([true, false]);
  });

  it("the owner's contact says QQ once", async () => {
    const said = async (qq: string) => {
      await panel.admin('setwz', { qq });
      await panel.admin('setkzmb', { kg: 'false' });
      const { json } = await new PanelClient(panel.url).ajax('user', { gn: 'zjxx' });
      await panel.admin('setkzmb', { kg: 'true' });
      return json.code;
    };
    expect(await said('10001')).toBe('控制面板已经关闭！详细请联系站长QQ10001');
    expect(await said('QQ 10001')).toBe('控制面板已经关闭！详细请联系站长QQ 10001');
    expect(await said('help@example.com')).toBe('控制面板已经关闭！详细请联系站长help@example.com');
  });

  it('登录 everywhere except in what programs compare, and one word each for agent and server', async () => {
    expect((await new PanelClient(panel.url).ajax('admin', { gn: 'zjxx' })).json).toEqual({ code: '请登陆后台' });
    for (const path of ['/admin/agents', '/admin/scans', '/admin/servers', '/admin/hosts', '/admin/log']) {
      const [chinese, english] = [(await zh.send(path)).text, (await en.send(path)).text];
      expect([path, /监控节点|被控端|登陆/.exec(chinese.replace(/<!--|「[^」]*」/g, ''))?.[0]]).toEqual([path, undefined]);
      const visible = english.replace(/<script[\s\S]*?<\/script>|<[^>]*>/g, ' ');
      expect([path, /\bnodes?\b/i.exec(visible)?.[0]]).toEqual([path, undefined]);
    }
    expect((await zh.send('/admin/')).text).toContain('节点程序');
  });
});
