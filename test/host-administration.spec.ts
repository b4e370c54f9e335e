import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { RateLimit, Session } from '../src/auth/index.js';
import { startPanel, type Panel } from './support/start-panel.js';
import { SiteConfig } from '../src/site/entities/index.js';
import { CallingKeys, DriverNodes, HostingAccount, HostingNode, HostingService } from '../src/hosting/index.js';
import { OperationLog } from '../src/operations/index.js';
import { SiteSettings } from '../src/site/index.js';
import { createMigratedPlace, type TestPlace } from './support/database.js';
import { PanelClient } from './support/panel-client.js';

const ADMIN_PASSWORD = 'planted-admin-pass';
const PASSWORD = 'planted-host-pass';
const API_KEY = 'planted-api-key-0123456789';

let place: TestPlace;
let panel: Panel;
let admin: PanelClient;
let alice: number;
let bob: number;

beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'fixed:abcd', ADMIN_PASSWORD, API_KEY, TRUST_PROXY: '127.0.0.1' });
  panel = await startPanel(place.config);
  await panel.app.get(SiteSettings, { strict: false }).change({ adminCaptcha: false, userCaptcha: false });
  admin = await new PanelClient(panel.url).login('admin', 'admin', ADMIN_PASSWORD);
});
afterAll(async () => {
  await panel?.close();
  await place?.dispose();
});
beforeEach(async () => {
  await panel.database.repository(RateLimit).clear();
  const hosting = panel.app.get(HostingService);
  for (const user of ['alice001', 'bob00001']) {
    const present = await hosting.get(user);
    if (present) await hosting.terminate(present.id, 'admin');
  }
  const open = async (user: string) => (await hosting.provision({ node: 'local', user, password: PASSWORD, expiresOn: null }, 'admin')).id;
  alice = await open('alice001');
  bob = await open('bob00001');
});

const ask = async (gn: string, fields: Record<string, string> = {}) => (await admin.ajax('admin', { gn, ...fields })).json;
const signedIn = (user = 'alice001', pass = PASSWORD) => new PanelClient(panel.url).login('user', user, pass);
const isIn = async (client: PanelClient) => (await client.ajax('user', { gn: 'zjxx' })).json.success === true;
const lines = async (category: string) =>
  (await panel.database.repository(OperationLog).find({ where: { category }, order: { id: 'ASC' } })).map(({ summary }) => summary);

/** Operations of this feature, and fields that would have an effect. */
const HOST_OPERATIONS = ['zjsj', 'zjxgjl', 'zjsc', 'zjscxz', 'zjpl', 'zjzt', 'zjjc', 'zjxf', 'zjczmm', 'zjmode', 'zjdl'];
const NODE_OPERATIONS = [
  'listbt',
  'addbt',
  'btsj',
  'xgjl',
  'btsc',
  'btztjc',
  'btmygx',
  'btmyjs',
  'list_node_php',
  'auto_detect_node_php',
  'set_node_php',
];

