/** Bundled plugins and themes are packages: the build starts and works without any of them. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../src/config/index.js';

import { createTestPlace, type TestPlace } from './support/database.js';
import { ServerProcess } from './support/server-process.js';

let root: string;
let place: TestPlace;
let server: ServerProcess;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-bare-'));
  for (const part of ['dist', 'package.json']) cpSync(join(PACKAGE_ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(root, 'node_modules'));
  rmSync(join(root, 'dist/plugins'), { recursive: true });
  place = await createTestPlace();
  server = await (await ServerProcess.start(place, { RATE_LIMIT: 'off' }, undefined, root)).ready();
});
afterAll(async () => {
  await server.stop();
  await place.dispose();
  rmSync(root, { recursive: true });
});

it('serves the home page, both sides, operations, assets and the store', { timeout: 60_000 }, async () => {
  for (const folder of ['plugins', 'themes', 'dist/plugins']) expect(existsSync(join(root, folder))).toBe(false);
  const visitor = async (path: string, cookie = ''): Promise<string> => {
    const response = await fetch(server.url + path, {
      headers: { cookie, accept: 'text/html', 'accept-language': 'en' },
      redirect: 'manual',
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
  for (const path of ['/', '/admin/login', '/user/login', '/store/']) expect(await visitor(path)).toContain('</html>');
  const stylesheet = /href="([^"]+\.css)"/.exec(await visitor('/admin/login'))![1]!;
  expect((await visitor(stylesheet)).length).toBeGreaterThan(1_000);

  let cookie = '';
  const call = async (gn: string, fields: Record<string, string> = {}): Promise<{ success?: boolean; rows?: object[] }> => {
    const body = new URLSearchParams({ gn, ...fields });
    const response = await fetch(`${server.url}/admin/ajax.php`, { method: 'POST', headers: { cookie }, body });
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0]!);
    if (set.length > 0) cookie = set.join('; ');
    return (await response.json()) as { success?: boolean; rows?: object[] };
  };
  expect(await call('login', { user: 'admin', pass: DEFAULT_ADMIN_PASSWORD })).toMatchObject({ success: true });
  for (const page of ['', 'hosts', 'servers', 'orders', 'plugins', 'settings', 'log']) {
    const html = await visitor(`/admin/${page}`, cookie);
    expect(html, page).toContain('</html>');
  }
  expect((await call('plugin_list')).rows).toEqual([]);
  expect(await call('addzj', { user: 'bare01', pass: 'a long password', btdh: 'local' })).toMatchObject({ success: true });
  expect((await call('listzj')).rows).toMatchObject([{ user: 'bare01' }]);
});
