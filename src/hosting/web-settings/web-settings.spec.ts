import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestPanel } from '../../../test/support/panel.js';
import { Database } from '../../database/index.js';
import { HostingAccount, HostingService, SitesServer } from '../index.js';
import { HostWebSettings } from '../entities/index.js';

let panel: TestPanel;
let owner: string;
let id: number;
let root: string;

beforeAll(async () => {
  panel = await TestPanel.start();
  owner = await panel.signInUser();
  const account = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: 'owner01' });
  ({ id } = account);
  root = join(panel.dataDir, 'sites', account.siteName, 'public');
});
beforeEach(async () => {
  await panel.get(Database).repository(HostWebSettings).delete({ accountId: id });
  for (const name of ['shop', 'secret', 'links', 'public']) rmSync(join(root, name), { recursive: true, force: true });
});
afterAll(() => panel.close());

async function user(gn: string, fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ gn, ...fields });
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: owner } });
  return (await response.json()) as Record<string, unknown>;
}
const set = async (gn: string, fields: Record<string, string>) => expect(await user(gn, fields), gn).toMatchObject({ success: true });
const write = (path: string, text: string | Buffer): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

function visit(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ask = { host: '127.0.0.1', port: panel.get(SitesServer).port, path, method, headers: { host: 'owner01.localhost', ...headers } };
    request(ask, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const body = Buffer.concat(parts);
        resolve({ status: response.statusCode!, headers: response.headers, body, text: body.toString() });
      });
    })
      .on('error', reject)
      .end();
  });
}
const basic = (name: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` });

describe('form opened before another user saved', () => {
  it.each([
    ['pages', 'xgmrwd', 'ml', { ml: 'one.html' }, { ml: 'two.html' }],
    ['pages', 'setyxml', 'wb', { wb: '/shop' }, { wb: '' }],
    ['pages', 'cwymsz', 'p404', { p404: '/one.html' }, { p404: '/two.html' }],
    ['hotlink', 'fdlkg', 'domains', { status: 'true', domains: 'a.example' }, { status: 'true', domains: 'b.example' }],
    ['speed', 'setgzip', 'level', { action: 'on', level: '3' }, { action: 'on', level: '4' }],
  ])('on the tab %s (%s) shows the conflict, and is saved when sent again', async (tab, gn, field, first, second) => {
    write('/shop/index.html', 'x');
    const page = await (await panel.fetch(`/user/site-settings?tab=${tab}`, { headers: { Cookie: owner } })).text();
    const row_version = new RegExp(`data-ajax="${gn}"[^]*?name="row_version" value="([^"]+)"`).exec(page)![1]!;
    const saved = await user(gn, { ...first, row_version });
    expect(saved).toMatchObject({ success: true, row_version: expect.any(String) as string });
    const late = await user(gn, { ...second, row_version });
    expect(late).toMatchObject({ err: 'E_CONFLICT', row_version: saved.row_version });
    expect(Object.keys(late.fields as object)).toContain(field);
    await set(gn, { ...second, row_version: String(late.row_version) });
    // Programs of owners send none.
    await set(gn, first);
  });
});

