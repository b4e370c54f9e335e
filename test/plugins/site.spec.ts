import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { OperationLog } from '../../src/operations/entities/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let userCookie: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  userCookie = await panel.signInUser();
});
afterAll(() => panel.close());

const HTML = { Accept: 'text/html' };

async function enabled(slug: string, body: string, files: Record<string, string> = {}, manifest = {}): Promise<string> {
  const folder = writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': functionPlugin(body), ...files } });
  await panel.enable(slug);
  return folder;
}

async function refused(slug: string, body: string, files: Record<string, string> = {}): Promise<string> {
  writePlugin(panel.dataDir, slug, { files: { 'index.js': functionPlugin(body), ...files } });
  const { success, code } = await panel.tryEnable(slug);
  expect(success).toBe(false);
  expect(panel.registrations(slug)).toEqual({});
  return code;
}

const userPage = async (path: string): Promise<string> => (await panel.fetch(path, { headers: { Cookie: userCookie } })).text();
const adminPage = async (path: string): Promise<string> => (await panel.adminFetch(path)).text();

describe('svc.timeText', () => {
  it('formats a time with its zone, from any supported form, and refuses anything else', async () => {
    await enabled(
      'clock_face',
      `
      const said = (value) => { try { return svc.timeText(value); } catch (error) { return error.name; } };
      svc.svc_register_route('GET', '/clock-face', () => ({ said: [
        new Date('2026-11-21T16:05:09Z'), Date.parse('2026-11-21T16:05:09Z'), '2026-11-21T16:05:09Z', '2026-11-21T11:05:09-05:00',
        '2026-11-22 00:05:09', new Date('no'), NaN, '', 'Plan 2', null, undefined, {}, 9e99, '2026-11-22',
      ].map(said) }));`,
    );
    const { said } = (await (await panel.fetch('/clock-face')).json()) as { said: string[] };
    expect(said.slice(0, 5)).toEqual(Array(5).fill('2026-11-22 00:05 UTC+8'));
    expect(said.slice(5)).toEqual(Array(9).fill('TypeError'));
  });
});

describe('actions of a signed-in user through a route', () => {
  it('write an entry to the operation log, in the plugin’s or the panel’s words, unless nothing was done or none is wanted', async () => {
    await enabled(
      'audited',
      `
      svc.svc_register_route('*', '/audited/{key}', () => ({ success: true }));
      svc.svc_register_route('GET', '/audited-own', () => ({}), 10, null, { audit: 'Bought a coupon' });
      svc.svc_register_route('POST', '/audited-none', () => ({}), 10, null, { audit: false });
      svc.svc_register_route('POST', '/audited-refused', () => ({ success: false }));`,
    );
    const as =
      (cookie: string) =>
      (method: string, path: string): Promise<Response> =>
        panel.fetch(path, { method, headers: { Cookie: cookie, Origin: panel.url } });
    const [admin, user, nobody] = [panel.adminCookie, userCookie, ''].map(as);
    for (const [call, method, path] of [
      [admin, 'POST', '/audited/secret'],
      [user, 'DELETE', '/audited/secret'],
      [admin, 'GET', '/audited/secret'],
      [nobody, 'POST', '/audited/secret'],
      [user, 'GET', '/audited-own'],
      [admin, 'POST', '/audited-none'],
      [admin, 'POST', '/audited-refused'],
    ] as const)
      expect((await call!(method, path)).status, path).toBe(200);
    const lines = await panel
      .get(Database)
      .repository(OperationLog)
      .find({ where: { category: 'route' }, order: { id: 'ASC' } });
    expect(lines.map(({ actor, summary, text }) => [actor, summary, text?.params])).toEqual([
      ['admin', '使用了插件 audited 的 POST /audited/{key}', { plugin: 'audited', method: 'POST', path: '/audited/{key}' }],
      ['owner01', '使用了插件 audited 的 DELETE /audited/{key}', { plugin: 'audited', method: 'DELETE', path: '/audited/{key}' }],
      ['owner01', '[audited] Bought a coupon', undefined],
    ]);
  });
});

