import { request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OpenApiDocument } from '../../src/store/docs/index.js';
import { StoreUser } from '../../src/store/index.js';
import { tidyHtml } from '../support/tidy-html.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { storeRoutes } from '../support/store-routes.js';

let store: TestStore;
let people: Record<'anonymous' | 'developer' | 'admin', StoreClient>;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  people = { anonymous: store.visitor(), developer: await store.member('dev'), admin: await store.member('boss', 'admin') };
});
afterAll(() => store.close());

const routes = () => storeRoutes((type) => store.provider(type));
/** A path of a route with unused ids. */
const addressOf = (path: string): string => path.replace('/api', '').replace(/:\w+/g, '2000000000');

/** Sends bytes a browser would not. */
function raw(method: string, path: string, headers: Record<string, string>, body = ''): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(store.url);
    const req = request({ hostname, port, method, path, headers }, (res) => {
      let text = '';
      res
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve({ status: res.statusCode!, body: text }));
    });
    req.on('error', reject).end(body);
  });
}

describe('every endpoint', () => {
  it('declares access and describes itself', () => {
    expect(routes().length).toBeGreaterThan(14);
    expect(
      routes()
        .filter(({ access }) => !access)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('allows exactly the declared callers', async () => {
    const wrong: string[] = [];
    // Signing out would end the session the others need.
    for (const { method, path, access } of routes().filter(({ path }) => path.startsWith('/api/') && !path.endsWith('/logout'))) {
      const level = access!.level;
      const refusals = { anonymous: level !== 'public' ? 401 : 0, developer: level === 'admin' ? 403 : 0, admin: 0 };
      for (const [who, expected] of Object.entries(refusals) as [keyof typeof people, number][]) {
        const guest = new (people.anonymous.constructor as new (url: string) => StoreClient)(store.url);
        guest.cookie = people[who].cookie;
        const { status } = await guest.send(
          method,
          addressOf(path),
          method === 'GET' || method === 'DELETE' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } },
        );
        const isRefusal = (status === 401 && !path.endsWith('/login')) || status === 403;
        if (expected ? status !== expected : isRefusal || status >= 500) wrong.push(`${method} ${path} as ${who}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('that changes something rejects other sites', async () => {
    const wrong: string[] = [];
    for (const { method, path } of routes().filter(({ method }) => method !== 'GET')) {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        const answer = await raw(method, `/api${addressOf(path)}`, {
          cookie: people.admin.cookie,
          host: new URL(store.url).host,
          ...headers,
        });
        if (answer.status !== 403 || !answer.body.includes('"code":403'))
          wrong.push(`${method} ${path} ${JSON.stringify(headers)}: ${answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
    const own = await raw(
      'POST',
      '/api/auth/login',
      { host: new URL(store.url).host, origin: store.url, 'content-type': 'application/json' },
      '{"username":"x1","password":"secret-1"}',
    );
    expect(own.status).toBe(401);
  });
});

describe('the API description', () => {
  it('is an OpenAPI document with every endpoint, its forms and who may call it', async () => {
    const document = (await (await people.anonymous.send('GET', '/docs/openapi.json')).json()) as OpenApiDocument;
    expect(Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0)).toBe(routes().length);
    expect(document.paths['/api/auth/tokens']!.post).toMatchObject({
      security: [{ session: [] }],
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenForm' } } } },
    });
    expect(document.components.schemas.TokenForm).toMatchObject({
      required: ['name', 'scopes'],
      properties: { days: { minimum: 1, maximum: 365, default: 90 }, scopes: { type: 'array', items: { enum: ['read', 'publish'] } } },
    });
    expect(document.paths['/api/admin/users/{id}']!.put).toMatchObject({
      parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }],
    });
  });

  it('is a page of the store, with its policy and without own scripts or external content', async () => {
    const response = await people.anonymous.send('GET', '/docs');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(policy).toBe((await fetch(`${store.url}/store/`)).headers.get('content-security-policy'));
    const html = tidyHtml(await response.text());
    expect(html).not.toMatch(/<script(?![^>]* src="\/)|<script[^>]*>[^<]|\s(?:src|href)="https?:\/\/|\son\w+=/i);
    expect(html).toContain('PUT /api/admin/users/{id}');
    expect(html).toContain('<pre id="User"');
    // Every endpoint and schema can be expanded: all of them at once are a page of 70,000 pixels.
    const { paths, components } = (await (await people.anonymous.send('GET', '/docs/openapi.json')).json()) as OpenApiDocument;
    const lines = [...Object.values(paths).flatMap((methods) => Object.keys(methods)), ...Object.keys(components.schemas)];
    expect(html.match(/<details class="endpoint">/g)).toHaveLength(lines.length);
  });
});

describe('malicious requests', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['no JSON', json, '{'],
    ['a list', json, '[]'],
    ['a text', json, '"x"'],
    ['bytes that are no UTF-8', json, Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'username=admin&password=secret-1'],
    ['no type', {}, '{"username":"a1","password":"secret-1"}'],
    ['text/plain, as forms of other sites can send', { 'content-type': 'text/plain' }, '{"username":"a1","password":"secret-1"}'],
  ])('with %s as body get 400', async (_name, headers, body) => {
    const response = await people.anonymous.send('POST', '/auth/login', {
      headers: headers as Record<string, string>,
      body: Buffer.from(body, 'latin1'),
    });
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([400, 400]);
  });

  it('with a body of a megabyte get 413, with or without a declared length', async () => {
    const body = JSON.stringify({ username: 'a1', password: 'x'.repeat(1_048_576) });
    expect((await people.anonymous.send('POST', '/auth/login', { headers: json, body })).status).toBe(413);
    const chunked = await raw('POST', '/api/auth/login', { ...json, 'transfer-encoding': 'chunked' }, body).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(chunked);
  });

  it('with a prototype in their JSON affect nobody else’s', async () => {
    const body =
      '{"__proto__":{"role":"admin","polluted":1},"constructor":{"prototype":{"polluted":1}},' +
      '"username":"proto","password":"secret-1","email":"proto@example.org","role":"admin","status":"active","id":1}';
    const response = await people.anonymous.send('POST', '/auth/register', { headers: json, body });
    expect((await response.json()) as object).toMatchObject({ code: 0, data: { role: 'developer' } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await people.anonymous.call('POST', '/auth/logout');
    people.anonymous.cookie = '';
  });

  it.each([
    '/API/admin/users',
    '/api/ADMIN/users',
    '/api/admin/users/',
    '/api//admin/users',
    '/api/%61dmin/users',
    '/api/admin/users%00',
    '/api/./admin/users',
    '/api/x/../admin/users',
    '/api/admin;x/users',
    '/api/admin%2fusers',
  ])('for %s get nothing a guest must not see', async (path) => {
    const { status, body } = await raw('GET', path, { cookie: people.developer.cookie });
    expect([400, 403, 404]).toContain(status);
    expect(body).not.toContain('boss@example.com');
  });

  it('with foreign addresses in their headers keep their real address', async () => {
    const client = store.visitor();
    await client.call(
      'POST',
      '/auth/register',
      { username: 'spoofer', password: 'secret-1', email: 's@example.org' },
      { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    );
    expect((await client.get<{ ip: string }[]>('/auth/sessions')).data[0]!.ip).toBe('127.0.0.1');
  });
});

describe('secrets', () => {
  it('are in no response', async () => {
    const client = store.visitor();
    await client.register('keeper', 'very-secret-9');
    const row = await store.database.repository(StoreUser).findOneByOrFail({ usernameKey: 'keeper' });
    const pages = ['/auth/me', '/auth/sessions', '/auth/tokens', '/docs/openapi.json'];
    const bodies = [
      ...(await Promise.all(pages.map(async (path) => (await client.send('GET', path)).text()))),
      ...(await Promise.all(['/admin/users', '/admin/logs'].map(async (path) => (await people.admin.send('GET', path)).text()))),
    ];
    for (const body of bodies)
      for (const secret of [row.passwordHash, 'very-secret-9', client.cookie.split('=')[1]!, '$2b$']) expect(body).not.toContain(secret);
    const others = await Promise.all(pages.map(async (path) => (await people.developer.send('GET', path)).text()));
    for (const body of others) expect(body).not.toContain('keeper@example.org');
  });
});
