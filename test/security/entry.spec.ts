import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { HostingService } from '../../src/hosting/index.js';
import { OperationRegistry, NoInput, type OperationDeclaration } from '../../src/operations/index.js';
import { checkDeclaration } from '../../src/operations/operation-discovery.js';
import { Orders } from '../../src/payment/index.js';
import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient, sendRaw } from '../support/panel-client.js';

const SLUG = 'entrance';
const PASSWORD = 'admin-secret-1';
/** Operations that a valid id could use to delete the fixture. */
const CHANGES_HOSTS = /^(zj(sc|scxz|zt|xf|czmm|xgjl|mode)|btsc|xgjl|btmy..|set_node_php)$/;
const OWN_POLICY = "default-src 'none'";

const PLUGIN = `
const html = '<p>plugin html</p>';
module.exports = (svc) => {
  svc.svc_register_ajax('user', 'p_html', () => html, null);
  svc.svc_register_page('admin', 'index', () => html, 'Entrance');
  svc.svc_register_route('*', '/entrance/html', (p, ctx) => '<script nonce="' + ctx.nonce + '">1</script>');
  svc.svc_register_route('*', '/entrance/reply', () => ({ status: 201, headers: { 'content-TYPE': 'text/html' }, body: html }));
  svc.svc_register_route('*', '/entrance/own', () => ({ headers: { 'content-security-policy': "${OWN_POLICY}",
    'cache-control': 'max-age=5', 'content-length': '1' }, body: html }));
  svc.svc_register_route('*', '/entrance/json', () => ({ fine: true }));
  svc.svc_register_route('*', '/entrance/open', () => ({ fine: true }), 10, null, { csrfExempt: true });
  svc.svc_register_payment('${SLUG}', { name: 'Entrance', methods: { test: 'Test' }, build: () => 'https://gateway.example/',
    notify: () => 'success', return: () => '/' });
};
`;

let place: TestPlace;
let panel: Panel;
let admin: PanelClient;
let user: PanelClient;

beforeAll(async () => {
  place = await createMigratedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off', ADMIN_PASSWORD: PASSWORD });
  const folder = join(place.dataDir, 'plugins', SLUG);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: SLUG, name: 'Entrance', version: '1.0.0' }));
  writeFileSync(join(folder, 'index.js'), PLUGIN);
  panel = await startPanel(place.config);
  admin = await new PanelClient(panel.url).login('admin', 'admin', PASSWORD);
  await admin.ajax('admin', { gn: 'plugin_install', slug: SLUG });
  expect((await admin.ajax('admin', { gn: 'plugin_enable', slug: SLUG, enabled: 'true' })).json).toMatchObject({ qk: 1 });
  await panel.app.get(HostingService).provision({ node: 'local', user: 'visitor1', password: 'host-secret', expiresOn: null }, 'admin');
  user = await new PanelClient(panel.url).login('user', 'visitor1', 'host-secret');
});
afterAll(async () => {
  await panel.close();
  await place.dispose();
});

describe('paths', () => {
  it.each(['admin', 'user'])('nothing but the exact path reaches an operation of /%s/ajax.php', async (side) => {
    const cookie = side === 'admin' ? `admin_token=${admin.cookies.get('admin_token')!}` : `user_token=${user.cookies.get('user_token')!}`;
    const post = (path: string) =>
      sendRaw(
        panel.url,
        `POST ${path} HTTP/1.1\r\nHost: panel\r\nCookie: ${cookie}\r\nContent-Type: ` +
          'application/x-www-form-urlencoded\r\nContent-Length: 9\r\nConnection: close\r\n\r\ngn=listhh',
      );
    expect(await post(`/${side}/ajax.php`)).toContain('"rows"');
    expect(await post(`/${side}/ajax.php?x=1`)).toContain('"rows"');
    const encoded = `%${side.charCodeAt(0).toString(16)}${side.slice(1)}`;
    for (const path of [
      `/${side.toUpperCase()}/AJAX.PHP`,
      `/${side}/Ajax.php`,
      `/${encoded}/ajax.php`,
      `/${side}/ajax%2ephp`,
      `/${side}%2fajax.php`,
      `//${side}/ajax.php`,
      `/${side}//ajax.php`,
      `/${side}/ajax.php/`,
      `/${side}/ajax.php;x=1`,
      `/${side};x=1/ajax.php`,
      `/./${side}/ajax.php`,
      `/x/../${side}/ajax.php`,
      `/${side}/./ajax.php`,
      `/${side}/ajax.php%00`,
      `/${side}/ajax.php%20`,
      `/${side}/ajax`,
      `\\${side}\\ajax.php`,
    ]) {
      const answer = await post(path);
      expect([path, /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]]).toEqual([path, expect.stringMatching(/^4\d\d$/)]);
      expect([path, answer.includes('"rows"')]).toEqual([path, false]);
    }
  });

  it('an operation accepts POST only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      expect((await admin.send('/admin/ajax.php?gn=listhh', { method })).text).not.toContain('"rows"');
  });
});