describe('index files and the run directory', () => {
  it('use the first existing file, and reject files that are never served', async () => {
    write('shop/home.html', 'home');
    write('shop/index.html', 'index');
    expect((await visit('/shop/')).text).toBe('index');
    await set('xgmrwd', { ml: 'start.html, home.html ,index.html' });
    expect((await visit('/shop/')).text).toBe('home');
    write('shop/start.html', 'start');
    expect((await visit('/shop/')).text).toBe('start');
    for (const ml of ['index.php', '.htaccess', '../x', 'a/b', '', ',,'])
      expect(await user('xgmrwd', { ml }), ml).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await user('set_init', { section: 'mrwd' })).toMatchObject({
      qk: 1,
      code: '获取成功',
      msg: { index: 'start.html,home.html,index.html' },
    });
  });

  it('serve only a folder of the site', async () => {
    write('public/index.html', 'public');
    write('secret/x.txt', 'secret');
    await set('setyxml', { wb: '/public/' });
    expect((await visit('/')).text).toBe('public');
    for (const path of ['/secret/x.txt', '/../secret/x.txt', '/%2e%2e/secret/x.txt']) expect((await visit(path)).status, path).toBe(404);
    expect(await user('set_init', { section: 'yxml' })).toMatchObject({
      msg: { current: '/public', dirs: expect.arrayContaining(['/public', '/secret']) as string[] },
    });
    for (const wb of ['..', '.git', 'a/../..', 'a\\b'])
      expect(await user('setyxml', { wb }), wb).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

describe('redirects', () => {
  it('keep the remainder and the query, and lead only to their target', async () => {
    await set('cdxtj', { ly: '/old.html', mb: '/new.html?x=1', lx: '301' });
    await set('cdxtj', { ly: '/a/*', mb: 'https://example.com/b', lx: '302' });
    await set('cdxtj', { ly: '/out/*', mb: '/' });
    expect(await visit('/old.html')).toMatchObject({ status: 301, headers: { location: '/new.html?x=1' } });
    expect(await visit('/a/b%20c?q=1')).toMatchObject({ status: 302, headers: { location: 'https://example.com/b/b%20c?q=1' } });
    for (const path of ['/out//evil.example', '/out/%2fevil.example', '/out/%5cevil.example', '/out/..//evil.example'])
      expect((await visit(path)).headers.location ?? '', path).not.toMatch(/^(?:\/[/\\]|https?:)/);
    expect((await visit('/a/%0d%0aSet-Cookie:x=1')).headers['set-cookie']).toBeUndefined();
  });

  it('never form a loop', async () => {
    expect(await user('cdxtj', { ly: '/x', mb: '/x' })).toMatchObject({ success: false, fields: { mb: expect.any(String) as string } });
    expect(await user('cdxtj', { ly: '/x/*', mb: '/x/y' })).toMatchObject({ success: false });
    expect(await user('cdxtj', { ly: '/*', mb: '/home' })).toMatchObject({ success: false });
    expect(await user('cdxtj', { ly: '/y', mb: 'http://OWNER01.localhost/y' })).toMatchObject({ success: false });
    await set('cdxtj', { ly: '/a', mb: '/b' });
    await set('cdxtj', { ly: '/b', mb: '/c' });
    expect(await user('cdxtj', { ly: '/c', mb: '/a' })).toMatchObject({ success: false, err: 'E_ARGS' });
    for (const mb of ['//evil.example', 'javascript:alert(1)', 'ftp://x', '/\\evil', 'http://u:p@x.com', ''])
      expect(await user('cdxtj', { ly: '/z', mb }), mb).toMatchObject({ success: false, err: 'E_ARGS' });
    const list = (await user('cdxlb')) as unknown as { rows: { id: string }[] };
    expect(list.rows).toHaveLength(2);
    await set('cdxsc', { id: list.rows[0]!.id });
    expect((await visit('/a')).status).toBe(404);
  });
});

describe('folder passwords', () => {
  it('are required in every spelling of the path and behind every link, and admit valid users', async () => {
    write('secret/x.txt', 'TOP-SECRET');
    symlinkSync('secret', join(root, 'links'));
    await set('tjmmfw', { name: 'mine', mbml: '/secret', user: 'anna', pass: 'pa:ss-ü' });
    for (const path of ['/secret/x.txt', '//secret//x.txt', '/%73ecret/x.txt', '/links/x.txt', '/secret/', '/secret', '/secret/none']) {
      const answer = await visit(path);
      expect(
        [answer.status === 401 || (path === '/links/x.txt' && answer.status === 401), answer.text.includes('TOP-SECRET')],
        path,
      ).toEqual([true, false]);
    }
    expect((await visit('/secret/x.txt', basic('anna', 'wrong'))).status).toBe(401);
    expect((await visit('/secret/x.txt', basic('bert', 'pa:ss-ü'))).status).toBe(401);
    for (let round = 0; round < 3; round += 1) expect((await visit('/secret/x.txt', basic('anna', 'pa:ss-ü'))).text).toBe('TOP-SECRET');
    expect((await visit('/secret/x.txt')).status).toBe(401);
    expect((await visit('/')).status).toBe(200);
    const list = await user('pass_list');
    expect(list).toMatchObject({ qk: 1, msg: { list: [{ name: 'mine', site_dir: '/secret', user: 'anna' }] } });
    expect(JSON.stringify(list)).not.toMatch(/scrypt|pa:ss/);
    const { value } = await panel.get(Database).repository(HostWebSettings).findOneByOrFail({ accountId: id });
    expect(value).not.toContain('pa:ss');
    await set('scmmfw', { mb: 'mine' });
    expect((await visit('/secret/x.txt')).text).toBe('TOP-SECRET');
  });

  it('slow down guessing, but not valid users', async () => {
    write('secret/x.txt', 'TOP-SECRET');
    await set('tjmmfw', { name: 'mine', mbml: 'secret', user: 'anna', pass: 'right-1' });
    expect((await visit('/secret/x.txt', basic('anna', 'right-1'))).status).toBe(200);
    const tries = await Promise.all(Array.from({ length: 25 }, (_, n) => visit('/secret/x.txt', basic('anna', `guess-${n}`))));
    expect(tries.map(({ status }) => status)).toContain(429);
    expect((await visit('/secret/x.txt', basic('anna', 'right-2'))).status).toBe(429);
    expect((await visit('/secret/x.txt', basic('anna', 'right-1'))).status).toBe(200);
  });
});

describe('hotlink protection', () => {
  it('blocks other sites, and allows the site’s own names and the listed ones', async () => {
    write('shop/a.jpg', 'picture');
    await user('tjurl', { url: 'www.example.com' });
    await set('fdlkg', {
      status: 'true',
      fix: 'jpg,png',
      domains: 'friend.example.org\n*.example.net',
      return_rule: '403',
      http_status: 'true',
    });
    const from = async (referer?: string) => (await visit('/shop/a.jpg', referer === undefined ? {} : { referer })).status;
    expect(await from('https://evil.example/')).toBe(403);
    expect(await from('https://friend.example.org.evil.example/')).toBe(403);
    expect(await from('garbage')).toBe(403);
    for (const fine of [
      undefined,
      'http://owner01.localhost:3080/x',
      'https://www.example.com/',
      'https://friend.example.org/a',
      'http://a.example.net/',
    ])
      expect(await from(fine), fine).toBe(200);
    expect((await visit('/', { referer: 'https://evil.example/' })).status).toBe(200);
    await set('fdlkg', { http_status: 'false', return_rule: '404' });
    expect(await from()).toBe(404);
    expect(await user('getfdl')).toMatchObject({ fix: 'jpg,png', status: true, none: false, return_rule: '404' });
    for (const wrong of [{ fix: 'a b' }, { domains: 'no domain' }, { return_rule: '200' }] as unknown as Record<string, string>[])
      expect(await user('fdlkg', wrong)).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

describe('caching and compression', () => {
  it('set cache times by suffix, under all names of the operation', async () => {
    write('shop/a.css', 'css');
    expect((await visit('/shop/a.css')).headers['cache-control']).toBeUndefined();
    expect(await user('cacheadd', { suffix: '.CSS,js', time_out: '30d' })).toMatchObject({ success: true, code: '新增成功' });
    expect((await visit('/shop/a.css')).headers['cache-control']).toBe('public, max-age=2592000');
    expect(await user('cacheupdate', { old_suffix: 'css,js', ext: 'css', time: '12h' })).toMatchObject({ success: true, code: '修改成功' });
    expect((await visit('/shop/a.css')).headers['cache-control']).toBe('public, max-age=43200');
    expect(await user('cacheadd', { suffix: '' })).toMatchObject({ success: false, code: '请输入文件后缀' });
    expect(await user('cacheadd', { suffix: 'a/b' })).toMatchObject({
      code: '文件后缀格式错误，仅允许字母、数字、逗号、竖线、中划线和下划线',
    });
    expect(await user('cacheadd', { suffix: 'x', time_out: '1w' })).toMatchObject({ code: '缓存时间格式错误，例如：30d、12h、60m、3600s' });
    expect(await user('cache_delete', { suffix: 'css' })).toMatchObject({ success: true, code: '删除成功' });
    expect((await visit('/shop/a.css')).headers['cache-control']).toBeUndefined();
  });

  it.each([
    ['small', 5_000],
    ['large', 300_000],
  ])('send %s texts compressed if accepted, with the same content, their own tag, and never as a range', async (name, size) => {
    const text = 'words and words '.repeat(size / 16);
    write(`shop/${name}.html`, text);
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(root, `shop/${name}.html`), past, past);
    const path = `/shop/${name}.html`;
    const packed = await visit(path, { 'accept-encoding': 'gzip' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(gunzipSync(packed.body).toString()).toBe(text);
    const plain = await visit(path);
    expect([plain.headers['content-encoding'], plain.text === text, plain.headers.vary]).toEqual([undefined, true, 'Accept-Encoding']);
    expect(plain.headers.etag).not.toBe(packed.headers.etag);
    expect((await visit(path, { 'accept-encoding': 'gzip', 'if-none-match': packed.headers.etag! })).status).toBe(304);
    expect((await visit(path, { 'if-none-match': plain.headers.etag! })).status).toBe(304);
    expect((await visit(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    const part = await visit(path, { 'accept-encoding': 'gzip', range: 'bytes=0-4' });
    expect([part.status, part.text, part.headers['content-encoding']]).toEqual([206, 'words', undefined]);
    expect((await visit(path, { range: 'bytes=900000-' })).status).toBe(416);
    const head = await visit(path, { 'accept-encoding': 'gzip' }, 'HEAD');
    expect([head.status, head.body.length, head.headers['content-encoding']]).toEqual([200, 0, 'gzip']);
    await set('gzip', { action: 'off' });
    expect((await visit(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
  });

  it('send the current file, however often it was requested before', async () => {
    write('shop/a.txt', 'one');
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'shop/a.txt'), past, past);
    for (let round = 0; round < 3; round += 1) expect((await visit('/shop/a.txt')).text).toBe('one');
    write('shop/a.txt', 'two');
    expect((await visit('/shop/a.txt')).text).toBe('two');
    write('shop/b.txt', 'new');
    renameSync(join(root, 'shop/b.txt'), join(root, 'shop/a.txt'));
    expect((await visit('/shop/a.txt')).text).toBe('new');
    rmSync(join(root, 'shop/a.txt'));
    expect((await visit('/shop/a.txt')).status).toBe(404);
    write('outside.txt', 'x');
    symlinkSync('/etc/hostname', join(root, 'shop/a.txt'));
    expect((await visit('/shop/a.txt')).status).toBe(404);
  });
});

describe('custom error pages', () => {
  it('replace the built-in ones with the right status, but never for a host out of service', async () => {
    write('404.html', 'nothing here');
    write('503.html', 'we rest');
    await set('cwymsz', { p404: '/404.html', p503: '/503.html' });
    expect(await visit('/none')).toMatchObject({ status: 404, text: 'nothing here' });
    const service = panel.get(HostingService);
    await service.stop(id);
    expect(await visit('/')).toMatchObject({ status: 503, text: 'we rest' });
    await service.start(id);
    // One of the reasons its owner may still sign in with.
    await service.pause(id, 'idle', 'admin');
    const paused = await visit('/');
    expect([paused.status, paused.text.includes('we rest')]).toEqual([503, false]);
    await service.unpause(id, 'idle', 'admin');
    for (const p404 of ['/../site.json', '/.env', '/x.php', 'http://x/', '/a.txt'])
      expect(await user('cwymsz', { p404 }), p404).toMatchObject({ success: false, err: 'E_ARGS' });
    rmSync(join(root, '404.html'));
    expect((await visit('/none')).text).toContain('<!doctype html>');
  });
});

it('concurrent changes in two tabs are both kept, and too large settings are rejected', async () => {
  await Promise.all([...'abcdefgh'].map((letter) => set('cacheadd', { suffix: letter, time_out: '1d' })));
  expect((await user('cache_list')) as { msg?: unknown }).toMatchObject({
    msg: { list: expect.toSatisfy((list: unknown[]) => list.length === 8) as unknown },
  });
});

it('rejects settings this kind of server does not support, by name', async () => {
  for (const gn of ['phpxg', 'listphp', 'hqjt', 'setwjt', 'fzjh'])
    expect(await user(gn), gn).toMatchObject({ success: false, err: 'E_DISABLED' });
  for (const section of ['php', 'wjt', 'mysqlcz'])
    expect(await user('set_init', { section }), section).toMatchObject({ success: false, err: 'E_DISABLED' });
  expect(await user('sqldr', { path: '/', filename: 'none.sql' })).toMatchObject({ success: false, err: 'E_DISABLED' });
  for (const section of ['gzip', 'cache', 'pass', 'url']) expect(await user('set_init', { section }), section).toMatchObject({ qk: 1 });
});

it('has a page with tabs in both languages', async () => {
  for (const tab of ['', '?tab=redirects', '?tab=passwords', '?tab=hotlink', '?tab=speed', '?tab=nonsense'])
    for (const language of ['zh-CN', 'en']) {
      const response = await panel.fetch(`/user/site-settings${tab}`, { headers: { Cookie: owner, 'Accept-Language': language } });
      expect(response.status, tab).toBe(200);
      expect(await response.text()).toContain(language === 'en' ? 'Site settings' : '站点设置');
    }
});

describe('settings of any host', () => {
  const english = { headers: { 'Accept-Language': 'en' } };

  it('can be changed by administrators who name it, but not by owners', async () => {
    const host = { id: String(id) };
    write('other.html', 'the other');
    expect(await panel.admin('xgmrwd', { ...host, ml: 'other.html' })).toMatchObject({ success: true });
    expect((await visit('/')).text).toBe('the other');
    expect(await panel.admin('cdxtj', { ...host, ly: '/from', mb: '/to' })).toMatchObject({ success: true });
    const { rows } = (await panel.admin('cdxlb', host)) as unknown as { rows: { id: string; host: string }[] };
    expect(rows).toMatchObject([{ host: host.id }]);
    expect(await panel.admin('cdxsc', { ...host, cdx: rows[0]!.id })).toMatchObject({ success: true });
    expect((await visit('/from')).status).toBe(404);
    expect(await panel.admin('xgmrwd', { ml: 'index.html' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('xgmrwd', { id: '99999', ml: 'index.html' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    const stranger = await panel.signInUser('stranger1');
    const body = new URLSearchParams({ gn: 'xgmrwd', ...host, ml: 'mine.html' });
    await panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: stranger } });
    expect(await user('set_init', { section: 'mrwd' })).toMatchObject({ msg: { index: 'other.html' } });
  });

  it('have a page on the admin side, linked from the page of the host', async () => {
    expect(await (await panel.adminFetch(`/admin/host?id=${id}`, english)).text()).toContain(`/admin/host-settings?id=${id}`);
    for (const tab of ['pages', 'redirects', 'passwords', 'hotlink', 'speed']) {
      const page = await (await panel.adminFetch(`/admin/host-settings?id=${id}&tab=${tab}`, english)).text();
      expect(page).toContain('Site settings of owner01');
      expect(page).toContain(`<input type="hidden" name="id" value="${id}">`);
    }
    for (const bad of ['', '0', '99999', 'x']) expect((await panel.adminFetch(`/admin/host-settings?id=${bad}`)).status).toBe(404);
  });
});