describe('generic routes', () => {
  beforeAll(() =>
    enabled(
      'routes',
      `
      const { Readable } = require('node:stream');
      const route = (path, answer, ...rest) => svc.svc_register_route('GET', '/r' + path, answer, ...rest);
      route('/items/{id}/of/{owner}/', (params, ctx) => ({ params, same: ctx.params, scope: ctx.scope, plugin: ctx.plugin }));
      route('/order', () => false, 5);
      route('/order', () => ({ from: 'ten' }));
      route('/order', () => ({ from: 'one' }), 1, (ctx) => true);
      svc.svc_register_route('*', '/r/pass', () => false);
      route('/nothing', () => undefined);
      route('/text', async () => '<i>text</i>');
      route('/reply', () => ({ status: 418, headers: { 'X-Tea': 'pot', 'Content-Type': 'text/plain' }, body: 'short' }));
      route('/reply-json', () => ({ status: 201, body: { made: true } }));
      route('/status-json', () => ({ status: 'ok', body: 1 }));
      route('/buffer', () => Buffer.from([0, 1, 254, 255]));
      route('/stream', () => Readable.from(['one ', 'two']));
      route('/stream-reply', () => ({ status: 200, headers: { 'Content-Type': 'text/csv' }, body: Readable.from(['a,b']) }));
      svc.svc_register_route('HEAD', '/r/head', () => ({ status: 200, headers: { 'X-Length': '9' }, body: 'unseen' }));
      svc.svc_register_route('post', '/r/form', (params, ctx) => ({ fields: ctx.body }));
      svc.svc_register_route('POST', '/r/exempt', (params, ctx) => ({ raw: ctx.rawBody.toString() }), 10, null, { csrfExempt: true });
      for (const auth of ['none', 'admin', 'user']) route('/auth/' + auth, () => ({ in: auth }), 10, auth);
      route('/auth/check', () => ({ in: true }), 10, (ctx) => ctx.query.key === 'right');
      route('/require', (params, ctx) => { svc.svc_plugin_require_admin(); return { admin: ctx.admin.username }; });
      route('/fail', () => { svc.svc_plugin_auth_fail(() => false); });
    `,
    ),
  );
  const get = (path: string, init: RequestInit = {}): Promise<Response> => panel.fetch(`/r${path}`, init);

  it('pass named parameters, with and without a trailing slash', async () => {
    for (const path of ['/items/a%2Fb/of/%E5%95%86', '/items/a%2Fb/of/%E5%95%86/']) {
      expect(await (await get(path)).json()).toEqual({
        params: { id: 'a/b', owner: '商' },
        same: { id: 'a/b', owner: '商' },
        scope: 'public',
        plugin: 'routes',
      });
    }
    expect((await get('/items/a/of/')).status).toBe(404);
    expect((await panel.fetch('/R/order')).status).toBe(404);
  });

  it('are tried by priority; false passes on, to the end', async () => {
    expect(await (await get('/order')).json()).toEqual({ from: 'one' });
    expect((await get('/pass')).status).toBe(404);
    expect((await get('/pass', { method: 'POST' })).status).toBe(404);
  });

  it('return what their callbacks return', async () => {
    expect((await get('/nothing')).status).toBe(204);
    const text = await get('/text');
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/html; charset=utf-8', '<i>text</i>']);
    const reply = await get('/reply');
    expect([reply.status, reply.headers.get('x-tea'), reply.headers.get('content-type'), await reply.text()]).toEqual([
      418,
      'pot',
      'text/plain',
      'short',
    ]);
    const made = await get('/reply-json');
    expect([made.status, made.headers.get('content-type'), await made.json()]).toEqual([
      201,
      'application/json; charset=UTF-8',
      { made: true },
    ]);
    expect(await (await get('/status-json')).json()).toEqual({ status: 'ok', body: 1 });
    expect([...new Uint8Array(await (await get('/buffer')).arrayBuffer())]).toEqual([0, 1, 254, 255]);
    expect(await (await get('/stream')).text()).toBe('one two');
    const csv = await get('/stream-reply');
    expect([csv.headers.get('content-type'), await csv.text()]).toEqual(['text/csv', 'a,b']);
    const head = await get('/head', { method: 'HEAD' });
    expect([head.status, head.headers.get('x-length'), await head.text()]).toEqual([200, '9', '']);
    expect((await get('/head')).status).toBe(404);
    expect((await get('/text', { method: 'HEAD' })).status).toBe(404);
    expect(await (await get('/form', { method: 'POST', body: new URLSearchParams({ a: '1' }) })).json()).toEqual({ fields: { a: '1' } });
  });

  it('refuse other sites, unless the route is exempt', async () => {
    const evil = { method: 'POST', headers: { Origin: 'http://evil.example' }, body: 'x=1' };
    expect((await get('/form', evil)).status).toBe(403);
    expect(await (await get('/exempt', evil)).json()).toEqual({ raw: 'x=1' });
  });

  it('answer refused callers with exactly the fixed bodies', async () => {
    expect(await (await get('/auth/none')).json()).toEqual({ in: 'none' });
    expect(await (await get('/auth/admin', { headers: HTML })).text()).toBe('{"code":"请登陆后台"}');
    expect(await (await get('/auth/user', { headers: HTML })).text()).toBe('{"code":"请登陆"}');
    expect(await (await panel.adminFetch('/r/auth/admin')).json()).toEqual({ in: 'admin' });
    expect(await (await get('/auth/user', { headers: { Cookie: userCookie } })).json()).toEqual({ in: 'user' });
    expect(await (await get('/auth/check?key=right')).json()).toEqual({ in: true });
    expect(await (await get('/auth/check')).text()).toBe('{"code":"请登陆"}');
    const redirect = await get('/auth/check', { headers: HTML });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/user/login']);
    expect(await (await get('/require', { headers: HTML })).text()).toBe('{"code":"请登陆后台"}');
    expect(await (await panel.adminFetch('/r/require')).json()).toEqual({ admin: 'admin' });
    expect((await get('/fail', { headers: HTML })).headers.get('location')).toBe('/user/login');
    expect(await (await get('/fail')).text()).toBe('{"code":"请登陆"}');
  });

  it('are refused if path, method or policy are invalid', async () => {
    for (const call of [
      "'GET', 'nope', () => 1",
      "'GET', '/a/{id', () => 1",
      "'G T', '/a', () => 1",
      "'GET', '/a', 'text'",
      "'GET', '/a', () => 1, 10, 'root'",
      "'GET', '/a', () => 1, NaN",
    ]) {
      await refused('bad_route', `svc.svc_register_route('GET', '/bad', () => 1); svc.svc_register_route(${call});`);
    }
    expect((await panel.fetch('/bad')).status).toBe(404);
  });
});

