import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Clock } from '../../src/common/index.js';
import type { Operation } from '../../src/store/docs/index.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { SCHEMA_KEYWORDS, resolveRef, type Schema } from '../support/schema.js';
import { StoreDescription } from '../support/store-description.js';
import { formOf, pictureForm, submit, submitVersion, zipOf } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

const CAPTCHA = 'ab3d';
const DIGEST = 'c'.repeat(64);

let store: TestStore;
let description: StoreDescription;
let admin: StoreClient;
let alice: StoreClient;
let bob: StoreClient;
let visitor: StoreClient;
/** Ids created by the test, for paths. */
const left = { item: 0, image: '', rating: 0, version: 0 };

beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent', CAPTCHA: `fixed:${CAPTCHA}`, RATE_LIMIT: 'on' });
  store.mailsBy(() => Promise.resolve());
  description = await StoreDescription.of(store);
  admin = description.watch(await store.member('Root', 'admin'));
  alice = description.watch(await store.member('Alice'));
  bob = description.watch(await store.member('Bob'));
  visitor = description.watch(store.visitor());
});
afterAll(() => store.close());

const ok = async <Data = Record<string, unknown>>(answer: Promise<{ status: number; msg: string; data: Data }>): Promise<Data> => {
  const { status, msg, data } = await answer;
  expect(status, msg).toBe(200);
  return data;
};
const approve = (id: number, body?: object) => ok(admin.call('PUT', `/admin/items/${id}/approve`, body));
const schemasIn = (node: unknown): Schema[] => {
  if (typeof node !== 'object' || node === null) return [];
  const { properties, items, anyOf } = node as Schema;
  return [node as Schema, ...Object.values(properties ?? {}).flatMap(schemasIn), ...schemasIn(items), ...(anyOf ?? []).flatMap(schemasIn)];
};

describe('the document', () => {
  it('is OpenAPI 3.1: complete, without anything invalid, and every reference resolves', () => {
    const { document } = description;
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String) as string, version: expect.any(String) as string },
      servers: [{ url: store.url }],
    });
    const wrong: string[] = [];
    const operations = description.operations();
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { method, template, operation } of operations) {
      const name = `${method} ${template}`;
      const declared = operation.parameters.filter(({ in: place }) => place === 'path');
      const places = [...template.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
      if (declared.map((parameter) => parameter.name).join() !== places.join() || declared.some(({ required }) => !required))
        wrong.push(`${name}: parameters of its path`);
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      if (new Set(keys).size < keys.length) wrong.push(`${name}: a parameter twice`);
      if (operation.summary === '' || !operation.tags.every((tag) => tags.has(tag))) wrong.push(`${name}: summary or tags`);
      if (method === 'GET' && operation.requestBody) wrong.push(`${name}: a body`);
      for (const way of operation.security.flatMap((ways) => Object.keys(ways)))
        if (!(way in document.components.securitySchemes)) wrong.push(`${name}: security ${way}`);
      for (const status of Object.keys(operation.responses))
        if (!/^([1-5]\d\d|default)$/.test(status)) wrong.push(`${name}: the answer ${status}`);
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    // Two templates may not differ only in the names of their parameters.
    const forms = Object.keys(document.paths).map((template) => template.replace(/\{\w+\}/g, '{}'));
    expect(new Set(forms).size).toBe(forms.length);
    for (const [, ref] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) expect(() => resolveRef(document, ref!)).not.toThrow();
    const bodies = operations.flatMap(({ operation }) => [
      operation.requestBody?.content,
      ...Object.values(operation.responses).map((response) => ('$ref' in response ? undefined : response.content)),
    ]);
    const schemas = [
      ...Object.values(document.components.schemas),
      ...bodies.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema)),
      ...operations.flatMap(({ operation }) => operation.parameters.map(({ schema }) => schema)),
    ].flatMap(schemasIn);
    for (const schema of schemas) {
      for (const keyword of Object.keys(schema))
        if (!SCHEMA_KEYWORDS.includes(keyword)) wrong.push(`the keyword ${keyword} of ${JSON.stringify(schema)}`);
      for (const name of schema.required ?? [])
        if (!(name in (schema.properties ?? {}))) wrong.push(`${name} is required and not described`);
      if (schema.pattern !== undefined) expect(() => new RegExp(schema.pattern!, 'u')).not.toThrow();
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Error', 'Item', 'User', 'Review', 'Stats']));
  });

  it('declares access: sessions, tokens and their scopes', () => {
    const { paths } = description.document;
    expect(paths['/api/items/{id}/download']!.get!.security).toEqual([{}, { session: [] }, { token: ['read'] }]);
    expect(paths['/api/developer/items']!.post!.security).toEqual([{ session: [] }, { token: ['publish'] }]);
    expect(paths['/api/admin/stats']!.get!.security).toEqual([{ session: [] }]);
  });
});

