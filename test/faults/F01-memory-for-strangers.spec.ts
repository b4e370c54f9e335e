import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { createStartedPlace, type TestPlace } from '../support/database.js';
import { ServerProcess } from '../support/server-process.js';
import { StalledClients, type StalledRequest } from '../support/stalled-clients.js';
import { pluginZip } from '../support/store-packages.js';

const MEBIBYTE = 1024 * 1024;
const CLIENTS = 200;
/** How long memory is observed: by then a client's initial data has arrived, and rejected requests are no longer waited for. */
const WATCHED_MS = 1_000;
/** The stalling clients and the concurrent uploads; the test is a proxy for both. */
const STALLING = { 'x-forwarded-for': '192.0.2.1' };
const OTHER = { 'x-forwarded-for': '198.51.100.7' };

let place: TestPlace;
let server: ServerProcess;
/** Cookies of the administrator, two customers and two store developers: those who stall and those who do not. */
let admin: string;
let [stallingCustomer, customer] = ['', ''];
let [stallingDeveloper, developer] = ['', ''];

const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) });
const cookieOf = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))!
    .split(';')[0]!;
async function ajax(side: 'admin' | 'user', fields: Record<string, string>, cookie = ''): Promise<Response> {
  return fetch(`${server.url}/${side}/ajax.php`, { ...form(fields), headers: { cookie, ...OTHER } });
}
async function register(username: string): Promise<string> {
  const body = JSON.stringify({ username, password: 'secret-1', email: `${username}@example.org` });
  const response = await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...OTHER },
  });
  return cookieOf(response, 'connect.sid');
}

beforeAll(async () => {
  place = await createStartedPlace({});
  server = await ServerProcess.start(place, { RATE_LIMIT: 'off', TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'fatal' });
  await server.ready();
  admin = cookieOf(await ajax('admin', { gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD }), 'admin_token');
  const account = async (user: string): Promise<string> => {
    await ajax('admin', { gn: 'addzj', user, pass: 'secret-pass-1', btdh: 'local' }, admin);
    return cookieOf(await ajax('user', { gn: 'login', user, pass: 'secret-pass-1' }), 'user_token');
  };
  [stallingCustomer, customer] = [await account('owner01'), await account('owner02')];
  for (const gn of ['plugin_install', 'plugin_enable']) await ajax('admin', { gn, slug: 'sandbox', enabled: 'true' }, admin);
  [stallingDeveloper, developer] = [await register('staller'), await register('maker')];
  // Memory a process allocates when it does something for the first time is not measured.
  for (let i = 0; i < 3; i += 1) await somebodyElse();
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await place?.dispose();
});

/** Uploads of unrelated people: files of a customer and of the administrator, a package for the store. */
async function somebodyElse(): Promise<unknown[]> {
  const files = async (side: 'admin' | 'user', cookie: string): Promise<unknown> => {
    const body = new FormData();
    body.append('gn', 'nonsense');
    body.append('file', new File([Buffer.alloc(MEBIBYTE)], 'a.bin'));
    const response = await fetch(`${server.url}/${side}/ajax.php`, { method: 'POST', body, headers: { cookie, ...OTHER } });
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const body = new FormData();
  body.append('type', 'plugin');
  body.append('slug', 'fine');
  body.append('zipfile', new File([await pluginZip('fine')], 'fine.zip'));
  const dryRun = await fetch(`${server.url}/api/developer/validate`, { method: 'POST', body, headers: { cookie: developer, ...OTHER } });
  return [await files('user', customer), await files('admin', admin), dryRun.status];
}

const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const START = '--x\r\nContent-Disposition: form-data; name="zipfile"; filename="a.zip"\r\n\r\n';
const fileOf = (bytes: number): Buffer => Buffer.concat([Buffer.from(START), Buffer.alloc(bytes, 'x')]);
const fields = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const SIGNED = { 'x-svc-time': '1795228338', 'x-svc-nonce': 'n1', 'x-svc-sign': 'a'.repeat(64) };

/** Every way in: as much of a body as it accepts, without the end. */
const ENTRANCES: [name: string, path: string, headers: () => Record<string, string>, bytes: number][] = [
  ['an operation of the admin side', '/admin/ajax.php', () => fields, MEBIBYTE],
  ['an operation of the user side', '/user/ajax.php', () => fields, MEBIBYTE],
  ['files of a stranger', '/user/ajax.php', () => multipart, 2 * MEBIBYTE],
  ['files of a customer', '/user/ajax.php', () => ({ ...multipart, cookie: stallingCustomer }), MEBIBYTE],
  ['a page', '/pay/order/20260101000000', () => fields, MEBIBYTE],
  ['a callback of a gateway', '/pay/sandbox/notify', () => fields, MEBIBYTE],
  ['the provisioning API', '/api/api.php?gn=kt', () => fields, MEBIBYTE],
  ['the node API, under the name of no node', '/api/node.php?act=report_result', () => ({ ...json, 'x-svc-node': 'nobody' }), 8 * MEBIBYTE],
  ['the node API, unsigned', '/api/node.php?act=report_result', () => json, MEBIBYTE],
  [
    'the node API, under a name that is one',
    '/api/node.php?act=report_result',
    () => ({ ...json, ...SIGNED, 'x-svc-node': 'known' }),
    8 * MEBIBYTE,
  ],
  ['the store', '/api/auth/login', () => json, 64 * 1024],
  ['the store, signed in', '/api/auth/profile', () => ({ ...json, cookie: stallingDeveloper }), 512 * 1024],
  ['an upload to the store', '/api/developer/validate', () => ({ ...multipart, cookie: stallingDeveloper }), MEBIBYTE],
];

describe('F1 memory for strangers', () => {
  beforeAll(async () => {
    expect(await (await ajax('admin', { gn: 'addnode', bt_id: '1', node_id: 'known' }, admin)).json()).toMatchObject({ success: true });
  });

  it.each(ENTRANCES)('200 stalled clients of %s cost less than 64 MB and delay nobody else', async (_name, path, headers, bytes) => {
    for (const manner of ['declared', 'dripping', 'chunked']) {
      const sent =
        path.includes('developer') || headers()['content-type'] === multipart['content-type']
          ? fileOf(bytes - 2_048)
          : Buffer.alloc(bytes - 2_048, ' ');
      const request: StalledRequest = { path, headers: { ...headers(), ...STALLING }, sent, declared: manner === 'chunked' ? null : bytes };
      const before = server.memory();
      const clients = await StalledClients.open(server.port, CLIENTS, request);
      const stopDripping = manner === 'dripping' ? clients.drip(100) : () => undefined;
      try {
        // From the first moment, not only once things have settled.
        let most = 0;
        for (const end = performance.now() + WATCHED_MS; performance.now() < end; await pause(50))
          most = Math.max(most, server.memory() - before);
        expect(await somebodyElse()).toEqual([[200, '请求错误！'], [200, '系统指令不存在！'], 200]);
        most = Math.max(most, server.memory() - before);
        expect(most / MEBIBYTE).toBeLessThan(64);
      } finally {
        stopDripping();
        clients.close();
      }
    }
  });
});