describe('pages, menus, widgets and tabs', () => {
  beforeAll(() =>
    enabled(
      'views',
      `
      for (const scope of ['admin', 'user']) {
        svc.svc_register_page(scope, 'index', 'pages/index.liquid', 'Liquid title');
        svc.svc_register_page(scope, 'plain', 'pages/plain.html', 'Plain title');
        svc.svc_register_page(scope, 'made', async (ctx) => '<p>made for ' + (ctx.admin || ctx.user).username + ' by ' + ctx.method
          + ' ' + (ctx.body.field || '') + ' ' + ctx.t('word') + '</p><script nonce="' + ctx.nonce + '">1</script>', 'Made title');
        svc.svc_register_menu(scope, { title: 'Views menu', icon: 'mdi-home', order: 5, children: [{ title: 'Views child',
          page: 'made' }, { title: 'Elsewhere', url: 'https://example.com/x' }] });
        svc.svc_register_widget(scope, 'main', (ctx) => ({ title: 'Late widget', html: '<p>late ' + ctx.scope + '</p>', order: 90,
          width: 12 }));
        svc.svc_register_widget(scope, 'main', () => '<p>early widget</p>');
        svc.svc_register_widget(scope, 'main', () => null);
      }
      svc.svc_register_page('admin', 'guarded', () => { svc.svc_plugin_require_user(); return 'never'; }, 'Guarded');
      svc.svc_register_settings_tab('admin', { id: 'views-fields', title: 'Views fields', order: 7, fields: [
        { key: 'name', label: 'Name label', type: 'text', default: 'by default' }, { key: 'key', label: 'Key label', type: 'password' },
        { key: 'count', label: 'Count', type: 'number' }, { key: 'on', label: 'On', type: 'switch' },
        { key: 'kind', label: 'Kind', type: 'select', options: [{ value: 'a', label: 'A' }, { value: 'b', label: 'B' }] }] });
      svc.svc_register_settings_tab('admin', { id: 'views-page', title: 'Views page', page: 'made' });
      svc.svc_add_action('menu.admin', (menu) => { menu.push({ title: 'From hook', url: '/hooked', order: 999 }); });
      svc.svc_add_filter('menu.user', (menu) => [...menu, { title: 'From filter', url: '/filtered' }]);
      svc.svc_add_action('dashboard.user.widgets', (widgets) => { widgets.push({ title: 'Hook widget', html: '<p>hooked</p>' }); });
      svc.svc_add_action('settings.admin.tabs', (tabs) => tabs.filter((tab) => tab.title !== 'Views page'), 20);
      svc.svc_register_ajax('admin', 'p_views_options', async () => { const all = {};
        for (const key of ['name', 'key', 'count', 'on', 'kind']) all[key] = await svc.svc_plugin_option_get('views', key); return all; });
    `,
      {
        'pages/index.liquid': '<p>page {{ page }} of {{ plugin }} for {{ account.username }} with {{ query.q }}</p>',
        'pages/plain.html': '<p>{{ not liquid }}</p>',
        'lang/zh-CN.json': '{"word":"词"}',
        'lang/en.json': '{"word":"word"}',
      },
    ),
  );

  it('are shown inside the theme to users signed in on that side', async () => {
    for (const [side, page, name] of [
      ['admin', adminPage, 'admin'],
      ['user', userPage, 'owner01'],
    ] as const) {
      const index = await page(`/${side}/plugin.php?p=views&page=index&q=%3Cb%3E`);
      expect(index).toContain(`<p>page index of views for ${name} with &lt;b&gt;</p>`);
      expect(index).toMatch(/<title>[^<]*Liquid title/);
      expect(await page(`/${side}/plugin.php?p=views`)).toContain('page index of views');
      expect(await page(`/${side}/plugin.php?p=views&page=plain`)).toContain('<p>{{ not liquid }}</p>');
      expect(await page(`/${side}/plugin.php?p=views&page=made`)).toContain(`made for ${name} by GET  词`);
      const login = await panel.fetch(`/${side}/plugin.php?p=views`);
      expect([login.status, login.headers.get('location')]).toEqual([302, `/${side}/login?next=%2F${side}%2Fplugin.php%3Fp%3Dviews`]);
    }
    const posted = await panel.adminFetch('/admin/plugin.php?p=views&page=made', {
      method: 'POST',
      body: new URLSearchParams({ field: 'sent' }),
    });
    expect(await posted.text()).toContain('made for admin by POST sent');
    const nonce = /'nonce-([^']+)'/.exec(posted.headers.get('content-security-policy') ?? '')?.[1];
    const made = await panel.adminFetch('/admin/plugin.php?p=views&page=made');
    expect(await made.text()).toContain(
      `<script nonce="${/'nonce-([^']+)'/.exec(made.headers.get('content-security-policy')!)![1]}">1</script>`,
    );
    expect(nonce).toBeTruthy();
    expect(await adminPage('/admin/plugin.php?p=views&page=guarded')).toBe('{"code":"请登陆"}');
  });

  it('answer 404 for an unknown page or plugin, or a disabled plugin', async () => {
    writePlugin(panel.dataDir, 'views_off', functionPlugin("svc.svc_register_page('admin', 'index', () => 'x', 'X');"));
    await panel.enable('views_off');
    await panel.disable('views_off');
    for (const query of ['p=views&page=nope', 'p=nobody', 'p=../views', '', 'p=views_off', 'p=Views']) {
      expect((await panel.adminFetch(`/admin/plugin.php?${query}`)).status, query).toBe(404);
    }
  });

  it('never read a page file outside the folder, by path or by link, at registration or later', async () => {
    writeFileSync(join(panel.dataDir, 'secret.html'), 'SECRET');
    for (const file of ['../../secret.html', join(panel.dataDir, 'secret.html'), 'pages/../../../secret.html']) {
      expect(await refused('thief', `svc.svc_register_page('admin', 'index', ${JSON.stringify(file)}, 'T');`)).toContain('outside');
    }
    const linked = writePlugin(panel.dataDir, 'thief_link', functionPlugin("svc.svc_register_page('admin', 'index', 'link.html', 'T');"));
    symlinkSync(join(panel.dataDir, 'secret.html'), join(linked, 'link.html'));
    expect((await panel.tryEnable('thief_link')).code).toContain('outside');
    const later = await enabled(
      'thief_later',
      "svc.svc_register_page('admin', 'index', 'pages/now.html', 'T'); require('node:fs').renameSync(svc.path + " +
        "'/pages', svc.path + '/old');",
      { 'pages/now.html': 'fine' },
    );
    writeFileSync(join(panel.dataDir, 'now.html'), 'SECRET');
    symlinkSync(panel.dataDir, join(later, 'pages'));
    const answer = await panel.adminFetch('/admin/plugin.php?p=thief_later');
    expect([answer.status, (await answer.text()).includes('SECRET')]).toEqual([500, false]);
    for (const call of [
      "'admin', 'index', 'index.js', 'T'",
      "'admin', 'index', 'none.html', 'T'",
      "'admin', 'a b', () => '', 'T'",
      "'admin', 'index', () => '', ''",
      "'home', 'index', () => '', 'T'",
    ]) {
      await refused('bad_page', `svc.svc_register_page(${call});`);
    }
    expect(
      await refused('twice', "svc.svc_register_page('user', 'a', () => '', 'A'); svc.svc_register_page('user', 'a', () => '', 'A');"),
    ).toMatch(/"a".*twice/);
  });

  it('appear in the menu with their children, after the hook ran', async () => {
    const dashboard = await adminPage('/admin/');
    for (const text of [
      'Views menu',
      'Views child',
      '/admin/plugin.php?p=views&amp;page=made',
      'https://example.com/x',
      'From hook',
      '/hooked',
    ])
      expect(dashboard).toContain(text);
    const user = await userPage('/user/');
    for (const text of ['Views child', '/user/plugin.php?p=views&amp;page=made', 'From filter', '/filtered']) expect(user).toContain(text);
    expect(user).not.toContain('From hook');
  });

  it('appear on the dashboards in order, after the hook ran', async () => {
    const user = await userPage('/user/');
    expect(user).toMatch(/early widget[\s\S]*hooked[\s\S]*late user/);
    expect(user).toContain('Hook widget');
    expect(await adminPage('/admin/')).toMatch(/early widget[\s\S]*Late widget[\s\S]*late admin/);
  });

  it('validate and store the fields of a settings tab, and keep a password that is left empty', async () => {
    const shown = await adminPage('/admin/settings?tab=views-fields');
    for (const text of ['Views fields', 'Name label', 'by default', 'Key label']) expect(shown).toContain(text);
    const options = (): Promise<unknown> => panel.admin('p_views_options');
    expect(
      await panel.admin('szbc', { slug: 'views', name: 'Ann <b>', key: 'secret-1', count: '3', on: 'true', kind: 'b', other: 'x' }),
    ).toMatchObject({ success: true });
    expect(await options()).toEqual({ name: 'Ann <b>', key: 'secret-1', count: '3', on: 'true', kind: 'b' });
    expect(await panel.admin('szbc', { slug: 'views', name: '', key: '' })).toMatchObject({ success: true });
    expect(await options()).toMatchObject({ name: '', key: 'secret-1' });
    expect(await adminPage('/admin/settings?tab=views-fields')).not.toContain('secret-1');
    expect(await panel.admin('szbc', { slug: 'views', name: 'kept out', count: 'many' })).toMatchObject({
      success: false,
      fields: { count: expect.any(String) as string },
    });
    for (const [field, value] of [
      ['on', 'maybe'],
      ['kind', 'c'],
    ] as const)
      expect(await panel.admin('szbc', { slug: 'views', [field]: value })).toMatchObject({ success: false });
    expect(await options()).toMatchObject({ name: '', count: '3', kind: 'b' });
    expect(await panel.admin('szbc', { slug: 'nobody', name: 'x' })).toMatchObject({ success: false });
  });

  it('show a page of the plugin as a tab, unless a listener removed it', async () => {
    expect((await panel.adminFetch('/admin/settings?tab=views-page')).status).toBe(404);
    await enabled(
      'tabs',
      "svc.svc_register_page('admin', 'inner', () => '<p>inner page</p>', 'I'); " +
        "svc.svc_register_settings_tab('admin', { id: 'inner', title: 'Inner tab', page: 'inner' });",
    );
    const tab = await adminPage('/admin/settings?tab=inner');
    expect(tab).toContain('<p>inner page</p>');
    expect(tab).toContain('Inner tab');
    await refused('bad_tab', "svc.svc_register_settings_tab('nobody', { title: 'T', page: 'x' });");
    await refused('bad_tab', "svc.svc_register_settings_tab('admin', { title: 'T' });");
    await refused('bad_menu', "svc.svc_register_menu('admin', { title: 'T', url: 'javascript:alert(1)' });");
  });
});

