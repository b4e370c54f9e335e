import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import type { HostRecord } from '../../sdk/index.js';
import { HostingAccount, HostingService, SitesAddress, SitesServer } from '../index.js';
import { TrafficMeter } from '../traffic/index.js';
import { SiteLookup } from './site-lookup.js';

let hosting: TestHosting;
let service: HostingService;
let alice: HostRecord;
let port: number;
let folder: string;

beforeAll(async () => {
  hosting = await createTestHosting();
  service = hosting.app.get(HostingService);
  port = hosting.app.get(SitesServer).port;
  alice = await open('Alice01');
  folder = await folderOf(alice.id);
});
afterAll(() => hosting.dispose());

const open = (user: string) => service.provision({ node: 'bh1', user, password: 'secret-1', expiresOn: null }, 'api');

async function folderOf(id: number): Promise<string> {
  const { siteName } = await hosting.database.repository(HostingAccount).findOneByOrFail({ id });
  return join(hosting.config.dataDir, 'sites', siteName);
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends the path as it stands: nothing normalises it on the way. */
function ask(
  path: string,
  host = 'alice01.localhost',
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('sites server', () => {
  it('serves a new site under its host name, in any case and with a port', async () => {
    expect(alice.url).toBe(`http://alice01.localhost:${port}/`);
    for (const host of ['alice01.localhost', `ALICE01.LocalHost:${port}`, 'alice01.localhost.']) {
      const answer = await ask('/', host);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.body).toContain('Alice01 的网站已开通');
    }
  });

  it.each([
    'localhost',
    'nobody99.localhost',
    'alice01',
    'alice01.localhost.evil.example',
    'x.alice01.localhost',
    'alice01.localhost:80:80',
    '../alice01.localhost',
    "' OR 1=1--.localhost",
  ])('does not know a site for the host %s', async (host) => {
    const answer = await ask('/', host, { headers: { 'accept-language': 'en-GB,en;q=0.9' } });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('Site not found');
  });

  it('uses SITES_DOMAIN, and shows the public port', async () => {
    const clock = new Clock();
    const of = (domain: string) => new AppConfig({ SITES_DOMAIN: domain, SITES_PORT: '3080', TIMEZONE: 'UTC' });
    const config = of('Sites.Example.com:80');
    const lookup = new SiteLookup(hosting.database, config, clock, hosting.app.get(TrafficMeter));
    for (const host of ['alice01.sites.example.com', 'ALICE01.sites.example.com.:8080'])
      expect(await lookup.byHost(host), host).toMatchObject({ kind: 'open' });
    for (const host of [
      'alice01.localhost',
      'sites.example.com',
      'x.alice01.sites.example.com',
      'alice01.notsites.example.com',
      '.sites.example.com',
    ])
      expect(await lookup.byHost(host), host).toEqual({ kind: 'unknown' });
    expect(new SitesAddress(config).urlOf('Alice01', true)).toBe('http://alice01.sites.example.com/');
    expect(new SitesAddress(of('example.net')).urlOf('alice01', true)).toBe('http://alice01.example.net:3080/');
    expect(new SitesAddress(of('')).urlOf('alice01', true)).toBe('http://alice01.localhost:3080/');
    // Another server has the ports of the web to itself.
    expect(new SitesAddress(of('example.net')).urlOf('alice01', false)).toBe('http://alice01.example.net/');
  });

  it('trusts only the Host header, not forwarded headers of a visitor', async () => {
    const answer = await ask('/', 'nobody99.localhost', { headers: { 'x-forwarded-host': 'alice01.localhost' } });
    expect(answer.status).toBe(404);
  });

  it('serves files, index files and ranges, and lists no folder', async () => {
    mkdirSync(join(folder, 'public', 'docs'));
    mkdirSync(join(folder, 'public', 'empty'));
    writeFileSync(join(folder, 'public', 'docs', 'index.html'), 'the docs');
    writeFileSync(join(folder, 'public', '100% #1?.txt'), '0123456789');
    expect(await ask('/docs/')).toMatchObject({ status: 200, body: 'the docs' });
    expect((await ask('/docs')).headers.location).toBe('/docs/');
    expect((await ask('//evil.example/..//docs')).headers.location ?? '').not.toMatch(/^\/\//);
    expect((await ask('/empty/')).status).toBe(404);
    expect(await ask('/100%25%20%231%3F.txt?v=1')).toMatchObject({ status: 200, body: '0123456789' });
    expect(await ask('/100%25%20%231%3F.txt', undefined, { headers: { range: 'bytes=2-4' } })).toMatchObject({ status: 206, body: '234' });
    expect(await ask('/docs/', undefined, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('never leaves the web root', async () => {
    const secret = join(hosting.config.dataDir, 'secret.txt');
    writeFileSync(secret, 'TOP-SECRET');
    const bob = await open('bob00001');
    const bobRoot = join(await folderOf(bob.id), 'public');
    writeFileSync(join(folder, 'public', '.env'), 'TOP-SECRET');
    symlinkSync(secret, join(folder, 'public', 'link.txt'));
    symlinkSync(bobRoot, join(folder, 'public', 'bob'));
    symlinkSync('../site.json', join(folder, 'public', 'state.json'));
    mkdirSync(join(folder, 'public', 'trap'));
    symlinkSync(secret, join(folder, 'public', 'trap', 'index.html'));
    const paths = [
      '/../site.json',
      '/..%2fsite.json',
      '/%2e%2e/site.json',
      '/%2e%2e%2fsite.json',
      '/..\\site.json',
      '/..%5csite.json',
      '/%252e%252e/site.json',
      '/docs/../../site.json',
      '/./../site.json',
      '//../site.json',
      '/site.json%00',
      '/%c0%ae%c0%ae/site.json',
      '/.env',
      '/%2eenv',
      '/link.txt',
      '/bob',
      '/bob/',
      '/bob/index.html',
      '/state.json',
      '/trap/',
      '/trap',
      '/trap/index.html',
      `/${'a'.repeat(5_000)}`,
      '/%',
      '/%zz',
    ];
    for (const path of paths) {
      const answer = await ask(path);
      expect(answer.body, path).not.toMatch(/TOP-SECRET|ownerMark|bob00001/);
      expect(path === '/trap' ? [301, 404] : /env$/.test(path) ? [403] : [404], path).toContain(answer.status);
    }
  });

  it('never sends programs or hidden files in any spelling, and says why', async () => {
    const root = join(folder, 'public');
    for (const path of ['app', '.git', '.well-known', 'linked']) mkdirSync(join(root, path));
    for (const file of [
      'index.php',
      'UP.PHP',
      'x.php ',
      'x.php.',
      'app/config.php.bak',
      'run.py',
      'prod.env',
      '.git/config',
      '.htaccess',
      '.well-known/.env',
      '.well-known/x.php',
    ]) {
      writeFileSync(join(root, file), 'TOP-SECRET');
    }
    symlinkSync('index.php', join(root, 'readme.txt'));
    symlinkSync('.git', join(root, 'git'));
    symlinkSync('../index.php', join(root, 'linked', 'index.html'));
    const paths = [
      '/index.php',
      '/index.php?x=1',
      '/index.PHP',
      '/UP.PHP',
      '/index.php/',
      '/index.php/info',
      '/x.php%20',
      '/x.php.',
      '/index%2ephp',
      '/index.%70hp',
      '//index.php',
      '/app/config.php.bak',
      '/index.php~',
      '/run.py',
      '/prod.env',
      '/a.php7',
      '/a.phtml',
      '/a.asp',
      '/a.aspx',
      '/a.jsp',
      '/a.cgi',
      '/a.pl',
      '/a.rb',
      '/a.sh',
      '/inc/database.inc',
      '/a.lua',
      '/a.PS1',
      '/a.bat.old',
      '/a.cmd',
      '/a.vbs',
      '/.git/config',
      '/.git/',
      '/.git',
      '/.htaccess',
      '/%2ehtaccess',
      '/.well-known/.env',
      '/.well-known/x.php',
      '/app/.well-known/x',
      '/.WELL-KNOWN/x',
      '/readme.txt',
      '/git/config',
      '/linked/',
    ];
    for (const path of paths) {
      const answer = await ask(path);
      expect([answer.status, answer.body.includes('TOP-SECRET')], path).toEqual([403, false]);
    }
    expect((await ask('/index.php')).body).toContain('这个文件不对访客开放');
    expect((await ask('/index.php', undefined, { headers: { 'accept-language': 'en' } })).body).toContain('This file is not for visitors');
  });

  it('sends files that only look like programs, and those in .well-known', async () => {
    const root = join(folder, 'public');
    mkdirSync(join(root, '.well-known', 'acme-challenge'), { recursive: true });
    for (const file of ['.well-known/acme-challenge/token', 'php.html', 'index.php.html', 'php', 'shell.shtml']) {
      writeFileSync(join(root, file), 'for everybody');
      expect(await ask(`/${file}`), file).toMatchObject({ status: 200, body: 'for everybody' });
    }
  });

  it('allows only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const answer = await ask('/', undefined, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });

  it('shows a notice in the visitor’s language, and no files, while a site is paused or expired', async () => {
    const { id } = await open('carol001');
    const host = 'carol001.localhost';
    await service.pause(id, 'admin', 'admin');
    const paused = await ask('/index.html', host);
    expect(paused).toMatchObject({ status: 503 });
    expect(paused.headers['retry-after']).toBe('3600');
    expect(paused.headers['cache-control']).toBe('no-store');
    expect(paused.body).toContain('网站已暂停');
    expect((await ask('/', host, { headers: { 'accept-language': 'en' } })).body).toContain('This site is paused');
    await service.unpause(id, 'admin', 'admin');
    expect((await ask('/', host)).status).toBe(200);
    await service.renew(id, '2020-01-01', 'admin');
    expect((await ask('/', host)).body).toContain('网站已到期');
    await service.renew(id, null, 'admin');
    expect((await ask('/', host)).status).toBe(200);
    await service.terminate(id, 'admin');
    expect((await ask('/', host)).status).toBe(404);
  });

  it('keeps the files of a deleted site in the recycle folder, and the name can be reused', async () => {
    const first = await open('dave0001');
    const gone = await folderOf(first.id);
    writeFileSync(join(gone, 'public', 'mine.txt'), 'mine');
    await service.terminate(first.id, 'admin');
    expect(existsSync(gone)).toBe(false);
    const recycle = join(hosting.config.dataDir, 'recycle');
    const kept = readdirSync(recycle).find((name) => existsSync(join(recycle, name, 'public', 'mine.txt')));
    expect(kept).toBeDefined();
    await open('DAVE0001');
    expect((await ask('/mine.txt', 'dave0001.localhost')).status).toBe(404);
    expect((await ask('/', 'dave0001.localhost')).status).toBe(200);
  });

  it('survives invalid HTTP', async () => {
    await new Promise<void>((resolve) => {
      connect(port, '127.0.0.1', function (this: Socket) {
        this.on('close', () => resolve())
          .on('error', () => undefined)
          .resume()
          .end('\0\0 nonsense\r\n\r\n');
      });
    });
    expect((await ask('/')).status).toBe(200);
  });
});
