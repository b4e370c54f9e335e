import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { ExpirySweep, HostingService } from '../../src/hosting/index.js';
import { Orders } from '../../src/payment/index.js';
import { SiteSettings } from '../../src/site/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient } from '../support/panel-client.js';

const PASSWORD = 'secret-pass-1';
let place: TestPlace;
let panel: Panel;
let hosting: HostingService;
beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off' });
  panel = await startPanel(place.config);
  hosting = panel.app.get(HostingService);
});
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

const open = async (user: string, expiresOn: string | null = null) =>
  (await hosting.provision({ node: 'local', user, password: PASSWORD, expiresOn }, 'admin')).id;
const browser = () => new PanelClient(panel.url);
const signIn = (client: PanelClient, user: string, locale = 'zh-CN') =>
  client.ajax('user', { gn: 'login', user, pass: PASSWORD }, { 'accept-language': locale });
const page = async (client: PanelClient, path = '/user/') => (await client.send(path, { headers: { 'accept-language': 'en' } })).text;
const settings = () => panel.app.get(SiteSettings);

describe('U7 expired customers', () => {
  it('can sign in, see since when and what to do next, and reach orders and password', async () => {
    await open('expired1', '2020-01-31');
    await settings().change({ contact: '10001' });
    // Before the sweep has paused it, and afterwards.
    for (let round = 0; round < 2; round += 1) {
      const client = browser();
      expect((await signIn(client, 'expired1')).json).toMatchObject({ success: true });
      for (const path of ['/user/', '/user/orders', '/user/password', '/user/sessions']) {
        const html = await page(client, path);
        expect([path, html.includes('id="banner-host-paused"')]).toEqual([path, true]);
        expect(html).toContain('Your host expired on 2020-01-31');
        expect(html).toContain('To renew it, contact 10001.');
        expect(html).toContain('href="/user/orders"');
        expect(html).not.toMatch(/refresh the page/i);
      }
      expect(await page(client)).toMatch(/badge[^>]*>Expired</);
      expect((await client.ajax('user', { gn: 'listdd' })).json).toHaveProperty('rows');
      if (round === 0) await panel.app.get(ExpirySweep).run();
    }
  });

  it('are shown as expired in the list immediately, unless also paused for another reason; the wire is unchanged', async () => {
    const listed = async () => {
      const admin = browser();
      await admin.ajax('admin', { gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
      const { json } = await admin.ajax('admin', { gn: 'listzj', limit: '100' });
      const rows = json.rows as unknown as Record<string, string>[];
      return rows
        .filter(({ user }) => user!.startsWith('listed'))
        .map(({ user, qk, zjzt, status }) => [user, qk, zjzt, status])
        .sort();
    };
    await open('listed1', '2020-01-31');
    await open('listed2', '2999-01-31');
    await hosting.pause(await open('listed3', '2020-01-31'), 'admin', 'admin');
    const others = [
      ['listed2', 'true', 'active', 'active'],
      ['listed3', 'false', 'paused', 'paused'],
    ];
    expect(await listed()).toEqual([['listed1', 'true', 'active', 'expired'], ...others]);
    await panel.app.get(ExpirySweep).run();
    expect(await listed()).toEqual([['listed1', 'false', 'paused', 'expired'], ...others]);
  });

  it('see how many of their orders are unpaid, each linked to its pay page', async () => {
    const [id, other] = [await open('debtor', '2020-01-31'), await open('neighbour', '2020-01-31')];
    const orders = panel.app.get(Orders);
    const order = (owner: number, name: string) =>
      orders.create({ user: 'debtor', owner: { account: owner }, scene: 'test_scene', name, amount: 990, type: '' });
    const [open1, open2, closed] = [await order(id, 'First'), await order(id, 'Second'), await order(id, 'Closed')];
    await orders.close(closed.id);
    const foreign = await order(other, 'Foreign');
    const client = browser();
    await signIn(client, 'debtor');
    expect(await page(client)).toContain('You have 2 unpaid orders. Pay them under My orders.');
    const list = (await page(client, '/user/orders')).replaceAll('&amp;', '&');
    for (const { number, accessKey } of [open1, open2]) expect(list).toContain(`href="/pay/order/${number}?k=${accessKey}"`);
    for (const { accessKey } of [closed, foreign]) expect(list).not.toContain(accessKey);
    const { text, json } = await client.ajax('user', { gn: 'listdd' });
    const rows = json.rows as unknown as { name: string; pay_path: string | null }[];
    expect(rows.map(({ name, pay_path: path }) => [name, path])).toEqual([
      ['Closed', null],
      ['Second', `/pay/order/${open2.number}?k=${open2.accessKey}`],
      ['First', `/pay/order/${open1.number}?k=${open1.accessKey}`],
    ]);
    for (const { accessKey } of [closed, foreign]) expect(text).not.toContain(accessKey);
    const pay = await client.send(rows[1]!.pay_path!);
    expect([pay.status, pay.text.includes('Second')]).toEqual([200, true]);
    const button = async () => /id="banner-host-paused"[\s\S]*?href="([^"]+)"/.exec(await page(client))?.[1]?.replaceAll('&amp;', '&');
    expect(await button()).toBe('/user/orders');
    await orders.close(open1.id);
    // With one left there is no choice.
    expect(await button()).toBe(`/pay/order/${open2.number}?k=${open2.accessKey}`);
    await orders.close(open2.id);
    expect(await button()).toBe('/user/orders');
    expect(await page(client)).not.toContain('unpaid orders');
  });

  it('keep their session when the host expires or exceeds its quota while they are signed in', async () => {
    const id = await open('livehost');
    const client = browser();
    await signIn(client, 'livehost');
    expect(await page(client)).not.toContain('banner-host-paused');
    await hosting.renew(id, '2020-02-01', 'admin');
    await panel.app.get(ExpirySweep).run();
    expect((await hosting.get(id))!.pauseReasons).toEqual(['expiry']);
    expect(await page(client)).toContain('Your host expired on 2020-02-01');
    await hosting.renew(id, null, 'admin');
    expect(await page(client)).not.toContain('banner-host-paused');
    await hosting.pause(id, 'quota', 'cron');
    expect(await page(client)).toContain('Your host uses more than its plan allows');
  });

  it.each([
    ['admin', '您已被禁止登录！详细请联系站长QQ10001', 'paused by the site owner. For details, contact: QQ10001'],
    ['api', '您已被禁止登录！详细请联系站长QQ10001', 'paused by the site owner. For details, contact: QQ10001'],
    [
      'scan',
      '您的主机因扫描到违规内容已被暂停，您已被禁止登录！详细请联系站长QQ10001',
      'because a scan found prohibited content. Contact the site owner: QQ10001',
    ],
  ])(
    'are locked out by a pause of the reseller or a scan (%s), which ends their session and says how to reach the reseller',
    async (reason, zh, en) => {
      const user = `shut${reason}`;
      const id = await open(user, '2020-03-01');
      await panel.app.get(ExpirySweep).run();
      const client = browser();
      await signIn(client, user);
      await hosting.pause(id, reason, 'admin');
      expect((await client.send('/user/')).headers.get('location')).toMatch(/^\/user\/login/);
      expect((await signIn(browser(), user)).json).toMatchObject({ success: false, err: 'E_FORBIDDEN', code: zh });
      expect((await signIn(browser(), user, 'en')).json.code).toContain(en);
      // Only those who know the password are told.
      expect((await browser().ajax('user', { gn: 'login', user, pass: 'wrong' })).json).toMatchObject({ code: '用户不存在或密码错误！' });
      await hosting.unpause(id, reason, 'admin');
      expect((await client.send('/user/')).headers.get('location')).toMatch(/^\/user\/login/);
    },
  );

  it('are told whom to ask when the reseller has entered no contact', async () => {
    await settings().change({ contact: '' });
    const id = await open('nocontact', '2020-01-31');
    const client = browser();
    await signIn(client, 'nocontact');
    expect(await page(client)).toContain('contact your provider');
    await hosting.pause(id, 'admin', 'admin');
    expect((await signIn(browser(), 'nocontact')).json).toMatchObject({ code: '您已被禁止登录！详细请联系站长。' });
  });
});