describe('policy', () => {
  it('no administrator operation serves a user or exists on the user side', async () => {
    const user = await signedIn();
    const fields = {
      id: String(bob),
      idsz: `${bob},`,
      pass: 'stolen-pass',
      datae: '0',
      kg: 'false',
      bh: 'stolen',
      btid: '1',
      btdh: 'local',
    };
    for (const gn of [...HOST_OPERATIONS, ...NODE_OPERATIONS]) {
      expect([gn, (await user.ajax('admin', { gn, ...fields })).text]).toEqual([gn, '{"code":"请登陆后台"}']);
      expect([gn, (await user.ajax('user', { gn, ...fields })).json]).toEqual([
        gn,
        expect.objectContaining({ success: false, code: '请求错误！' }),
      ]);
    }
    expect(await ask('zjsj', { id: String(bob) })).toMatchObject({ success: true, user: 'bob00001', qk: 1 });
  });

  it("a user's own operations serve the own host, whatever id is sent", async () => {
    const user = await signedIn();
    const others = { id: String(bob), user: 'bob00001', username: 'bob00001', zjid: String(bob) };
    expect((await user.ajax('user', { gn: 'zjxx', ...others })).json).toMatchObject({ user: 'alice001' });
    expect((await user.ajax('user', { gn: 'indexconf', ...others })).json).toMatchObject({
      msg: { config: { ftp: { user: 'alice001' } } },
    });
    const rows = panel.database.repository(HostingAccount);
    await rows.update({ id: bob }, { webUsedBytes: 7 });
    expect((await user.ajax('user', { gn: 'sxsyxx', ...others })).json).toMatchObject({ success: true, code: '刷新成功！' });
    expect((await rows.findOneByOrFail({ id: alice })).webUsedBytes).toBeGreaterThan(100);
    expect((await rows.findOneByOrFail({ id: bob })).webUsedBytes).toBe(7);
    await user.ajax('user', { gn: 'xgpass', yp: PASSWORD, pass: 'next-password', ...others });
    expect(await isIn(await signedIn('bob00001'))).toBe(true);
  });

  it('invalid input is reported at its fields', async () => {
    expect(await ask('zjsj', { id: 'x' })).toMatchObject({ success: false, err: 'E_ARGS', fields: { id: expect.any(String) } });
    expect(await ask('zjczmm', { id: String(alice), pass: '123' })).toMatchObject({ err: 'E_ARGS', fields: { pass: '至少 6 个字符' } });
    expect(await ask('zjxgjl', { id: String(alice), webkj: '-1', kg: 'maybe' })).toMatchObject({
      fields: { webkj: expect.any(String), kg: expect.any(String) },
    });
    expect(await ask('addbt', { bh: 'no spaces', ip: 'http://x/', dk: '70000', btos: '3' })).toMatchObject({
      fields: {
        bh: expect.stringContaining('节点编号'),
        ip: expect.stringContaining('域名'),
        dk: expect.any(String),
        btos: expect.any(String),
      },
    });
    expect((await ask('addbt', { bh: 'a/b' })).msg).toMatch(/开头。请修改后重试。$/);
    expect(await ask('zjscxz', { idsz: '' })).toMatchObject({ fields: { idsz: '请至少选择一个主机。' } });
    for (const gn of HOST_OPERATIONS) expect([gn, (await ask(gn)).success]).toEqual([gn, false]);
  });

  it('nothing sent as an id, a date or a list reaches the database as SQL', async () => {
    const nasty = [
      "1'",
      '1;DROP TABLE SVC_zj',
      '(SELECT 1)',
      '1 OR 1=1',
      '1e1',
      '0x1',
      '-1',
      '99999999999999999999',
      '__proto__',
      '[1]',
      '{"a":1}',
      '\u0000',
      '１',
    ];
    for (const value of nasty) {
      for (const gn of [...HOST_OPERATIONS, ...NODE_OPERATIONS].filter((name) => name !== 'zjscxz' && name !== 'addbt')) {
        const { status, text } = await admin.ajax('admin', {
          gn,
          id: value,
          btid: value,
          btdh: value,
          pass: 'secret-1',
          datae: value,
          version: value,
          sort: value,
          sortOrder: value,
          where: value,
          ss: value,
        });
        expect([gn, value, status]).toEqual([gn, value, 200]);
        expect(text).not.toMatch(/SQLITE_|ER_[A-Z]+|syntax error/);
      }
    }
    expect(await panel.database.repository(HostingAccount).count()).toBe(2);
    expect(await panel.database.repository(HostingNode).count()).toBe(1);
  });
});