describe('the home page', () => {
  const home = async (): Promise<[number, string | null, string]> => {
    const response = await panel.fetch('/');
    return [response.status, response.headers.get('location'), await response.text()];
  };

  it('comes from the first plugin that does not pass, by priority', async () => {
    const own = (await home())[2];
    await enabled('home_none', 'svc.svc_register_home(() => null, 1); svc.svc_register_home(async () => false, 2);');
    expect((await home())[2].length).toBeGreaterThan(0);
    expect((await home())[0]).toBe(200);
    await enabled('home_page', "svc.svc_register_home((ctx) => '<h1>ten ' + ctx.path + '</h1>');");
    expect((await home())[2]).toBe('<h1>ten /</h1>');
    await enabled('home_first', "svc.svc_register_home((ctx) => ctx.query.page ? '<h1>five</h1>' : '/shop', 5);");
    expect((await home()).slice(0, 2)).toEqual([302, '/shop']);
    await enabled('home_http', "svc.svc_register_home(() => 'https://example.com/x', -1);");
    expect((await home()).slice(0, 2)).toEqual([302, 'https://example.com/x']);
    await enabled('home_guard', 'svc.svc_register_home(() => { svc.svc_plugin_require_user(); }, -2);');
    expect((await home())[2]).toBe('{"code":"请登陆"}');
    for (const slug of ['home_guard', 'home_http', 'home_first']) await panel.disable(slug);
    expect((await home())[2]).toBe('<h1>ten /</h1>');
    await panel.disable('home_page');
    const normal = (text: string): string => text.replace(/nonce="[^"]*"|nonce-[^']*/g, '');
    expect(normal((await home())[2])).toBe(normal(own));
  });
});

