import { request, type IncomingHttpHeaders } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';

import { TestPanel } from '../../test/support/panel.js';
import { functionPlugin, writePlugin } from '../../test/support/plugins.js';
import { RateGate, RateLimited } from '../auth/index.js';
import { CallDeadlines, errorMessage } from '../common/index.js';
import { Routes } from '../operations/index.js';

import { OwnAddresses } from './own-addresses.js';
import { RouteEntry } from './route-entry.js';

const MEBIBYTE = 1024 * 1024;
/** A character no browser sends as it is: such an address is for the router. */
const BY_THE_ROUTER = '"';

let panel: TestPanel;
let entry: MockInstance<RouteEntry['tryHandle']>;

beforeAll(async () => {
  panel = await TestPanel.start();
  Object.assign(panel.get(CallDeadlines), { route: 100, breakerMisses: 1_000 });
  writePlugin(
    panel.dataDir,
    'ways',
    functionPlugin(`
    svc.svc_register_route('GET', '/ways/{id}', (params, ctx) => ({ q: ctx.query.q ?? null, lang: ctx.locale, ip: ctx.ip }));
    svc.svc_register_route('HEAD', '/ways/head/{id}', () => ({ status: 202, headers: { 'X-Way': 'own' }, body: 'nobody reads this' }));
    svc.svc_register_route('OPTIONS', '/ways/{id}', () => null);
    svc.svc_register_route('GET', '/ways/page/{id}', () => '<p>a page</p>');
    svc.svc_register_route('GET', '/ways/not/mine/{id}', () => false);
    svc.svc_register_route('GET', '/ways/throws/{id}', () => { throw new Error('planted'); });
    svc.svc_register_route('GET', '/ways/hangs/{id}', () => new Promise(() => undefined));
    svc.svc_register_route('GET', '/ways/admins/{id}', () => 'in', 10, 'admin');
    svc.svc_register_route('POST', '/ways/{id}', (params, ctx) => ({ bytes: ctx.rawBody.length, body: ctx.body }));
    svc.svc_register_route('POST', '/pay/ways/notify', (params, ctx) => ctx.body.sign ?? 'unsigned', 10, null, { csrfExempt: true });
    for (const path of ['/{any}/login', '/{any}/api.php', '/{any}/order/{number}', '/{any}/0123456789abcdef/{name}', '/{any}/unused']) {
      svc.svc_register_route('*', path, () => ({ status: 418, body: 'the plugin' }));
    }
  `),
  );
  await panel.enable('ways');
});
afterAll(() => panel.close());