/** One long sequence: each response is compared with its description immediately. */
describe('what the store does', () => {
  it('with accounts', async () => {
    const form = { username: 'carol', password: 'secret-1', email: 'carol@example.org', captcha: CAPTCHA };
    const carol = description.watch(store.visitor());
    await carol.send('GET', '/auth/captcha');
    const { id } = await ok<{ id: number }>(carol.call('POST', '/auth/register', form));
    await ok(carol.get('/auth/me'));
    await ok(carol.call('PUT', '/auth/profile', { email: 'carol@example.com', bio: 'Hello' }));
    await ok(carol.call('PUT', '/auth/password', { oldPassword: 'secret-1', newPassword: 'secret-2' }));
    await ok(carol.call('POST', '/auth/logout'));
    expect((await carol.get('/auth/me')).status).toBe(401);
    await carol.send('GET', '/auth/captcha');
    expect((await carol.login('carol', 'wrong-1', CAPTCHA)).status).toBe(401);
    await carol.send('GET', '/auth/captcha');
    await ok(carol.login('carol', 'secret-2', CAPTCHA));
    const other = description.watch(store.visitor());
    await other.send('GET', '/auth/captcha');
    await ok(other.login('carol', 'secret-2', CAPTCHA));
    const sessions = await ok<{ id: number; current: boolean }[]>(carol.get('/auth/sessions'));
    expect(await ok<object[]>(carol.get('/auth/failed-sign-ins'))).toHaveLength(1);
    await ok(carol.call('POST', '/auth/failed-sign-ins/seen'));
    await ok(carol.call('DELETE', `/auth/sessions/${sessions.find(({ current }) => !current)!.id}`));
    const token = await ok<{ id: number; token: string }>(
      carol.call('POST', '/auth/tokens', { name: 'build', scopes: ['read', 'publish'], days: 30 }),
    );
    await ok(store.visitor().call('GET', '/developer/items', undefined, { authorization: `Bearer ${token.token}` }));
    await ok(carol.get('/auth/tokens'));
    await ok(carol.call('DELETE', `/auth/tokens/${token.id}`));
    const seed = await ok<{ secret: string }>(carol.call('POST', '/auth/second-factor'));
    const app = new AuthenticatorApp(seed.secret);
    const { recovery_codes: codes } = await ok<{ recovery_codes: string[] }>(
      carol.call('PUT', '/auth/second-factor', { code: app.at(new Date()) }),
    );
    await ok(carol.get('/auth/second-factor'));
    await ok(carol.call('POST', '/auth/second-factor/codes', { code: codes[0] }));
    const { secret } = await ok<{ secret: string }>(alice.call('POST', '/auth/second-factor'));
    const own = await ok<{ recovery_codes: string[] }>(
      alice.call('PUT', '/auth/second-factor', { code: new AuthenticatorApp(secret).at(new Date()) }),
    );
    await ok(alice.call('POST', '/auth/second-factor/remove', { code: own.recovery_codes[0] }));
    await ok(admin.call('DELETE', `/admin/users/${id}/second-factor`));
    const { link } = await ok<{ link: string }>(admin.call('POST', `/admin/users/${id}/password-link`));
    await ok(visitor.call('PUT', '/auth/password-reset', { token: new URL(link).searchParams.get('t'), newPassword: 'secret-2' }));
    await visitor.send('GET', '/auth/captcha');
    await ok(visitor.call('POST', '/auth/password-reset', { username: 'carol', email: 'x@example.org', captcha: CAPTCHA }));
    await ok(admin.get('/admin/users?keyword=carol&role=developer&status=active&page=1&limit=10'));
    await ok(admin.call('PUT', `/admin/users/${id}`, { status: 'banned' }));
    await other.send('GET', '/auth/captcha');
    expect((await other.login('carol', 'secret-2', CAPTCHA)).status).toBe(403);
    await ok(
      admin.call('PUT', `/admin/users/${id}`, { role: 'developer', email: 'carol@example.net', status: 'active', avatar: '', bio: '' }),
    );
  });

  it('with a picture', async () => {
    const form = await pictureForm();
    left.image = (await ok<{ url: string }>(alice.call('POST', '/upload/image', form))).url;
    const etag = (await fetch(store.url + left.image)).headers.get('etag')!;
    // By default fetch would request a new one.
    const known = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    for (const [headers, status] of [
      [{}, 200],
      [{ range: 'bytes=0-9' }, 206],
      [{ range: 'bytes=999999-' }, 416],
      [known, 304],
    ] as [Record<string, string>, number][]) {
      const response = await fetch(store.url + left.image, { headers });
      expect(response.status).toBe(status);
      await description.look({ method: 'GET', path: left.image, body: undefined, response });
    }
    const path = '/uploads/images/none.png';
    await description.look({ method: 'GET', path, body: undefined, response: await fetch(store.url + path) });
    await ok(alice.call('PUT', '/auth/profile', { avatar: left.image }));
  });

  it('with items, versions and edits', async () => {
    const dry = await zipOf('story', { 'plugin.json': '{"id":"other"', 'index.js': 'eval("1")\n' });
    await ok(alice.call('POST', '/developer/validate', formOf({ type: 'plugin', slug: 'story' }, dry)));
    await ok(alice.call('POST', '/developer/preview', { description: '<p onclick="x()">Words</p>' }));
    const full = {
      name: 'A story',
      price: '12.50',
      category: '支付',
      tags: '["a","b"]',
      homepage: 'https://example.org/',
      main_image: left.image,
      requires_svc: '>=1.80',
    };
    const code = await zipOf('story', {
      'plugin.json': '{"id":"story","name":"A story","version":"1.0.0"}',
      'index.js': 'eval("1")\nfetch("https://example.org")\n',
      'b.bin': Buffer.from([0, 1]),
    });
    const item = await ok(submit(alice, 'story', full, code));
    left.item = item.id;
    await ok(alice.get(`/developer/items/${item.id}`));
    await ok(alice.get(`/developer/items/${item.id}/versions`));
    await ok(alice.get(`/developer/items/${item.id}/review`));
    await ok(alice.get('/developer/items?type=plugin&page=1&limit=20'));
    await ok(alice.get(`/items/${item.id}`));
    await ok(admin.call('PUT', `/admin/items/${item.id}/reject`, { msg: 'No' }));
    await ok(submitVersion(alice, item.id, 'story', '1.0.1'));
    await ok(admin.get('/admin/versions'));
    await ok(admin.get('/admin/versions?status=rejected'));
    await ok(admin.get(`/admin/items/${item.id}/files`));
    await ok(admin.get(`/admin/items/${item.id}/files?version=1.0.0`));
    expect((await admin.send('GET', `/admin/items/${item.id}/files/content?path=index.js`)).status).toBe(200);
    expect((await admin.send('GET', `/admin/items/${item.id}/files/content?path=b.bin&version=1.0.0`)).status).toBe(400);
    expect((await admin.send('GET', `/admin/items/${item.id}/diff?from=1.0.0&to=1.0.1`)).status).toBe(200);
    await approve(item.id, { msg: 'Welcome' });
    expect((await bob.get(`/developer/items/${item.id}`)).status).toBe(403);
    await ok(
      alice.call('PUT', `/developer/items/${item.id}`, {
        price: 5,
        tags: ['c'],
        name: 'Better',
        category: '',
        homepage: '',
        main_image: '',
      }),
    );
    await ok(alice.call('PUT', `/developer/items/${item.id}`, { price: '6.00', tags: '["d"]', description: '<p>Other words</p>' }));
    await ok(alice.call('PUT', `/developer/items/${item.id}`, {}));
    const desk = await ok<{ id: number }>(submit(bob, 'desk'));
    const [waiting] = await ok<{ id: number }[]>(admin.get('/admin/versions'));
    left.version = waiting!.id;
    await ok(admin.call('POST', `/admin/versions/${waiting!.id}/claim`));
    await ok(admin.call('DELETE', `/admin/versions/${waiting!.id}/claim`));
    await ok(admin.call('POST', '/admin/versions/decide', { decision: 'reject', versions: [waiting!.id], msg: 'x' }));
    expect(desk.id).toBeGreaterThan(0);
    const edits = await ok<{ id: number }[]>(admin.get('/admin/edit-requests?status=pending'));
    await ok(admin.call('PUT', `/admin/edit-requests/${edits[0]!.id}/approve`, { msg: 'Fine' }));
    await ok(admin.call('PUT', `/admin/edit-requests/${edits[1]!.id}/reject`));
    await ok(admin.get('/admin/edit-requests'));
    await ok(alice.get(`/developer/items/${item.id}/review`));
    await ok(admin.get(`/admin/items/${item.id}/review`));
    await ok(admin.get(`/admin/items/${item.id}/versions`));
    await ok(alice.get(`/developer/items/${item.id}/downloads?days=30`));
    await ok(alice.call('PUT', `/developer/items/${item.id}/authors`, { username: 'Bob' }));
    await ok(bob.get('/developer/invitations'));
    await ok(bob.call('POST', `/developer/items/${item.id}/authors/accept`));
    await ok(alice.get(`/developer/items/${item.id}/authors`));
    await ok(alice.call('POST', `/developer/items/${item.id}/transfer`, { user_id: bob.userId }));
    await ok(bob.get('/developer/invitations'));
    await ok(bob.call('DELETE', `/developer/items/${item.id}/authors/me`));
    await ok(alice.call('PUT', `/developer/items/${item.id}/authors`, { username: 'Bob' }));
    await ok(alice.call('POST', `/developer/items/${item.id}/authors/remove`, { user_id: bob.userId }));
    const hook = await ok<{ id: number }>(alice.call('POST', '/developer/webhooks', { url: 'https://example.org/hook' }));
    await ok(alice.get('/developer/webhooks'));
    await ok(alice.call('POST', `/developer/webhooks/${hook.id}/test`));
    await ok(alice.call('DELETE', `/developer/webhooks/${hook.id}`));
    await ok(submitVersion(alice, item.id, 'story', '1.0.2'));
    await ok(alice.call('DELETE', `/developer/items/${item.id}/versions/1.0.2`));
    await ok(submitVersion(alice, item.id, 'story', '1.1.0'));
    await ok(admin.call('PUT', `/admin/items/${item.id}/suspend`, { msg: 'For a while' }));
    await approve(item.id);
    await ok(alice.call('PUT', `/developer/items/${item.id}/versions/1.1.0/withdraw`, { reason: 'Too early' }));
    await ok(admin.get(`/admin/items?type=plugin&status=approved&keyword=story&page=1&limit=10`));
  });

  it('for everybody', async () => {
    const item = left.item;
    for (const path of [
      '?type=plugin&keyword=stor&category=&min_price=0&max_price=99.5&sort=relevance&page=1&page_size=12',
      `?author_id=${alice.userId}&sort=updated`,
      '/categories',
      '/categories?with=counts',
      `/${item}`,
      '/by-slug/plugin/STORY',
      `/${item}/versions`,
    ]) {
      await ok(visitor.get(`/items${path}`));
    }
    for (const path of [`/items/${item}/download`, `/items/${item}/versions/1.0.1/download`]) {
      const whole = await visitor.send('GET', path);
      const etag = whole.headers.get('etag')!;
      const asks: Record<string, string>[] = [{ range: 'bytes=0-9' }, { 'if-none-match': etag }, { range: 'bytes=999999-' }];
      const statuses = await Promise.all(asks.map(async (headers) => (await visitor.send('GET', path, { headers })).status));
      expect([whole.status, ...statuses, (await visitor.send('HEAD', path)).status]).toEqual([200, 206, 304, 416, 200]);
    }
    for (const path of [
      `/items/${item}/feed.atom`,
      `/items/${item}/feed.json`,
      `/items/${item}/badges/rating.svg`,
      '/feeds/versions.atom',
      '/feeds/versions.json',
    ]) {
      const etag = (await visitor.send('GET', path)).headers.get('etag')!;
      const again = await visitor.send('GET', path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
      expect([path, again.status]).toEqual([path, 304]);
    }
    const asked = { panel_version: '1.84.0', items: [{ type: 'plugin', slug: 'story', version: '1.0' }] };
    const first = await visitor.call('POST', '/items/update-check', asked);
    await ok(Promise.resolve(first));
    expect(
      (
        await visitor.send('POST', '/items/update-check', {
          body: JSON.stringify(asked),
          headers: { 'content-type': 'application/json', 'if-none-match': first.headers.get('etag')! },
        })
      ).status,
    ).toBe(304);
    for (const path of ['/docs', '/docs/openapi.json', '/signing-key', '/revocations'])
      expect((await visitor.send('GET', path)).status).toBe(200);
  });

  it('with ratings and screenshots', async () => {
    const given = await ok<{ id: number }>(bob.call('PUT', `/items/${left.item}/rating`, { stars: 4, text: 'Good', version: '1.0.1' }));
    await ok(bob.call('PUT', `/items/${left.item}/rating`, { stars: 3, version: '1.0.1' }));
    left.rating = given.id;
    await ok(visitor.get(`/items/${left.item}`));
    await ok(visitor.get(`/items/${left.item}/ratings?page=1&page_size=5`));
    await ok(bob.get(`/items/${left.item}/ratings/mine`));
    await ok(alice.call('PUT', `/ratings/${given.id}/reply`, { text: 'Thank you' }));
    await ok(visitor.call('POST', `/ratings/${given.id}/report`, { reason: 'spam', text: 'x' }));
    await ok(admin.call('PUT', `/admin/ratings/${given.id}/hide`, { msg: 'x' }));
    await ok(admin.call('PUT', `/admin/ratings/${given.id}/show`));
    await ok(admin.get('/admin/logs?subject=rating'));
    const other = await ok<{ id: number }>(admin.call('PUT', `/items/${left.item}/rating`, { stars: 5, version: '1.0.1' }));
    expect(other.id).not.toBe(given.id);
    await ok(admin.call('DELETE', `/items/${left.item}/rating?version=1.0.1`));
    await ok(alice.call('PUT', `/developer/items/${left.item}/screenshots`, { screenshots: [left.image] }));
  });

  it('with reports, blocked files, deletion and numbers', async () => {
    await ok(visitor.call('POST', `/items/${left.item}/report`, { reason: 'broken', text: 'It does nothing' }));
    await ok(bob.call('POST', `/items/${left.item}/report`, { reason: 'spam' }));
    const { items } = await ok<{ items: { id: number }[] }>(admin.get('/admin/reports?status=open'));
    await ok(admin.call('PUT', `/admin/reports/${items[0]!.id}/close`, { msg: 'Seen' }));
    await ok(admin.get('/admin/reports?page=1&page_size=5'));
    const blocked = await ok<{ id: number }>(admin.call('POST', '/admin/blocked-digests', { sha256: DIGEST, reason: 'bad' }));
    await ok(admin.get('/admin/blocked-digests?page=1&limit=5'));
    await ok(admin.call('DELETE', `/admin/blocked-digests/${blocked.id}`));
    await ok(admin.call('POST', '/admin/signing-key'));
    const { id: listed, sha256 } = await ok(submit(alice, 'listed'));
    await ok(admin.call('POST', '/admin/blocked-digests', { sha256, reason: 'bad' }));
    await ok(admin.get(`/admin/items/${listed}/review`));
    await ok(admin.call('PUT', `/admin/items/${listed}/unblock`));
    await ok(admin.call('PUT', `/admin/items/${listed}/block`, { msg: 'bad' }));
    expect((await admin.call('PUT', `/admin/items/${listed}/approve`)).status).toBe(400);
    await approve(listed, { blocked_seen: [sha256] });
    expect((await submit(alice, 'broken', {}, Buffer.from('no zip'))).status).toBe(400);
    const { id } = await ok(submit(alice, 'passing', { type: 'theme' }));
    await approve(id, { findings_seen: ['manifest.missing'] });
    await ok(admin.call('DELETE', `/admin/items/${id}`));
    await ok(
      visitor.call('POST', '/items/update-check', { panel_version: '1.84.0', items: [{ type: 'theme', slug: 'passing', version: '1.0' }] }),
    );
    await ok(submit(alice, 'waiting'));
    await ok(admin.get('/admin/stats'));
    await ok(admin.get(`/admin/logs?action=item.approve&subject=item&subject_id=${left.item}&actor_id=${admin.userId}&page=1&page_size=5`));
    await ok(admin.get('/admin/logs?page_size=100'));
  });
});

describe('the errors of the store', () => {
  /** Someone with access. */
  const insiderOf = ({ security, tags }: Operation): StoreClient =>
    security.some((ways) => Object.keys(ways).length === 0) ? visitor : tags.includes('admin') ? admin : alice;
  const address = (template: string, places: Record<string, string>): string =>
    template
      .replace('/api', '')
      .replace('ratings/{id}', (place) => (places.id === String(left.item) ? `ratings/${left.rating}` : place))
      .replace(/\{(\w+)\}/g, (_place, name: string) => places[name]!);
  const real = () => ({ id: String(left.item), type: 'plugin', slug: 'story', version: '1.0.1', name: 'none.png', kind: 'version.svg' });
  /** Every endpoint that describes the status, except those tested elsewhere. */
  const refusing = (status: number) =>
    description.operations().filter(({ template, operation }) => String(status) in operation.responses && template.startsWith('/api/'));
  const json = { 'content-type': 'application/json' };
  const tried = async (
    status: number,
    attempt: (entry: { method: string; template: string; operation: Operation }) => Promise<Response>,
  ): Promise<void> => {
    const wrong: string[] = [];
    for (const entry of refusing(status)) {
      const response = await attempt(entry);
      if (response.status !== status) wrong.push(`${entry.method} ${entry.template}: ${response.status} ${await response.text()}`);
    }
    expect(wrong).toEqual([]);
  };

  it('for visitors who are not signed in', () =>
    tried(401, ({ method, template, operation }) =>
      operation.security.some((ways) => Object.keys(ways).length === 0)
        ? description
            .watch(store.visitor())
            .send('GET', '/auth/captcha')
            .then(async (picture) =>
              description.watch(store.visitor()).send(method, template.replace('/api', ''), {
                body: JSON.stringify({ username: 'nobody', password: 'wrong-1', captcha: CAPTCHA }),
                headers: { ...json, cookie: picture.headers.getSetCookie()[0]!.split(';')[0]! },
              }),
            )
        : description.watch(store.visitor()).send(method, address(template, real())),
    ));

  it('for a token without the scope, and for pages of other sites', async () => {
    const tokens: Record<string, string> = {};
    for (const scope of ['read', 'publish'])
      tokens[scope] = (await ok<{ token: string }>(alice.call('POST', '/auth/tokens', { name: scope, scopes: [scope] }))).token;
    await tried(403, ({ method, template, operation }) => {
      if (operation.security.some((ways) => Object.keys(ways).length === 0))
        return visitor.send(method, address(template, real()), { headers: { origin: 'https://evil.example' } });
      const scope = operation.security.flatMap((way) => way.token ?? [])[0] === 'read' ? 'publish' : 'read';
      return description
        .watch(store.visitor())
        .send(method, address(template, real()), { headers: { authorization: `Bearer ${tokens[scope]}` } });
    });
  });

  it('for invalid input', () =>
    tried(400, ({ method, template, operation }) => {
      const path = address(template, { ...real(), id: 'x' });
      const body = operation.requestBody ? { body: '[]', headers: json } : {};
      return insiderOf(operation).send(method, `${path}${method === 'GET' ? '?page=0&with=x&status=x' : ''}`, body);
    }));

  it('for missing resources', () => {
    const bodies: Record<string, object> = {
      report: { reason: 'spam' },
      users: { status: 'active' },
      'authors/remove': { user_id: 1 },
      transfer: { user_id: 1 },
      '/authors': { username: 'x' },
      reply: { text: 'x' },
      '/rating': { stars: 3 },
      screenshots: { screenshots: [] },
    };
    return tried(404, ({ method, template, operation }) => {
      const body = Object.entries(bodies).find(([part]) => template.includes(part) && method !== 'GET')?.[1] ?? {};
      const path = address(template, { ...real(), id: '2000000000', slug: 'nothing' });
      return insiderOf(operation).send(
        method,
        `${path}${method === 'GET' ? '?path=a&from=1&to=2' : ''}`,
        method === 'GET' ? {} : { body: JSON.stringify(body), headers: json },
      );
    });
  });

  it('for concurrent changes', () => {
    const bodies: Record<string, object> = {
      screenshots: { screenshots: ['/uploads/images/other.png'], row_version: 'screenshots:aaaaaa' },
      '/developer/items/{id}': { name: 'Another', row_version: 'name:aaaaaa' },
      profile: { bio: 'Another', row_version: 'bio:aaaaaa' },
      reply: { text: 'Another', row_version: 'reply:aaaaaa' },
      '/rating': { stars: 2, row_version: 'stars:aaaaaa' },
    };
    return tried(409, ({ method, template, operation }) => {
      const [, body] = Object.entries(bodies).find(([part]) => template.includes(part))!;
      // Authors cannot rate their own items.
      const client = template.endsWith('/rating') ? bob : insiderOf(operation);
      return client.send(method, address(template, real()), { body: JSON.stringify(body), headers: json });
    });
  });

  it('for large requests', () =>
    tried(413, ({ method, template, operation }) => {
      const isForm = 'multipart/form-data' in operation.requestBody!.content;
      return insiderOf(operation).send(
        method,
        address(template, real()),
        isForm ? { body: formOf({ name: 'x'.repeat(200_000) }) } : { body: JSON.stringify({ x: 'x'.repeat(600_000) }), headers: json },
      );
    }));

  it('for frequent requests', async () => {
    // One-minute windows: on a busy machine one would end and restart counting before it is full.
    const clock = vi.spyOn(Clock.prototype, 'now').mockReturnValue(new Date());
    const bodies: Record<string, object> = {
      '/auth/register': { username: 'x', password: 'secret-1', email: 'x@example.org' },
      '/auth/login': { username: 'nobody', password: 'wrong-1' },
      '/auth/password-reset': { username: 'x', email: 'x@example.org', token: 'x', newPassword: 'secret-9' },
      '/auth/second-factor': { code: '000000' },
      '/auth/password': { oldPassword: 'wrong-1', newPassword: 'secret-9' },
      '/auth/profile': { bio: 'x' },
      report: { reason: 'spam' },
      '/rating': { stars: 3 },
      '/developer/preview': { description: 'x' },
    };
    await tried(429, async ({ method, template, operation }) => {
      const path = address(template, real());
      const given = Object.entries(bodies).find(([part]) => template.includes(part))?.[1];
      const body = given ? { body: JSON.stringify(given), headers: json } : method === 'POST' ? { body: formOf({}) } : {};
      for (let i = 0; ; i += 1) {
        const response = await insiderOf(operation).send(method, path, body);
        if (response.status === 429 || i > 130) return response;
      }
    }).finally(() => clock.mockRestore());
  });
});

describe('the description', () => {
  it('matches everything above, and everything it describes happened', () => {
    expect([...new Set(description.problems)]).toEqual([]);
    expect(description.unseen()).toEqual([]);
  });
});
