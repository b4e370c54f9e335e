import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ThemeFixture } from './testing/theme-fixture.js';

const fixture = new ThemeFixture();
let server: Server;
let themeUrl: (name: string) => string | null;

beforeAll(async () => {
  mkdirSync(join(fixture.folder, 'aurora/assets/img'), { recursive: true });
  writeFileSync(join(fixture.folder, 'secret.css'), 'SECRET');
  fixture.install({
    'user/a.liquid': '',
    'assets/site.css': 'body{color:red}',
    'assets/img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/.env': 'SECRET',
    'assets/page.html': '<script>alert(1)</script>',
    'assets/run.php': 'SECRET',
    'assets/later.css': 'a{}',
    'assets/app.js': 'alert(1)',
    'assets/img/more.MJS': 'alert(1)',
  });
  symlinkSync(join(fixture.folder, 'secret.css'), join(fixture.folder, 'aurora/assets/link.css'));
  symlinkSync(fixture.folder, join(fixture.folder, 'aurora/assets/up'));
  themeUrl = (name) => fixture.assets.urlOf(name, fixture.catalogue.package('aurora')!);
  server = createServer(async (incoming, response) => {
    if (await fixture.assets.handle(incoming, response)) return;
    response.statusCode = 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  fixture.remove();
});

/** The path goes out exactly as written: no client tidies it up. */
function get(
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path, method, headers }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
    });
    call.on('error', reject).end();
  });
}

describe('assets', () => {
  it('are cached forever under the hash of their content', async () => {
    const answer = await get(themeUrl('site.css')!);
    expect(answer).toMatchObject({ status: 200, body: 'body{color:red}' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/css; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await get(themeUrl('site.css')!, 'GET', { 'if-none-match': String(answer.headers.etag) })).toMatchObject({
      status: 304,
      body: '',
    });
    expect(await get(themeUrl('site.css')!, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  it("come from the theme, else from the default theme, else from a library's package", async () => {
    // A theme's own scripts would run as the panel's.
    expect([themeUrl('img/more.MJS'), (await get(themeUrl('app.js')!)).body.includes('alert(1)')]).toEqual([null, false]);
    expect((await get(themeUrl('app.js')!)).headers['content-type']).toBe('text/javascript; charset=UTF-8');
    expect((await get(themeUrl('tabler.min.css')!)).body.length).toBeGreaterThan(100_000);
    expect(await get(themeUrl('img/logo.svg')!)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/svg+xml', 'content-security-policy': expect.stringContaining('sandbox') as string },
    });
    expect(themeUrl('none.css')).toBeNull();
  });

  it('include the used part of Tabler, or all of it with a third-party theme or plugin', async () => {
    const defaultTheme = fixture.catalogue.package('default')!;
    const used = (await get(fixture.assets.urlOf('tabler.min.css', defaultTheme)!)).body;
    const whole = (await get(themeUrl('tabler.min.css')!)).body;
    // A component that no page has, and one that every page has.
    expect([whole, used].map((css) => [css.includes('.accordion-item'), css.includes('.card-body')])).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(used.length).toBeLessThan(whole.length / 2);
    fixture.runsOthersPlugins = true;
    expect(fixture.assets.urlOf('tabler.min.css', defaultTheme)).toBe(themeUrl('tabler.min.css'));
    fixture.runsOthersPlugins = false;
  });

  it('are compressed for browsers, and support range requests', async () => {
    const whole = await get(themeUrl('tabler.min.css')!);
    const packed = await get(themeUrl('tabler.min.css')!, 'HEAD', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/css; charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': whole.headers['content-security-policy'],
    });
    expect(Number(packed.headers['content-length'])).toBeLessThan(whole.body.length / 8);
    const part = await get(themeUrl('tabler.min.css')!, 'GET', { 'accept-encoding': 'br', range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, body: whole.body.slice(10, 20) });
    expect(part.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-range': expect.stringMatching(/^bytes 10-19\/\d+$/) as string });
  });

  it('follow no symbolic link, and serve no dotfiles or executable types', () => {
    for (const name of ['link.css', 'up/secret.css', '.env', 'page.html', 'run.php', '../theme.json', 'constructor', '__proto__'])
      expect(themeUrl(name), name).toBeNull();
  });

  it.each([
    (hash: string) => `/assets/${hash}/../theme.json`,
    (hash: string) => `/assets/${hash}/..%2ftheme.json`,
    (hash: string) => `/assets/${hash}/%2e%2e/theme.json`,
    (hash: string) => `/assets/${hash}/..\\theme.json`,
    (hash: string) => `/assets/${hash}/img/../../theme.json`,
    (hash: string) => `/assets/${hash}//etc/passwd`,
    (hash: string) => `/assets/${hash}/.env`,
    (hash: string) => `/assets/${hash}/link.css`,
    (hash: string) => `/assets/${hash}/site.css%00.js`,
    (hash: string) => `/ASSETS/${hash}/site.css`,
    () => '/assets/0000000000000000/site.css',
    () => '/assets/site.css',
  ])('answer 404 to hostile path %#', async (path) => {
    const hash = themeUrl('site.css')!.split('/')[2]!;
    expect(await get(path(hash))).toMatchObject({ status: 404, body: '' });
  });

  it('answer only GET and HEAD', async () => {
    expect((await get(themeUrl('site.css')!, 'POST')).status).toBe(404);
  });

  it('reject a file that became a symbolic link after it was read', async () => {
    const url = themeUrl('later.css')!;
    expect((await get(url)).status).toBe(200);
    rmSync(join(fixture.folder, 'aurora/assets/later.css'));
    symlinkSync(join(fixture.folder, 'secret.css'), join(fixture.folder, 'aurora/assets/later.css'));
    expect(await get(url)).toMatchObject({ status: 404, body: '' });
  });
});
