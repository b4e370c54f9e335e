import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel?.close());

/** Puts a theme into the folder of the installation. */
function put(name: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries({ 'theme.json': JSON.stringify({ title: name }), ...files })) {
    const file = join(panel.dataDir, 'themes', name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
const choose = (fields: Partial<Record<'usertheme' | 'admintheme' | 'hometheme' | 'dockertheme', string>>) =>
  panel.admin('settheme', { usertheme: 'default', admintheme: 'default', ...fields });
const html = async (path = '/', cookie = '') =>
  (await panel.fetch(path, { headers: { Accept: 'text/html', 'Accept-Language': 'en', Cookie: cookie } })).text();
const post = (fields: Record<string, string>, cookie = '') =>
  panel.fetch('/admin/ajax.php', { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams(fields) });
let session: string;
beforeAll(async () => {
  const reply = await post({ gn: 'login', user: 'admin', pass: 'svc-panel-admin' });
  session = reply.headers
    .getSetCookie()
    .find((line) => line.startsWith('admin_token='))!
    .split(';')[0]!;
});
/** A page as the administrator of one session sees it. */
const mine = (path: string, cookie = '') => html(path, cookie ? `${session}; ${cookie}` : session);

interface Card {
  name: string;
  active: string[];
  problems: { view: string; message: string }[];
}
const card = async (name: string) => ((await panel.admin('theme_list')).rows as unknown as Card[]).find((one) => one.name === name);

beforeEach(async () => {
  await choose({ hometheme: 'default' });
  rmSync(join(panel.dataDir, 'themes'), { recursive: true, force: true });
  await panel.admin('theme_reload');
});

it("is described in the reader's language, or in its own text", async () => {
  put('aurora', { 'home/index.liquid': 'x', 'theme.json': JSON.stringify({ description: 'Lights of the north' }) });
  await panel.admin('theme_reload');
  const page = async (language: string) =>
    (await panel.fetch('/admin/themes', { headers: { Accept: 'text/html', 'Accept-Language': language, Cookie: session } })).text();
  expect(await page('en')).toContain('Horizon in deep blue and violet');
  expect(await page('zh-CN')).toContain('深蓝与紫色的 Horizon');
  expect(await page('zh-CN')).toContain('Lights of the north');
});

describe('a theme is activated', () => {
  it('for one side, without a restart, and back again', async () => {
    put('aurora', { 'home/index.liquid': '<p>Aurora home</p>' });
    expect(await choose({ hometheme: 'aurora' })).toMatchObject({ success: true, code: '修改成功' });
    expect(await html()).toBe('<p>Aurora home</p>');
    expect(await html('/user/login')).not.toContain('Aurora');
    expect(await card('aurora')).toMatchObject({ active: ['home', 'pay'], removable: false });
    await choose({ hometheme: 'default' });
    expect(await html()).toContain('class="hero"');
  });

  it('only if it exists and supports that side, and only by an administrator', async () => {
    put('aurora', { 'home/index.liquid': 'x' });
    for (const fields of [{ admintheme: 'aurora' }, { usertheme: 'nothing' }, { hometheme: '../aurora' }, { dockertheme: 'aurora' }])
      expect(await choose(fields)).toMatchObject({ success: false, code: `主题不存在或不支持该端：${Object.values(fields)[0]!}` });
    expect(await panel.admin('settheme', { usertheme: 'default' })).toMatchObject({ success: false, code: '请选择用户端和管理端主题' });
    expect(await choose({ usertheme: 'nothing', hometheme: 'aurora' })).toMatchObject({ success: false });
    expect(await html()).toContain('class="hero"');
    const stranger = await post({ gn: 'settheme', usertheme: 'default', admintheme: 'default' });
    expect(await stranger.json()).toMatchObject({ code: '请登陆后台' });
  });

  it('and reloaded when its files change', async () => {
    put('aurora', { 'home/index.liquid': 'before' });
    await choose({ hometheme: 'aurora' });
    expect(await html()).toBe('before');
    put('aurora', { 'home/index.liquid': 'after' });
    expect(await html()).toBe('before');
    await panel.admin('theme_reload');
    expect(await html()).toBe('after');
  });
});

describe('a preview', () => {
  it('is only visible to its administrator, in this session', async () => {
    put('aurora', { 'home/index.liquid': 'Aurora home', 'assets/a.css': 'p{color:red}', 'user/login.liquid': "{{ 'a.css' | asset }}" });
    const reply = await post({ gn: 'theme_yl', name: 'aurora' }, session);
    const cookie = reply.headers.get('set-cookie')!.split(';')[0]!;
    expect(cookie).toMatch(/^theme_preview=aurora\./);
    expect(await mine('/', cookie)).toBe('Aurora home');
    expect(await html('/', cookie)).toContain('class="hero"');
    expect(await html('/', `${cookie}; admin_token=made-up`)).toContain('class="hero"');
    expect(await mine('/', 'theme_preview=aurora.made-up')).toContain('class="hero"');
    expect((await panel.fetch(await mine('/user/login', cookie))).status).toBe(200);
    // The way back is always there.
    expect(await mine('/admin/themes', cookie)).toContain('You are previewing “aurora”');
    expect(await mine('/?theme=default', cookie)).toContain('class="hero"');
  });
});

describe('a child theme', () => {
  it("has its own files, and its parent's otherwise", async () => {
    put('base', {
      'home/index.liquid': "Base {% partial 'word' %} {{ 'hello' | t }}",
      'shared/word.liquid': 'one',
      'lang/en.json': '{"hello":"Hi"}',
    });
    put('child', { 'theme.json': '{"title":"Child","parent":"base"}', 'shared/word.liquid': 'two' });
    expect(await choose({ hometheme: 'child' })).toMatchObject({ success: true });
    expect(await html()).toBe('Base two Hi');
    expect(await card('child')).toMatchObject({ parent: 'base', sides: ['home'] });
    expect(await panel.admin('theme_sc', { name: 'base' })).toMatchObject({ success: false, err: 'E_INUSE' });
  });

  it.each([
    ['is its own parent', 'loop'],
    ['stands on one that is not there', 'nothing'],
  ])('that %s stands alone, and says so', async (_what, parent) => {
    put('loop', { 'theme.json': JSON.stringify({ parent }), 'home/index.liquid': 'alone' });
    await choose({ hometheme: 'loop' });
    expect(await html()).toBe('alone');
    expect((await card('loop'))!.problems[0]!.message).toContain(`parent "${parent}"`);
  });

  it('in a cycle of two terminates', async () => {
    put('one', { 'theme.json': '{"parent":"two"}', 'home/index.liquid': 'one' });
    put('two', { 'theme.json': '{"parent":"one"}' });
    await choose({ hometheme: 'one' });
    expect(await html()).toBe('one');
  });

  it('that names a path as its parent is invalid', async () => {
    put('sly', { 'theme.json': '{"parent":"../../plugins"}', 'home/index.liquid': 'sly' });
    expect(await choose({ hometheme: 'sly' })).toMatchObject({ success: false });
  });
});

describe('a child theme that fails', () => {
  it.each([
    ['does not parse', '{% if %}'],
    ['never ends', '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}'],
  ])('as one that %s does is stood in for by its parent, and then by the default theme', async (_what, view) => {
    put('base', { 'home/index.liquid': "Base {% partial 'word' %}", 'shared/word.liquid': 'one' });
    put('child', { 'theme.json': '{"parent":"base"}', 'home/index.liquid': view });
    await choose({ hometheme: 'child' });
    expect(await html()).toBe('Base one');
    expect((await card('child'))!.problems).toMatchObject([{ view: 'home/index' }]);
    put('base', { 'home/index.liquid': view });
    await panel.admin('theme_reload');
    expect(await html()).toContain('class="hero"');
  });

  it("in a partial uses its parent's", async () => {
    put('base', { 'home/index.liquid': "Base {% partial 'word' %}", 'shared/word.liquid': 'one' });
    put('child', { 'theme.json': '{"parent":"base"}', 'shared/word.liquid': '{% if %}' });
    await choose({ hometheme: 'child' });
    expect(await html()).toBe('Base one');
  });
});

describe('a theme that fails', () => {
  it.each([
    ['does not parse', '{% if %}'],
    ['never ends', '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}'],
    ['includes itself', "{% partial 'index' %}"],
    ['asks for a layout elsewhere', "{% layout '../../../etc/passwd' %}"],
  ])('as one that %s does is stood in for, with its name and the view', async (_what, view) => {
    put('bad', { 'home/index.liquid': view });
    await choose({ hometheme: 'bad' });
    expect(await html()).toContain('class="hero"');
    expect((await card('bad'))!.problems).toMatchObject([{ view: 'home/index' }]);
    expect(await mine('/admin/themes')).toContain('<code>home/index</code>');
  });

  it('because its files were removed falls back to the default theme, and the page reports what is missing', async () => {
    put('aurora', { 'home/index.liquid': 'Aurora home' });
    await choose({ hometheme: 'aurora' });
    rmSync(join(panel.dataDir, 'themes'), { recursive: true });
    await panel.admin('theme_reload');
    expect(await html()).toContain('class="hero"');
    expect(await mine('/admin/themes')).toContain('The theme “aurora” was not found');
  });

  it('because its theme.json is too large, or invalid, is not offered', async () => {
    put('huge', { 'theme.json': JSON.stringify({ title: 'x'.repeat(600_000) }), 'home/index.liquid': 'x' });
    put('none', { 'theme.json': '[]', 'home/index.liquid': 'x' });
    expect(await card('huge')).toBeUndefined();
    expect(await choose({ hometheme: 'none' })).toMatchObject({ success: false });
  });
});

describe('a theme is removed', () => {
  it('if unused, and never a bundled one', async () => {
    put('aurora', { 'home/index.liquid': 'x' });
    await choose({ hometheme: 'aurora' });
    expect(await panel.admin('theme_sc', { name: 'aurora' })).toMatchObject({ err: 'E_INUSE' });
    await choose({ hometheme: 'default' });
    expect(await panel.admin('theme_sc', { name: 'aurora' })).toMatchObject({ success: true });
    expect(await card('aurora')).toBeUndefined();
    for (const name of ['default', '..', 'aurora/../..']) expect(await panel.admin('theme_sc', { name })).toMatchObject({ success: false });
  });
});

describe('scripts of a theme', () => {
  const SEA = 'window.sea = 1';
  const put2 = (name: string, script: string, more: object = {}) =>
    put(name, {
      'theme.json': JSON.stringify({ title: name, version: '1.0.0', scripts: [{ file: 'scripts/sea.js', purpose: '<b>Waves' }], ...more }),
      'home/index.liquid': '<body>home</body>',
      'user/login.liquid': '<body><input type="password"></body>',
      'scripts/sea.js': script,
    });
  interface Row {
    readonly sha256: string;
    readonly state: string;
    readonly by: string;
  }
  const row = async (name = 'aurora') => (await panel.admin('theme_scripts', { name })).rows[0] as unknown as Row;
  const grant = async (more: Record<string, string> = {}, name = 'aurora') =>
    panel.admin('theme_script_grant', { name, file: 'scripts/sea.js', sha256: (await row(name)).sha256, ...more });
  const use = (name = 'aurora') => choose({ usertheme: name, hometheme: name });
  const policy = async (path: string) => (await panel.fetch(path)).headers.get('content-security-policy') ?? '';

  it('run once they are permitted, and on pages with money or passwords after a second grant', async () => {
    put2('aurora', SEA);
    await use();
    expect(await html()).toBe('<body>home</body>');
    expect(await row()).toMatchObject({ state: 'none', by: '' });
    expect(await card('aurora')).toMatchObject({ scripts: 1, scripts_waiting: 1 });
    expect(await grant({ pages: 'all' })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await grant({ sha256: 'ab'.repeat(32) })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await grant({ file: 'scripts/sky.js' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await grant()).toMatchObject({ success: true });
    expect(await html()).toBe(`<body>home<script>${SEA}</script></body>`);
    expect(await policy('/')).toMatch(/script-src 'self' 'nonce-[^']+' 'sha256-[^']+'; /);
    expect(await html('/user/login')).not.toContain('sea');
    expect(await policy('/user/login')).toContain("frame-ancestors 'none'");
    expect(await row()).toMatchObject({ state: 'plain', by: 'admin' });
    expect(await grant({ pages: 'all' })).toMatchObject({ success: true });
    expect(await html('/user/login')).toContain(SEA);
    expect(await grant()).toMatchObject({ success: true });
    expect(await html('/user/login')).not.toContain('sea');
    await panel.admin('theme_script_revoke', { name: 'aurora', file: 'scripts/sea.js' });
    expect(await html()).toBe('<body>home</body>');
    // It stands in pages alone: what would load it finds nothing.
    expect((await panel.fetch('/assets/0123456789abcdef/sea.js')).status).toBe(404);
  });

  it('are permitted in the reviewed version, by permitted administrators, and run in no other theme', async () => {
    put2('aurora', SEA);
    put2('night', SEA, { parent: 'aurora', scripts: undefined });
    await use('night');
    await grant();
    const page = await mine('/admin/theme-scripts?name=night');
    expect(page).toContain('&lt;b&gt;Waves');
    expect(page).toContain('does not run');
    expect(await html()).toBe('<body>home</body>');
    // Whoever looks at a theme before it is switched on runs nothing that was not granted.
    await grant({}, 'night');
    expect(await html()).toContain(SEA);
    put2('night', 'window.stolen = 1');
    await panel.admin('theme_reload');
    expect(await html()).toBe('<body>home</body>');
    expect(await mine('/admin/theme-scripts?name=night')).toContain('does not run: changed');
    expect(await mine('/admin/themes')).toContain('1 script of this theme does not run');
  });

  it('of a removed theme lose their grants', async () => {
    put2('aurora', SEA);
    await use();
    await grant();
    await choose({ hometheme: 'default' });
    expect(await panel.admin('theme_sc', { name: 'aurora' })).toMatchObject({ success: true });
    put2('aurora', SEA);
    await panel.admin('theme_reload');
    expect(await row()).toMatchObject({ state: 'none' });
    expect(await panel.admin('theme_scripts', { name: '../aurora' })).toMatchObject({ total: 0 });
  });

  it('a page where they may not run is not inserted into one where they may', async () => {
    const htmx = (path: string, from: string) =>
      panel.fetch(path, { headers: { 'HX-Request': 'true', 'HX-Current-URL': `${panel.url}${from}` } });
    const moved = await htmx('/user/login?next=%2Fuser%2F', '/');
    expect([moved.headers.get('hx-redirect'), await moved.text()]).toEqual(['/user/login?next=%2Fuser%2F', '']);
    expect((await htmx('/user/login', '/user/login')).headers.get('hx-redirect')).toBeNull();
    expect((await htmx('/', '/user/login')).headers.get('hx-redirect')).toBeNull();
    const far = await panel.fetch('//thief.invalid/user', { headers: { 'HX-Request': 'true' } });
    expect(far.headers.get('hx-redirect') ?? '/').not.toMatch(/^\/\//);
  });
});