describe('an administrator', () => {
  it('changes, stops and deletes hosts; the log names them', async () => {
    expect(await ask('zjxgjl', { id: String(alice), webkj: '300', datar: '2040-01-02', kg: 'false' })).toMatchObject({
      code: '修改成功',
      datae: '2040-01-02',
      ztyy: 'admin',
      zjzt: 'paused',
    });
    expect(await ask('zjjc', { id: String(alice) })).toMatchObject({ code: '主机暂停解除成功！', qk: 1, zjzt: 'active' });
    expect(await ask('zjsc', { id: String(alice) })).toMatchObject({ success: true, code: '删除成功' });
    expect(await ask('zjsc', { id: String(alice) })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    const answer = await admin.send('/admin/ajax.php', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `gn=zjscxz&idsz[]=${bob}&idsz[]=999`,
    });
    expect(answer.json).toMatchObject({ success: true, code: 1, codr: 1 });
    expect((await lines('zjxgjl')).at(-1)).toBe('修改主机 alice001：配额、到期时间、运行状态');
    expect((await lines('zjsc')).at(-1)).toBe('删除主机 alice001');
    expect((await lines('zjscxz')).at(-1)).toBe('批量删除主机：成功 1 个（bob00001），失败 1 个');
    // Calls without an effect are not logged.
    expect(await ask('zjscxz', { idsz: '998,999,' })).toMatchObject({ success: false, qk: 4, code: 0, codr: 2 });
    expect(await ask('set_node_php', { btdh: 'local', version: '' })).toMatchObject({ success: false, qk: 0 });
    expect([(await lines('zjscxz')).length, (await lines('set_node_php')).length]).toEqual([1, 0]);
    expect((await admin.ajax('admin', { gn: 'zjsc', id: String(alice) }, { 'accept-language': 'en' })).json.code).toBe(
      'No hosting account with this name exists.',
    );
  });

  it('causes no secret in any response, log line or row', async () => {
    const secrets = ['planted-', 'planted-new-pass', 'sealed:1:'];
    const nodes = panel.database.repository(HostingNode);
    const keys = panel.app.get(DriverNodes);
    await nodes.update({ code: 'local' }, { sealedPanelKey: keys.sealKey('planted-panel-key') });
    const { id, openKey, signatureKey } = await nodes.findOneByOrFail({ code: 'local' });
    const heard: string[] = [];
    const hear = async (gn: string, fields: Record<string, string>) => heard.push((await admin.ajax('admin', { gn, ...fields })).text);
    for (const gn of ['zjsj', 'zjzt', 'zjjc', 'zjmode', 'zjxf']) await hear(gn, { id: String(alice), ll: '5', datae: '0' });
    await hear('zjczmm', { id: String(alice), pass: 'planted-new-pass' });
    await hear('zjxgjl', { id: String(alice), pass: 'planted-new-pass-2', sqlpass: 'planted-sql' });
    await hear('xgjl', { id: String(id), key: 'planted-panel-key-2' });
    await hear('addbt', { bh: 'nope', driver: 'baota', key: 'planted-panel-key-3' });
    for (const gn of ['btsj', 'btztjc', 'btmygx', 'listbt', 'btmyjs', 'btsc']) await hear(gn, { id: String(id), btid: String(id) });
    await hear('setapi', { apiip: '' });
    const link = (await ask('zjdl', { id: String(alice) })).url as string;
    const rows = await nodes.findOneByOrFail({ id });
    expect(keys.openKey(rows.sealedPanelKey)).toBe('planted-panel-key-2');
    const log = JSON.stringify(await panel.database.repository(OperationLog).find());
    const hashes = (await panel.database.repository(HostingAccount).find()).map(({ passwordHash }) => passwordHash);
    for (const secret of [...secrets, openKey, signatureKey, rows.openKey, rows.signatureKey, ...hashes]) {
      for (const text of [...heard, log]) expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    expect(log).not.toContain(link.split('t=')[1]!);
    await nodes.update({ id }, { sealedPanelKey: '' });
  });

  it('sets who may call the API, and invalid addresses are named', async () => {
    const settings = panel.database.repository(SiteConfig);
    expect(await ask('setapi', { apiip: '192.0.2.1, 2001:db8::/32\nnonsense 1.2.3.4/33' })).toMatchObject({
      success: false,
      fields: { apiip: expect.stringContaining('nonsense, 1.2.3.4/33') },
    });
    expect((await settings.findOneByOrFail({ id: 1 })).apiAllow).toBeNull();
    expect(await ask('setapi', { apiip: '192.0.2.1, 2001:db8::/32' })).toMatchObject({ success: true });
    expect((await settings.findOneByOrFail({ id: 1 })).apiAllow).toBe('192.0.2.1\n2001:db8::/32');
    const node = await panel.database.repository(HostingNode).findOneByOrFail({ code: 'local' });
    const form = { svc_bh: 'local', svc_key: API_KEY, svc_keye: panel.app.get(CallingKeys).of(node), svc_vs: '15', username: 'test' };
    const call = async (headers: Record<string, string>) =>
      (await new PanelClient(panel.url).send('/api/api.php?gn=cfif', { method: 'POST', body: new URLSearchParams(form), headers })).json;
    // The test's own address is a trusted proxy: the address it forwards counts, and no other header does.
    expect(await call({ 'x-forwarded-for': '192.0.2.1' })).toMatchObject({ success: true });
    expect(await call({ 'x-forwarded-for': '192.0.2.1, 198.51.100.1' })).toMatchObject({ success: false });
    const headers: Record<string, string>[] = [
      {},
      { 'cf-connecting-ip': '192.0.2.1' },
      { 'x-real-ip': '192.0.2.1' },
      { 'client-ip': '192.0.2.1' },
      { forwarded: 'for=192.0.2.1' },
    ];
    for (const spoofed of headers)
      expect(await call(spoofed)).toMatchObject({ success: false, msg: '错误！此地址不能调用本接口！请联系管理员。' });
    expect(await ask('setapi', { apiip: Array.from({ length: 201 }, (_, i) => `10.0.${i}.1`).join() })).toMatchObject({
      fields: { apiip: expect.stringContaining('200') },
    });
    expect((await admin.send('/admin/settings?tab=api')).text).toContain('192.0.2.1\n2001:db8::/32</textarea>');
    expect(await ask('setapi', { apiqk: 'true' })).toMatchObject({ success: true });
    expect((await settings.findOneByOrFail({ id: 1 })).apiAllow).not.toBeNull();
    expect(await ask('setapi', { apiip: ' ' })).toMatchObject({ success: true });
    expect(await call({})).toMatchObject({ success: true });
  });
});

describe('the own host', () => {
  it('is described as older themes read it, without a password', async () => {
    await panel.app.get(SiteSettings, { strict: false }).change({ notice: '<b>hello</b><script>alert(1)</script>' });
    const answer = await (await signedIn()).ajax('user', { gn: 'indexconf' });
    expect(answer.json).toEqual({
      success: true,
      qk: 1,
      code: '获取成功！',
      msg: {
        qk: 'true',
        gg: '<b>hello</b>',
        type: '2',
        web: { max: 0, dq: 0 },
        sql: { max: 0, dq: 0 },
        lls: { max: 0, dq: 0, statistics: false, history: {} },
        config: { url: '0', ftp: { host: '', user: 'alice001', pass: '' }, sql: { user: '', pass: '' } },
        php: { dq: '', list: [] },
      },
    });
  });

  it('is measured on request, with a rate limit', async () => {
    const user = await signedIn();
    expect((await user.ajax('user', { gn: 'sxsyxx' })).json).toMatchObject({
      success: true,
      hxa: expect.stringMatching(/"dq":1/),
      measured: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    const refused = await user.ajax('user', { gn: 'sxsyxx' });
    expect([refused.status, refused.json.err]).toEqual([429, 'E_RATE']);
    // The response says in seconds how long to wait.
    expect(refused.json.msg).toMatch(/\b([1-9]|[1-5]\d|60)\b/);
    expect((await (await signedIn('bob00001')).ajax('user', { gn: 'sxsyxx' })).json).toMatchObject({ success: true });
  });

  it("gets a new password by either operation; the caller's session stays, all others end", async () => {
    const [user, other] = [await signedIn(), await signedIn()];
    const change = async (fields: Record<string, string>) => (await user.ajax('user', { gn: 'xgpass', yp: PASSWORD, ...fields })).json;
    expect(await change({ ftp: '', sql: '' })).toMatchObject({ success: false, code: '错误！FTP密码和SQL密码不能全为空！' });
    expect(await change({ ftp: '12345', sql: '' })).toMatchObject({ success: false, code: '错误！FTP密码和数据库密码都不能小于6位！' });
    expect(await change({ ftp: '', sql: 'another-one' })).toMatchObject({ success: false, fields: { sql: expect.any(String) } });
    expect(await change({ yp: 'wrong', ftp: 'next-password' })).toMatchObject({ success: false, code: '原密码错误，请重新输入。' });
    const old = user.cookies.get('user_token')!;
    expect(await change({ ftp: 'next-password', sql: '' })).toMatchObject({ success: true, code: '修改成功' });
    expect([await isIn(user), await isIn(other), user.cookies.get('user_token') === old]).toEqual([true, false, false]);
    const left = new PanelClient(panel.url);
    left.cookies.set('user_token', old);
    expect(await isIn(left)).toBe(false);
    expect(await panel.database.repository(Session).countBy({ scope: 'user', subjectId: alice })).toBe(1);
    await expect(signedIn()).rejects.toThrow();
    expect(await isIn(await signedIn('alice001', 'next-password'))).toBe(true);
  });

  it('is changed once by two new passwords at the same time', async () => {
    const users = [await signedIn(), await signedIn(), await signedIn()];
    const answers = await Promise.all(
      users.map((user, i) => user.ajax('user', { gn: 'xgpass', yp: PASSWORD, pass: `next-password-${i}` })),
    );
    // The others get “wrong old password”, or are already signed out.
    expect(answers.filter(({ json }) => json.success === true)).toHaveLength(1);
    const winner = answers.findIndex(({ json }) => json.success === true);
    expect(await isIn(await signedIn('alice001', `next-password-${winner}`))).toBe(true);
    expect(await isIn(users[winner]!)).toBe(true);
  });
});

describe('one-click login', () => {
  const linkFor = async (id: number) => new URL((await ask('zjdl', { id: String(id) })).url as string);

  it('by a link: once, to the dashboard, replacing the current session', async () => {
    const link = await linkFor(alice);
    expect(link.origin).toBe(new URL(panel.url).origin);
    const visitor = await signedIn('bob00001');
    const before = visitor.cookies.get('user_token')!;
    const path = link.pathname + link.search;
    expect((await visitor.send(path, { method: 'HEAD' })).status).toBe(403);
    const answer = await visitor.send(path, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' } });
    expect([
      answer.status,
      answer.headers.get('location'),
      answer.headers.get('referrer-policy'),
      answer.headers.get('cache-control'),
    ]).toEqual([302, '/user/', 'no-referrer', 'no-store']);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^user_token=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await visitor.ajax('user', { gn: 'zjxx' })).json).toMatchObject({ user: 'alice001' });
    const left = new PanelClient(panel.url);
    left.cookies.set('user_token', before);
    expect(await isIn(left)).toBe(false);
    const again = await new PanelClient(panel.url).send(path);
    expect([again.status, again.headers.getSetCookie(), again.text.includes('已使用过或已失效')]).toEqual([403, [], true]);
    expect((await lines('登陆')).at(-1)).toBe('link');
    expect((await lines('zjdl')).at(-1)).toBe('生成主机 alice001 的一次性登录链接');
  });

  it('by a link used ten times at once: signs in once', async () => {
    const { pathname, search } = await linkFor(alice);
    const answers = await Promise.all(Array.from({ length: 10 }, () => new PanelClient(panel.url).send(pathname + search)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array.from({ length: 9 }, () => 403)]);
  });

  it('by a link: not after a pause, and not while the panel is closed, which does not use it up', async () => {
    const settings = panel.app.get(SiteSettings, { strict: false });
    const { pathname, search } = await linkFor(alice);
    expect(await ask('setkzmb', { kg: 'false' })).toMatchObject({ success: true });
    expect((await new PanelClient(panel.url).send(pathname + search)).status).toBe(503);
    await settings.change({ userPanelOpen: true });
    await ask('zjzt', { id: String(alice) });
    await ask('zjjc', { id: String(alice) });
    expect((await new PanelClient(panel.url).send(pathname + search)).status).toBe(403);
    for (const path of ['/user/dl.php', '/user/dl.php?t=', '/user/dl.php?t=x', '/user/dl.php?t[]=x', `/user/dl.php?t=${'a'.repeat(43)}`])
      expect([path, (await new PanelClient(panel.url).send(path)).status]).toEqual([path, 403]);
    expect((await new PanelClient(panel.url).send('/user/dl.php', { method: 'POST' })).status).toBe(404);
    await ask('zjzt', { id: String(alice) });
    expect(await ask('zjdl', { id: String(alice) })).toMatchObject({ success: false, err: 'E_FORBIDDEN' });
  });

  it('by name and password, in the address or as a form', async () => {
    const query = new URLSearchParams({ gn: 'logine', username: 'alice001', password: PASSWORD });
    const [byAddress, byForm] = [new PanelClient(panel.url), new PanelClient(panel.url)];
    expect((await byAddress.send(`/user/idcdl.php?${query}`)).headers.get('location')).toBe('/user/');
    expect(
      (await byForm.send('/user/idcdl.php', { method: 'POST', body: query, headers: { origin: 'https://shop.example' } })).headers.get(
        'location',
      ),
    ).toBe('/user/');
    expect([await isIn(byAddress), await isIn(byForm)]).toEqual([true, true]);
    const parts = new FormData();
    for (const [name, value] of new URLSearchParams(query)) parts.append(name, value);
    expect((await fetch(`${panel.url}/user/idcdl.php`, { method: 'POST', body: parts, redirect: 'manual' })).status).toBe(302);
    parts.append('file', new Blob(['x']), 'x.txt');
    expect((await fetch(`${panel.url}/user/idcdl.php`, { method: 'POST', body: parts, redirect: 'manual' })).status).toBe(413);
    const wrong = await new PanelClient(panel.url).send('/user/idcdl.php?gn=logine&username=alice001&password=wrong');
    expect([wrong.status, wrong.headers.getSetCookie(), wrong.text.includes('用户名或密码错误！')]).toEqual([403, [], true]);
    expect(wrong.text).not.toContain('wrong');
    expect((await new PanelClient(panel.url).send('/user/idcdl.php?gn=other')).status).toBe(404);
    await ask('zjzt', { id: String(alice) });
    const paused = await new PanelClient(panel.url).send(`/user/idcdl.php?${query}`);
    expect([paused.status, paused.text.includes('您已被禁止登录')]).toEqual([403, true]);
  });

  it('by name and password has the same limits as the login, counted together', async () => {
    const attempt = (password: string) =>
      new PanelClient(panel.url).send(`/user/idcdl.php?gn=logine&username=alice001&password=${password}`);
    for (let i = 0; i < 5; i++) expect((await attempt(`guess-${i}`)).status).toBe(403);
    for (let i = 0; i < 5; i++)
      expect((await new PanelClient(panel.url).ajax('user', { gn: 'login', user: 'alice001', pass: `guess-${i}` })).status).toBe(200);
    const refused = await attempt(PASSWORD);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('by name and password works while users sign in with a captcha', async () => {
    const settings = panel.app.get(SiteSettings, { strict: false });
    expect(await ask('setkzmb', { yzm: 'true' })).toMatchObject({ success: true });
    expect(settings.current).toMatchObject({ userCaptcha: true, userPanelOpen: true });
    const answer = await new PanelClient(panel.url).send(`/user/idcdl.php?gn=logine&username=alice001&password=${PASSWORD}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/user/']);
    const { pathname, search } = await linkFor(alice);
    expect((await new PanelClient(panel.url).send(pathname + search)).status).toBe(302);
    await settings.change({ userCaptcha: false });
  });
});