beforeEach(() => {
  entry?.mockRestore();
  entry = vi.spyOn(panel.get(RouteEntry), 'tryHandle');
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Sends a target exactly as it is written. */
function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: new URL(panel.url).port, method, path, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode!, headers: steady(res.headers), text: text.replace(/nonce="[^"]*"/g, '') }));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** What a plugin is told that registers a route. */
function registered(path: string): string {
  try {
    panel.get(Routes).add({ method: 'GET', path, owner: 'guest', handler: null as never })();
    return 'open';
  } catch (error) {
    return errorMessage(error);
  }
}

/** Headers without what is different in every answer, or with every address. */
function steady({
  date: _date,
  'x-request-id': _id,
  'content-security-policy': policy = '',
  location = '',
  ...headers
}: IncomingHttpHeaders): Record<string, unknown> {
  return { ...headers, policy: String(policy).replace(/'nonce-[^']*'/, ''), location: location.replace(/[^/]$/, '') };
}

describe('the fast path of routes', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  it.each<[string, number, string, string, { headers?: Record<string, string>; body?: string | Buffer }?]>([
    [
      'JSON with query, language and cookies',
      200,
      'GET',
      '/ways/*?q=1',
      { headers: { cookie: 'lang=en; user_token=none', 'accept-language': 'en' } },
    ],
    ['a choice of language', 302, 'GET', '/ways/page/*?lang=en'],
    ['a page with its headers', 200, 'GET', '/ways/page/*'],
    ['HEAD', 202, 'HEAD', '/ways/head/*'],
    ['OPTIONS', 204, 'OPTIONS', '/ways/*'],
    ['a form', 200, 'POST', '/ways/*', { headers: FORM, body: 'a=1&b=%20' }],
    ['a body that is too large', 413, 'POST', '/ways/*', { headers: FORM, body: Buffer.alloc(MEBIBYTE + 1, 'a') }],
    ['a body that cannot be read', 400, 'POST', '/ways/*', { headers: { 'content-type': 'application/json' }, body: '{' }],
    [
      'another site',
      403,
      'POST',
      '/ways/*',
      { headers: { ...FORM, 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.test' }, body: 'a=1' },
    ],
    ['somebody who is not signed in', 200, 'GET', '/ways/admins/*'],
    ['a route that does not take it', 404, 'GET', '/ways/not/mine/*'],
    ['a route that throws', 500, 'GET', '/ways/throws/*'],
    ['a route that hangs', 504, 'GET', '/ways/hangs/*'],
  ])('answers as the router does: %s', async (_what, status, method, path, init) => {
    const short = await send(method, path.replace('*', 'x'), init);
    const long = await send(method, path.replace('*', BY_THE_ROUTER), init);
    expect(entry.mock.results.map(({ value }) => value as boolean)).toEqual([true, false]);
    expect(short.status).toBe(status);
    expect(short).toEqual(long);
  });

  it('counts as public, by address, and once', async () => {
    const gate = vi.spyOn(panel.get(RateGate), 'admit');
    await send('GET', '/ways/x');
    expect(gate.mock.calls).toEqual([['public', '127.0.0.1', null]]);
    gate.mockImplementation(() => {
      throw new RateLimited(7);
    });
    for (const accept of ['text/html', '*/*']) {
      const short = await send('GET', '/ways/x', { headers: { accept } });
      expect(short).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
      expect(short).toEqual(await send('GET', `/ways/${BY_THE_ROUTER}`, { headers: { accept } }));
    }
    gate.mockRestore();
  });

  it('handles the callbacks of gateways', async () => {
    const { status, text } = await send('POST', '/pay/ways/notify', {
      headers: { ...FORM, origin: 'https://gateway.test' },
      body: 'sign=abc',
    });
    expect([status, text, entry.mock.results[0]!.value]).toEqual([200, 'abc', true]);
  });

  it('leaves a method without a route to the router, and so to the not-found page', async () => {
    for (const [method, path] of [
      ['HEAD', '/ways/x'],
      ['PUT', '/ways/x'],
      ['GET', '/ways'],
      ['GET', '/WAYS/x'],
    ] as const) {
      const { status } = await send(method, path);
      expect([method, path, status, entry.mock.results.at(-1)!.value]).toEqual([method, path, 404, false]);
    }
  });

  it("never handles the panel's own paths", async () => {
    for (const path of [
      '/admin/login',
      '/admin/login/',
      '/user/',
      '/user/login',
      '/pay/order/1',
      '/healthz',
      '/api/api.php',
      '/pay/order/1#x',
    ]) {
      const { status } = await send('GET', path);
      const results = entry.mock.results.map(({ value }) => value as boolean);
      expect([path, results.includes(true), status === 418]).toEqual([path, false, false]);
    }
    expect(await send('GET', '/elsewhere/login')).toMatchObject({ status: 418 });
    // Nothing of the panel's is there, and it is the panel's all the same; a form without its address as path, too.
    for (const path of ['/admin/unused', '/USER/unused', '/%61dmin/unused', '/store/unused', '/index.php?_r=/admin/unused'])
      expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
    expect(await send('GET', '/assets/0123456789abcdef/none.js')).toMatchObject({ status: 404 });
  });

  it("are refused below the panel's own addresses and other gateways', naming those that are open", () => {
    const own = [...panel.get(OwnAddresses)['beginnings'].keys()].filter((first) => first !== '/pay');
    expect(own.length).toBeGreaterThan(12);
    const taken = [...own, '/Admin', '/%75ser', '/store'].map((first) => `${first}/unused`);
    for (const path of [...taken, '/pay', '/pay/order/1', '/pay/epay/notify', '/pay/{any}/notify', '/pay/{any}'])
      expect([path, registered(path)]).toEqual([
        path,
        expect.stringMatching(/^The route ".*" was rejected.*\/p\/guest\/…, \/pay\/guest\/…, .*none of pay, admin/),
      ]);
    for (const path of [
      '/',
      '/guest',
      '/p/guest/health',
      '/pay/guest/pay',
      '/pay/{plugin}/return',
      '/site/api/news/{id}',
      '/{page}',
      '/adminx',
    ])
      expect([path, registered(path)]).toEqual([path, 'open']);
  });
});