describe('overrides', () => {
  it('replace, wrap or pass on a page; the first that does not pass wins', async () => {
    await enabled('over_pass', "svc.svc_register_page_override('user', 'orders', () => null, 1);");
    expect(await userPage('/user/orders')).toContain('</html>');
    await enabled(
      'over_wrap',
      "svc.svc_register_page_override('user', 'orders', (vars, ctx) => ({ before: '<p>before ' + " +
        "vars.account.username + ctx.path + '</p>', after: '<p>after</p>' }), 20);",
    );
    expect(await userPage('/user/orders')).toMatch(/<body[^>]*><p>before owner01\/user\/orders<\/p>[\s\S]*<p>after<\/p><\/body>/);
    await enabled('over_all', "svc.svc_register_page_override('user', 'orders', async () => '<h1>mine</h1>');");
    expect(await userPage('/user/orders')).toBe('<h1>mine</h1>');
    await panel.disable('over_all');
    await panel.disable('over_wrap');
    expect(await userPage('/user/orders')).not.toContain('before owner01');
  });

  it('replace, wrap or pass on a partial, on their own side only', async () => {
    await enabled(
      'part',
      "svc.svc_register_partial_override('user', 'sidebar', (vars) => ({ before: '<i>before partial</i>', after: '' " +
        "})); svc.svc_register_partial_override('user', 'topbar', () => '<i>my topbar</i>'); " +
        "svc.svc_register_partial_override('user', 'foot', () => null);",
    );
    const user = await userPage('/user/');
    expect(user).toContain('<i>before partial</i>');
    expect(user).toContain('<i>my topbar</i>');
    expect(user).toContain('</html>');
    expect(await adminPage('/admin/')).not.toContain('my topbar');
    await refused('bad_view', "svc.svc_register_page_override('user', '../secret', () => 'x');");
    await refused('bad_view', "svc.svc_register_partial_override('user', 'a', 'x');");
  });
});
