import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const ADMIN_REQUIRED = '{"code":"请登陆后台"}';
const USER_REQUIRED = '{"code":"请登陆"}';

let panel: TestPanel;
let userCookie: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser();
  writePlugin(panel.dataDir, 'ops', {
    files: {
      'index.js': functionPlugin(`
        for (const scope of ['admin', 'user']) {
          const name = (end) => 'p_ops_' + end;
          const who = (ctx) => ({ scope: ctx.scope, admin: ctx.admin && ctx.admin.username, user: ctx.user && ctx.user.username });
          svc.svc_register_ajax(scope, name('none'), who);
          svc.svc_register_ajax(scope, name('null'), who, null);
          svc.svc_register_ajax(scope, name('empty'), who, '');
          svc.svc_register_ajax(scope, name('word_none'), who, 'none');
          svc.svc_register_ajax(scope, name('admin'), who, 'admin');
          svc.svc_register_ajax(scope, name('user'), who, 'user');
          svc.svc_register_ajax(scope, name('check'), who, async (ctx) => ctx.headers['x-key'] === 'right');
          svc.svc_register_ajax(scope, name('truthy'), who, () => 1);
        }
        svc.svc_register_ajax('user', 'p_ops_ctx', ({ scope, gn, method, path, params, query, body, rawBody, headers, cookies,
          files, ip, baseUrl, admin, user, plugin, locale, t, nonce }) => ({
          scope, gn, method, path, params, query, body, raw: rawBody.toString(), type: headers['content-type'].split(';')[0],
            cookie: cookies.mine,
          files: files.map((file) => ({ ...file, buffer: file.buffer.toString() })), ip, baseUrl, admin, user, plugin, locale,
            text: t('hello', { name: 'Ann' }), unknown: t('nowhere'), nonce }));
        svc.svc_register_ajax('user', 'p_ops_text', () => '<b>text</b>');
        svc.svc_register_ajax('user', 'p_ops_list', () => [1, { two: 2 }]);
        svc.svc_register_ajax('user', 'p_ops_nothing', () => {});
        svc.svc_register_ajax('user', 'p_ops_number', () => 5);
        svc.svc_register_ajax('user', 'p_ops_circle', () => { const circle = {}; circle.circle = circle; return circle; });
        svc.svc_register_ajax('user', 'p_ops_need_admin', () => { svc.svc_plugin_require_admin(); return { in: true }; });
        svc.svc_register_ajax('user', 'p_ops_need_user', async () => { await null; svc.svc_plugin_require_user(); return { in: true }; });
        svc.svc_register_ajax('user', 'p_ops_auth_check', async () => ({ none: await svc.svc_plugin_auth_check(null),
          admin: await svc.svc_plugin_auth_check('admin'), user: await svc.svc_plugin_auth_check('user'),
          odd: await svc.svc_plugin_auth_check('root'), own: await svc.svc_plugin_auth_check((ctx) => ctx.gn === 'p_ops_auth_check') }));
        for (const auth of ['admin', 'user']) svc.svc_register_ajax('user', 'p_ops_fail_' + auth, () => {
          svc.svc_plugin_auth_fail(auth); });
        svc.svc_register_ajax('user', 'p_ops_fail_check', () => { svc.svc_plugin_auth_fail(() => false); });
        const undo = svc.svc_register_ajax('user', 'p_ops_undone', () => ({}));
        undo(); undo();
      `),
      'lang/en.json': '{ "hello": "Hello {name}" }',
      'lang/zh-CN.json': '{ "hello": "你好 {name}" }',
    },
  });
  await panel.enable('ops');
});
afterAll(() => panel.close());

function post(
  side: 'admin' | 'user',
  gn: string,
  headers: Record<string, string> = {},
  fields: Record<string, string> = {},
): Promise<Response> {
  return panel.fetch(`/${side}/ajax.php`, { method: 'POST', headers, body: new URLSearchParams({ gn, ...fields }) });
}

