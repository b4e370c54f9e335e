import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createTestPlace, type TestPlace } from '../support/database.js';
import { freePort, ServerProcess } from '../support/server-process.js';
import { StoreClient } from '../support/store.js';

let place: TestPlace;
const running: ServerProcess[] = [];
beforeEach(async () => {
  place = await createTestPlace();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop('SIGKILL')));
  await place.dispose();
});

const start = async (env: NodeJS.ProcessEnv): Promise<ServerProcess> => {
  const server = await ServerProcess.start(place, env);
  running.push(server);
  return server.ready();
};
/** The source files of a script: those in its source map, if it was bundled. */
const filesOf = (url: string): string[] => {
  const map = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
  return map !== '' && existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources : [url];
};
/** Names of the packages a process has loaded: Node records each script in the folder of NODE_V8_COVERAGE. */
const packagesLoaded = (folder: string): string[] => {
  const notes = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] });
  const files = notes.flatMap(({ result }) => result.flatMap(({ url }) => filesOf(url)));
  return [...new Set(files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ''))];
};
const status = async (server: ServerProcess, path: string, method = 'GET'): Promise<number> =>
  (await fetch(server.url + path, { method, redirect: 'manual' })).status;

describe('a process', { timeout: 90_000 }, () => {
  it('with SERVICES=store is a store without a panel, says where it is, and exits cleanly', async () => {
    const server = await start({ SERVICES: 'store' });
    expect(server.output).toContain(`${server.url}/store/\n`);
    expect(server.output).toContain(`${server.url}/api/docs`);
    expect(server.output).not.toContain('/admin/');
    expect(server.output).toMatch(/Administrator: admin \(store\)\n {2}Password: {6}svc-panel-admin\n/);
    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as object;
    expect(ready).toEqual({ status: 'ready', started: true, database: true, services: ['store'], failed_plugins: [], packages: true });
    expect(await status(server, '/healthz')).toBe(200);
    expect((await fetch(`${server.url}/`, { redirect: 'manual' })).headers.get('location')).toBe('/store/');
    for (const path of ['/admin/', '/admin/ajax.php', '/user/', '/pay/x/notify', '/api/api.php', '/api/node.php'])
      expect(await status(server, path), path).toBe(404);
    // Addresses that are no page have no link to another site, however they are requested.
    const page = await (await fetch(`${server.url}//elsewhere.example/?x=1`)).text();
    expect(page.match(/href="[^"]*lang=en"/g)).toEqual(['href="/elsewhere.example/?x=1&amp;lang=en"']);
    const typeOf = async (path: string): Promise<string | null> => (await fetch(server.url + path)).headers.get('content-type');
    expect([await typeOf('/nothing'), await typeOf('/api/nothing')]).toEqual([
      'text/html; charset=utf-8',
      'application/json; charset=utf-8',
    ]);
    const client = new StoreClient(server.url);
    expect((await client.login('admin', 'svc-panel-admin')).data.role).toBe('admin');
    expect((await client.get('/admin/logs')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('loads rarely needed code with the first request for it, not at startup', async () => {
    const folder = join(place.dataDir, 'loaded');
    const server = await start({ NODE_V8_COVERAGE: folder });
    expect(await server.stop()).toBe(0);
    const loaded = packagesLoaded(folder);
    for (const name of ['@nestjs/core', 'typeorm', 'liquidjs']) expect(loaded).toContain(name);
    for (const name of ['@nestjs/swagger', 'opentype.js', 'qrcode', 'sanitize-html', 'sharp', 'unzipper'])
      expect(loaded).not.toContain(name);
  });

  it('writes no secret to its log', async () => {
    const server = await start({ SERVICES: 'store', LOG_LEVEL: 'debug' });
    const client = new StoreClient(server.url);
    await client.register('logged', 'planted-secret-1');
    const { data } = await client.call<{ token: string }>('POST', '/auth/tokens', { name: 'x', scopes: ['read'] });
    await client.call('GET', '/auth/me?secret=planted-query', undefined, { authorization: `Bearer ${data.token}` });
    await client.call('PUT', '/auth/password', { oldPassword: 'planted-secret-1', newPassword: 'planted-secret-2' });
    await client.call('PUT', '/auth/password', { oldPassword: 'planted-secret-3', newPassword: 'planted-secret-2' });
    expect(await server.stop()).toBe(0);
    expect(server.output).toContain('/api/auth/password');
    for (const secret of ['planted-', data.token, client.cookie.split('=')[1]!, 'logged@example.org', '$2b$'])
      expect(server.output).not.toContain(secret);
  });

  it('with an unavailable bucket starts, says what to do, and keeps the keys secret', async () => {
    const keys = { STORE_S3_ACCESS_KEY: 'planted-access', STORE_S3_SECRET_KEY: 'planted-secret-key' };
    const server = await start({
      SERVICES: 'store',
      STORE_S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      STORE_S3_BUCKET: 'nowhere',
      ...keys,
    });
    await expect
      .poll(async () => ((await (await fetch(`${server.url}/readyz`)).json()) as { packages: boolean | null }).packages)
      .toBe(false);
    expect(server.output).toMatch(/"bucket":"nowhere".*"msg":"the bucket for packages is unavailable: .*check STORE_S3_/);
    expect(await server.stop()).toBe(0);
    expect(server.output).not.toContain('planted-');
  });

  it('with SERVICES=panel has no store', async () => {
    const server = await start({ SERVICES: 'panel' });
    expect(server.output).not.toContain('/api/docs');
    expect(server.output).not.toContain('/store/');
    expect(server.output).toMatch(/Administrator: admin\n/);
    for (const path of ['/api/auth/me', '/api/docs', '/api/nothing', '/store/']) expect(await status(server, path), path).toBe(404);
    expect(await status(server, '/admin/')).not.toBe(404);
  });

  it('in production creates one random administrator for both, once, and never accepts the default', async () => {
    const production = { NODE_ENV: 'production', CAPTCHA: 'svg' };
    const server = await start(production);
    const password = /Administrator: admin \(panel and store\)\n {2}Password: {6}(\S{20})\n/.exec(server.output)?.[1];
    expect(password).toBeDefined();
    await server.stop();
    const again = await start(production);
    expect(again.output).not.toContain('Administrator:');
    await again.stop();
    // Without a captcha: the password is the printed one.
    const client = new StoreClient((await start({ SERVICES: 'store' })).url);
    expect((await client.login('admin', 'svc-panel-admin')).status).toBe(401);
    expect((await client.login('admin', password!)).data.role).toBe('admin');
  });

  it('with SERVICES=worker alone says what to do', async () => {
    const server = await ServerProcess.start(place, { SERVICES: 'worker' });
    expect(await server.ended).toBe(1);
    expect(server.output).toContain('SERVICES must contain "panel" or "store"');
  });
});