describe('a visitor who is not signed in', () => {
  it('gets exactly the same message from every operation except those for visitors', async () => {
    const visitor = new PanelClient(panel.url);
    const forVisitors = ['admin login', 'admin yzm', 'user login', 'user yzm', 'user zhmm', 'user zhmmcz'];
    const open: string[] = [];
    const records = panel.app
      .get(OperationRegistry)
      .all()
      .filter(({ owner }) => owner === 'core');
    expect(records.length).toBeGreaterThan(30);
    for (const { side, name } of records) {
      if (forVisitors.includes(`${side} ${name}`)) {
        open.push(`${side} ${name}`);
        continue;
      }
      // Signed in on the other side counts as not signed in.
      for (const who of [visitor, side === 'admin' ? user : admin]) {
        const answer = await who.ajax(side, { gn: name }, { 'accept-language': 'en' });
        expect([side, name, answer.status, answer.text]).toEqual([
          side,
          name,
          200,
          JSON.stringify({ code: side === 'admin' ? '请登陆后台' : '请登陆' }),
        ]);
      }
    }
    expect(open.sort()).toEqual(forVisitors);
  });

  it('learns no operation names; a signed-in caller is told that it does not exist', async () => {
    const visitor = new PanelClient(panel.url);
    for (const gn of ['nonsense', '', '__proto__', 'constructor', 'toString', 'LOGIN', ' login', 'login\u0000']) {
      expect((await visitor.ajax('admin', { gn })).text).toBe('{"code":"请登陆后台"}');
      expect((await visitor.ajax('user', { gn })).text).toBe('{"code":"请登陆"}');
      expect((await admin.ajax('admin', { gn })).json).toMatchObject({ success: false, qk: 4, code: '系统指令不存在！' });
      expect((await user.ajax('user', { gn })).json).toMatchObject({ success: false, qk: 4, code: '请求错误！' });
    }
  });
});