describe.each(['admin', 'user'] as const)('operations of plugins on the %s side', (side) => {
  it.each(['none', 'null', 'empty', 'word_none'])('are public if auth says so (%s)', async (name) => {
    const response = await post(side, `p_ops_${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(await response.json()).toEqual({ scope: side, admin: null, user: null });
  });

  it('answer signed-out callers with exactly the fixed body, and admit signed-in ones', async () => {
    for (const language of ['zh-CN', 'en']) {
      expect(await (await post(side, 'p_ops_admin', { Cookie: `lang=${language}` })).text()).toBe(ADMIN_REQUIRED);
      expect(await (await post(side, 'p_ops_user', { Cookie: `lang=${language}` })).text()).toBe(USER_REQUIRED);
    }
    expect(await (await post(side, 'p_ops_admin', { Cookie: userCookie })).text()).toBe(ADMIN_REQUIRED);
    expect(await (await post(side, 'p_ops_user', { Cookie: panel.adminCookie })).text()).toBe(USER_REQUIRED);
    expect(await (await post(side, 'p_ops_admin', { Cookie: panel.adminCookie })).json()).toMatchObject({ admin: 'admin' });
    expect(await (await post(side, 'p_ops_user', { Cookie: userCookie })).json()).toMatchObject({ user: 'owner01' });
  });

  it('call the plugin’s own check, which must return exactly true', async () => {
    expect(await (await post(side, 'p_ops_check', { 'X-Key': 'right' })).json()).toMatchObject({ scope: side });
    expect(await (await post(side, 'p_ops_check', { 'X-Key': 'wrong' })).text()).toBe(USER_REQUIRED);
    expect(await (await post(side, 'p_ops_truthy')).text()).toBe(USER_REQUIRED);
  });
});

describe('the context of a callback', () => {
  const user = (gn: string, headers = {}, fields = {}): Promise<Response> => post('user', gn, { Cookie: userCookie, ...headers }, fields);

  it('contains everything of a form request', async () => {
    const response = await panel.fetch('/user/ajax.php?x=1&x=2', {
      method: 'POST',
      headers: { Cookie: `${userCookie}; mine=a%20b; lang=en` },
      body: new URLSearchParams({ gn: 'p_ops_ctx', word: '值 &=', empty: '' }),
    });
    expect(await response.json()).toMatchObject({
      scope: 'user',
      gn: 'p_ops_ctx',
      method: 'POST',
      path: '/user/ajax.php',
      params: {},
      query: { x: '2' },
      body: { gn: 'p_ops_ctx', word: '值 &=', empty: '' },
      raw: 'gn=p_ops_ctx&word=%E5%80%BC+%26%3D&empty=',
      type: 'application/x-www-form-urlencoded',
      cookie: 'a b',
      files: [],
      ip: '127.0.0.1',
      baseUrl: panel.url,
      admin: null,
      user: { id: expect.any(Number) as number, username: 'owner01' },
      plugin: 'ops',
      locale: 'en',
      text: 'Hello Ann',
      unknown: 'nowhere',
      nonce: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) as string,
    });
  });

  it('contains JSON fields as texts, and uses the language of the request', async () => {
    const response = await panel.fetch('/user/ajax.php', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: 'lang=zh-CN' },
      body: '{"gn":"p_ops_ctx","n":1,"yes":true,"deep":{"a":[1]}}',
    });
    expect(await response.json()).toMatchObject({
      body: { n: '1', yes: 'true', deep: '{"a":[1]}' },
      raw: '{"gn":"p_ops_ctx","n":1,"yes":true,"deep":{"a":[1]}}',
      locale: 'zh-CN',
      text: '你好 Ann',
    });
  });

  it('contains the files of a multipart request', async () => {
    const body = new FormData();
    body.set('gn', 'p_ops_ctx');
    body.set('pic', new Blob(['bytes'], { type: 'image/png' }), '图.png');
    const answer = (await (await panel.fetch('/user/ajax.php', { method: 'POST', body })).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({
      raw: '',
      body: { gn: 'p_ops_ctx' },
      files: [{ fieldname: 'pic', originalname: '图.png', mimetype: 'image/png', size: 5, buffer: 'bytes' }],
    });
  });

  it('identifies the caller in every check: require, check, fail', async () => {
    expect(await (await user('p_ops_need_admin')).text()).toBe(ADMIN_REQUIRED);
    expect(await (await user('p_ops_need_admin', { Cookie: panel.adminCookie })).json()).toEqual({ in: true });
    expect(await (await user('p_ops_need_user')).json()).toEqual({ in: true });
    expect(await (await post('user', 'p_ops_need_user')).text()).toBe(USER_REQUIRED);
    expect(await (await user('p_ops_auth_check')).json()).toEqual({ none: true, admin: false, user: true, odd: false, own: true });
    expect(await (await user('p_ops_fail_admin')).text()).toBe(ADMIN_REQUIRED);
    expect(await (await user('p_ops_fail_user')).text()).toBe(USER_REQUIRED);
    expect(await (await user('p_ops_fail_check', { Accept: 'text/html' })).text()).toBe(USER_REQUIRED);
    expect((await panel.row('ops'))?.error).toBe('');
  });

  it('is answered with the return value of the callback', async () => {
    const text = await user('p_ops_text');
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/html; charset=utf-8', '<b>text</b>']);
    expect(await (await user('p_ops_list')).json()).toEqual([1, { two: 2 }]);
    expect((await user('p_ops_nothing')).status).toBe(204);
    for (const gn of ['p_ops_number', 'p_ops_circle']) {
      expect(await (await user(gn)).json()).toMatchObject({ success: false, qk: 4 });
      expect((await panel.row('ops'))?.error).toContain(gn);
    }
  });

  it('cannot be reached under another name, or across sites', async () => {
    expect(await (await user('p_ops_undone')).json()).toMatchObject({ success: false, code: expect.any(String) as string });
    expect(await (await user('P_OPS_NONE')).json()).toMatchObject({ success: false });
    expect((await post('user', 'p_ops_none', { Origin: 'http://evil.example' })).status).toBe(403);
    expect((await panel.fetch('/user/ajax.php?gn=p_ops_none')).status).not.toBe(200);
  });
});

describe('a refused registration', () => {
  const refused = async (slug: string, body: string): Promise<string> => {
    writePlugin(panel.dataDir, slug, functionPlugin(`svc.svc_register_ajax('user', 'p_${slug}_first', () => ({}));\n${body}`));
    const { success, code } = await panel.tryEnable(slug);
    expect(success).toBe(false);
    expect(panel.registrations(slug)).toEqual({});
    expect((await panel.row(slug))?.error).not.toBe('');
    return code;
  };

  it.each([
    ["svc.svc_register_ajax('user', 'login', () => ({}));", /"p_".*login/],
    ["svc.svc_register_ajax('user', 'xp_a', () => ({}));", /"p_"/],
    ["svc.svc_register_ajax('user', 'p_a b', () => ({}));", /"p_"/],
    ["svc.svc_register_ajax('home', 'p_a', () => ({}));", /scope/],
    ["svc.svc_register_ajax('user', 'p_a', 'text');", /function/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'root');", /auth/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'user', { secondProof: 'yes' });", /secondProof/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), null, { secondProof: true });", /secondProof/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'admin', { secondProof: true });", /secondProof/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), () => true, { secondProof: true });", /secondProof/],
    ["svc.svc_register_ajax('admin', 'p_a', () => ({}), 'admin', { needs: 'no_such' });", /needs/],
    ["svc.svc_register_ajax('admin', 'p_a', () => ({}), null, { needs: 'ddbz' });", /needs/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'user', { needs: 'ddbz' });", /needs/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'user', { audits: 'Did it' });", /operation p_a has no option "audits", only audit/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'user', { toString: 1 });", /"toString"/],
    ["svc.svc_register_ajax('user', 'p_a', () => ({}), 'user', 'expensive');", /must be an object/],
    ["svc.svc_register_route('POST', '/p/refused', () => 'ok', 10, null, { csrfexempt: true });", /route POST \/p\/refused .*csrfExempt/],
    ["svc.svc_register_page('admin', 'a', () => '', 'A', { list: [] });", /page a has no option "list", only lists, data/],
    ["svc.svc_add_action('order.paid', () => {}, 10, { deadline: 90 });", /order\.paid has no option "deadline"/],
    ["svc.svc_register_ajax('user', 'p_ops_none', () => ({}));", /p_ops_none.*"ops"/],
    ["svc.svc_register_ajax('user', 'p_refused_first', () => ({}));", /"refused"/],
  ])('fails the activation and leaves nothing behind: %s', async (body, reason) => {
    expect(await refused('refused', body)).toMatch(reason);
  });

  it('leaves the operation of the first owner unchanged', async () => {
    expect(await (await post('user', 'p_ops_none')).json()).toEqual({ scope: 'user', admin: null, user: null });
  });
});