describe('a page of another site', () => {
  const own = () => new URL(panel.url).origin;
  const REFUSED = (): Record<string, string>[] => [
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'https://127.0.0.1.evil.example' },
    { origin: `${own()}.evil.example` },
    { origin: 'http://127.0.0.1:1' },
    { origin: '' },
    { origin: `${own()}, https://evil.example` },
    { origin: 'file://' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ];
  const PASSED = (): Record<string, string>[] => [
    {},
    { origin: own() },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: own(), 'sec-fetch-site': 'same-origin' },
  ];

  it('changes nothing, wherever it posts to; this site and scripts may', async () => {
    const order = await panel.app
      .get(Orders)
      .create({ user: 'visitor1', scene: 'test_scene', name: 'Thing', amount: 100, type: '', context: {} });
    const guarded: [PanelClient, string, string][] = [
      [admin, '/admin/ajax.php', 'gn=listhh'],
      [user, '/user/ajax.php', 'gn=listhh'],
      [user, '/user/ajax.php', 'gn=p_html'],
      [new PanelClient(panel.url), '/admin/ajax.php', 'gn=login'],
      [admin, `/admin/plugin.php?p=${SLUG}&page=index`, 'a=1'],
      [user, `/pay/order/${order.number}?k=${order.accessKey}`, 'type='],
      [user, '/entrance/json', 'a=1'],
    ];
    const exempt: [PanelClient, string, string][] = [
      [user, '/entrance/open', 'a=1'],
      [user, `/pay/${SLUG}/notify`, 'a=1'],
      [user, `/pay/${SLUG}/return`, 'a=1'],
      [user, '/api/api.php?gn=cfif', 'a=1'],
    ];
    const status = async ([client, path, body]: [PanelClient, string, string], headers: Record<string, string>) =>
      (await client.send(path, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }))
        .status;
    for (const target of guarded) {
      for (const headers of REFUSED()) expect([target[1], headers, await status(target, headers)]).toEqual([target[1], headers, 403]);
      for (const headers of PASSED()) expect([target[1], headers, await status(target, headers)]).not.toEqual([target[1], headers, 403]);
    }
    for (const target of exempt) {
      for (const headers of [...REFUSED(), ...PASSED()])
        expect([target[1], headers, await status(target, headers)]).not.toEqual([target[1], headers, 403]);
    }
    expect((await admin.ajax('admin', { gn: 'listhh' }, { origin: 'null' })).json).toMatchObject({
      success: false,
      qk: 4,
      err: 'E_CSRF',
      data: null,
    });
  });

  it('may link to a page', async () => {
    expect((await admin.send('/admin/', { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  });
});

describe('bodies', () => {
  it('whatever is sent gets a well-formed response, and never an internal error', async () => {
    const names = panel.app
      .get(OperationRegistry)
      .all()
      .filter(({ name }) => name !== 'logout' && name !== 'hhsc' && name !== 'gl' && name !== 'xgpass' && !CHANGES_HOSTS.test(name))
      .map(({ name }) => name);
    const types = [
      'application/x-www-form-urlencoded',
      'application/json',
      'application/json; charset=utf-16',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/xml',
      '',
    ];
    const body = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.json({ maxDepth: 4 }),
      fc
        .tuple(fc.constantFrom(...names), fc.json({ maxDepth: 2 }))
        .map(([gn, value]) => `{"gn":"${gn}","id":${value},"ids":${value},"user":${value},"page":${value}}`),
      fc
        .tuple(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 60 }))
        .map(([gn, value]) => `gn=${gn}&id=${encodeURIComponent(value.toWellFormed())}&${value}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('admin', 'user'),
        fc.boolean(),
        fc.constantFrom(...types),
        body,
        async (side, signedIn, type, text) => {
          const client = signedIn ? (side === 'admin' ? admin : user) : new PanelClient(panel.url);
          const answer = await client.send(`/${side}/ajax.php`, {
            method: 'POST',
            body: Buffer.from(text),
            headers: type ? { 'content-type': type } : {},
          });
          expect([200, 204, 413]).toContain(answer.status);
          if (answer.status !== 204 && !answer.headers.get('content-type')!.startsWith('text/html'))
            expect(typeof answer.json).toBe('object');
        },
      ),
      { numRuns: 400 },
    );
  });

  it('no list parameter reaches the database as SQL', async () => {
    const lists = panel.app
      .get(OperationRegistry)
      .all()
      .filter(({ name, owner }) => owner === 'core' && name.startsWith('list'));
    expect(lists.length).toBeGreaterThan(6);
    const nasty = fc.oneof(
      fc.constantFrom(
        "id'",
        'id; DROP TABLE SVC_zj',
        'id) UNION SELECT 1--',
        '(SELECT 1)',
        '__proto__',
        'constructor',
        '`',
        '"',
        '\\',
        '%',
        '_',
        '\u0000',
        '[]',
        '1e9',
        '-1',
        '99999999999999999999',
      ),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    const where = fc.oneof(
      nasty,
      fc.tuple(nasty, fc.constantFrom('1', '2', '3', ''), nasty).map(([name, type, value]) => JSON.stringify({ name, type, value })),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lists),
        fc.record(
          { sort: nasty, sortOrder: nasty, where, ss: nasty, page: nasty, limit: nasty, qk: nasty, scene: nasty },
          { requiredKeys: [] },
        ),
        async ({ side, name }, fields) => {
          const answer = await (side === 'admin' ? admin : user).ajax(side, { gn: name, ...(fields as Record<string, string>) });
          expect([name, fields, answer.status]).toEqual([name, fields, 200]);
          expect(answer.text).not.toMatch(/SQLITE_|ER_[A-Z]+|syntax error|error in your SQL/);
        },
      ),
      { numRuns: 400 },
    );
    expect((await admin.ajax('admin', { gn: 'listzj' })).json).toMatchObject({ total: 1 });
  });

  it('larger than a megabyte are rejected', async () => {
    for (const side of ['admin', 'user'] as const) {
      const answer = await new PanelClient(panel.url).send(`/${side}/ajax.php`, {
        method: 'POST',
        body: `gn=login&user=${'a'.repeat(1024 * 1024)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(answer.status).toBe(413);
      expect(answer.json).toMatchObject({ success: false, qk: 4 });
    }
  });
});

describe('HTML of plugins', () => {
  it.each(['/entrance/html', '/entrance/reply', '/user/ajax.php'])('%s carries the headers of every page', async (path) => {
    const answer = path.endsWith('ajax.php') ? await user.ajax('user', { gn: 'p_html' }) : await user.send(path);
    expect(answer.headers.get('content-type')).toContain('text/html');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+'/);
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    if (path === '/entrance/html') expect(policy).toContain(`'nonce-${/nonce="([^"]+)"/.exec(answer.text)![1]!}'`);
  });

  it('a header set by the plugin itself is not duplicated', async () => {
    const answer = await sendRaw(panel.url, 'GET /entrance/own HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n');
    expect(answer.match(/^content-security-policy:.*$/gim)).toEqual([`content-security-policy: ${OWN_POLICY}`]);
    expect(answer.match(/^cache-control:.*$/gim)).toEqual(['cache-control: max-age=5']);
    expect(answer.match(/^content-length:.*$/gim)).toHaveLength(1);
    expect(answer).toContain('<p>plugin html</p>');
  });

  it('JSON gets no page headers', async () => {
    expect((await user.send('/entrance/json')).headers.get('content-security-policy')).toBeNull();
  });
});

describe('an operation', () => {
  const whole: OperationDeclaration = { side: 'admin', gn: 'fine', auth: 'admin', input: NoInput, audit: null, rate: 'read' };
  it('does not boot unless it declares a policy, form and audit text', () => {
    expect(() => checkDeclaration(whole, 'here')).not.toThrow();
    for (const [lacking, text] of [
      [{ auth: undefined }, 'auth'],
      [{ auth: 'everybody' }, 'auth'],
      [{ auth: 'user' }, 'own side'],
      [{ input: undefined }, 'input'],
      [{ audit: undefined }, 'audit'],
      [{ audit: 'no.such_text' }, 'language'],
      [{ gn: '' }, 'gn'],
      [{ gn: 'p_mine' }, 'p_'],
      [{ side: 'node' }, 'side'],
    ] as const) {
      expect(() => checkDeclaration({ ...whole, ...lacking } as OperationDeclaration, 'here')).toThrow(text);
    }
  });
});
