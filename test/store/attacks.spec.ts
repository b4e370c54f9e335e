import { randomBytes } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreItem, StoreVersion } from '../../src/store/index.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { storeRoutes } from '../support/store-routes.js';
import { filesIn, formOf, pluginZip, submit, submitVersion } from '../support/store-packages.js';

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

const JSON_TYPE = { 'content-type': 'application/json' };
/** A request with hand-written JSON. */
const sendText = async (
  client: StoreClient,
  method: string,
  path: string,
  body: string,
): Promise<{ status: number; msg: string; data: Record<string, unknown> }> => {
  const response = await client.send(method, path, { headers: JSON_TYPE, body });
  return { status: response.status, ...((await response.json()) as { msg: string; data: Record<string, unknown> }) };
};

describe('unexpected values', () => {
  it('null counts as not given', async () => {
    await alice.call('PUT', '/auth/profile', { bio: 'stays', email: 'alice@example.org' });
    for (const field of ['email', 'avatar', 'bio'])
      expect(await alice.call('PUT', '/auth/profile', { [field]: null }), field).toMatchObject({ status: 400, msg: '没有需要修改的内容' });
    expect((await alice.call('PUT', '/auth/profile', { bio: 'new', email: null, avatar: null })).data).toMatchObject({
      bio: 'new',
      email: 'alice@example.org',
    });
    expect(await admin.call('PUT', `/admin/users/${alice.userId}`, { email: null, role: null, status: null })).toMatchObject({
      status: 400,
    });
    expect((await admin.call('POST', '/auth/tokens', { name: null, scopes: null })).status).toBe(400);
  });

  it('half of a surrogate pair is not text', async () => {
    expect((await sendText(alice, 'PUT', '/auth/profile', '{"email":"\\ud800@example.org"}')).status).toBe(400);
    expect(
      (await sendText(store.visitor(), 'POST', '/auth/register', '{"username":"half","password":"secret-1","email":"\\uD83D"}')).status,
    ).toBe(400);
    const whole = await sendText(alice, 'PUT', '/auth/profile', '{"bio":"\\uD83D\\uDCA3 and \\ud83d"}');
    expect(whole.data.bio).toBe('💣 and \ufffd');
    expect((await alice.get('/auth/me')).data.bio).toBe('💣 and \ufffd');
  });

  it('nested lists, texts and numbers are no items of an update check', async () => {
    for (const items of ['[[]]', '[[{}]]', '[null]', '["x"]', '[1]', '{"0":{}}', '"x"', `[${'[],'.repeat(200)}[]]`]) {
      expect((await sendText(store.visitor(), 'POST', '/items/update-check', `{"panel_version":"1","items":${items}}`)).status, items).toBe(
        400,
      );
    }
  });

  it('prices are taken literally, or not at all', async () => {
    const { data: item } = await submit(alice, 'priced', { price: '1' });
    const path = `/developer/items/${item.id}`;
    for (const price of [
      '1e309',
      '-1e309',
      '-0.01',
      '0.005',
      '1e21',
      '99999999999',
      '9007199254740993',
      'true',
      '[1]',
      '{"a":1}',
      '"NaN"',
      '"Infinity"',
      '"0x10"',
      '"１２"',
      '"1,5"',
      '" "',
    ]) {
      expect((await sendText(alice, 'PUT', path, `{"price":${price}}`)).status, price).toBe(400);
    }
    for (const [price, kept] of [
      ['-0', '0.00'],
      ['0.1', '0.10'],
      ['"9999999999.99"', '9999999999.99'],
      ['19.99', '19.99'],
    ]) {
      expect(await sendText(alice, 'PUT', path, `{"price":${price}}`), price).toMatchObject({ status: 200, data: { requests: 1 } });
      const review = await alice.get<{ edit_requests: { new_value: string }[] }>(`${path}/review`);
      expect(review.data.edit_requests[0]!.new_value).toBe(kept);
    }
  });

  it('text that could start a tag is never in the texts deployed front ends show unescaped', async () => {
    for (const [field, value] of Object.entries({ name: 'a<img src=x onerror=alert(1)>', category: '<b', tags: '["a","b>"]' })) {
      expect(await submit(alice, 'tagged', { [field]: value }), field).toMatchObject({
        status: 400,
        data: null,
        msg: expect.stringContaining('<') as string,
      });
    }
    const { data: item } = await submit(alice, 'untagged', { name: 'A & B "C"' });
    expect((await alice.call('PUT', `/developer/items/${item.id}`, { name: '<script>' })).status).toBe(400);
  });

  it('emoji, NUL and marks that reverse text are handled', async () => {
    const name = '💣'.repeat(100);
    const tags = JSON.stringify(Array.from({ length: 10 }, (_none, i) => `${i}${'💣'.repeat(29)}`));
    const { status, data } = await submit(alice, 'emoji', {
      name,
      tags,
      category: '💣'.repeat(40),
      description: `<p>${'💣'.repeat(15_000)}\u0000\u202e</p>`,
    });
    expect([status, data.name, data.tags, data.description]).toEqual([200, name, tags, `<p>${'💣'.repeat(15_000)}</p>`]);
    for (const field of ['name', 'category', 'tags', 'homepage']) {
      const value = field === 'tags' ? '["a\\u202eb"]' : 'http://a.example/\u202eb\u0000';
      expect((await submit(alice, 'turned', { [field]: value })).status, field).toBe(400);
    }
    const version = await alice.call(
      'POST',
      `/developer/items/${data.id}/versions`,
      formOf({ version: '1.0.1', changelog: `New\u0000: ${'💣'.repeat(4_000)}\u202e` }, await pluginZip('emoji', '1.0.1')),
    );
    expect(version.data.changelog).toBe(`New: ${'💣'.repeat(4_000)}`);
  });

  it('queries with brackets, duplicates, prototypes and endless numbers break no list', async () => {
    const queries = [
      'page=99999999999999999999',
      'page=1000000&page_size=100',
      'type[]=plugin',
      'type=plugin&type=x',
      '__proto__=1&__proto__[a]=1&constructor=1',
      'keyword=%00%ff%F0%9F%92%A3',
      'min_price=1e309',
      'sort=__proto__',
      '%',
      '&'.repeat(2_000),
    ];
    const id = (await submit(alice, 'listed')).data.id;
    const wrong: string[] = [];
    for (const { path } of storeRoutes((type) => store.provider(type)).filter(
      ({ method, path }) => method === 'GET' && !path.endsWith('captcha'),
    )) {
      for (const query of queries) {
        const target = `${path.slice('/api'.length).replace(':id', String(id)).replace(':version', '1.0.0')}?${query}`
          .replace(':type', 'plugin')
          .replace(':slug', 'listed');
        const response = await admin.send('GET', target);
        await response.arrayBuffer();
        if (response.status >= 500) wrong.push(`${target} ${response.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a multipart body', () => {
  const send = async (type: string, body: string | Buffer): Promise<number> =>
    (await alice.send('POST', '/developer/items', { headers: { 'content-type': type }, body: Buffer.from(body) })).status;
  const part = (disposition: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

  it.each<[string, string, string | Buffer]>([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['with an empty one', 'multipart/form-data; boundary=', 'x'],
    ['with an open quote', 'multipart/form-data; boundary="x', 'x'],
    ['with one of another kind', 'multipart/mixed; boundary=x', '--x--'],
    ['that ends before it begins', 'multipart/form-data; boundary=x', '--x--'],
    ['that never ends', 'multipart/form-data; boundary=x', '--x\r\n'],
    [
      'with a header that goes on for ever',
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(100_000)}`,
    ],
    [
      'with two files',
      'multipart/form-data; boundary=x',
      `${part('name="zipfile"; filename="a.zip"', '1')}${part('name="zipfile"; filename="b.zip"', '2')}--x--\r\n`,
    ],
    ['with a file in another field', 'multipart/form-data; boundary=x', `${part('name="name"; filename="a.zip"', '1')}--x--\r\n`],
    ['with a thousand fields', 'multipart/form-data; boundary=x', `${part('name="a"', '1').repeat(1_000)}--x--\r\n`],
    ['with a field of a megabyte', 'multipart/form-data; boundary=x', `${part('name="name"', 'a'.repeat(1_000_000))}--x--\r\n`],
    [
      'with prototypes as fields',
      'multipart/form-data; boundary=x',
      `${part('name="__proto__"', '1')}${part('name="constructor[prototype][a]"', '1')}--x--\r\n`,
    ],
    [
      'with bytes that are no UTF-8',
      'multipart/form-data; boundary=x',
      Buffer.concat([
        Buffer.from('--x\r\nContent-Disposition: form-data; name="type"\r\n\r\n'),
        Buffer.from([0xff, 0, 0xfe]),
        Buffer.from('\r\n--x--\r\n'),
      ]),
    ],
  ])('%s is rejected and leaves nothing', async (_name, type, body) => {
    expect([400, 413]).toContain(await send(type, body));
    expect(filesIn(store, 'incoming')).toEqual([]);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('with two files is told that only one is accepted', async () => {
    const form = formOf({ type: 'plugin', slug: 'twice', name: 'Twice', version: '1.0.0', description: 'd' }, await pluginZip('twice'));
    form.append('zipfile', new Blob(['x']), 'second.zip');
    expect(await alice.call('POST', '/developer/items', form, { 'accept-language': 'en' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('Upload one file at a time') as string,
    });
  });

  it('with two equal fields uses the first one', async () => {
    const form = formOf({ type: 'plugin', slug: 'doubled', name: 'First', version: '1.0.0', description: 'd' }, await pluginZip('doubled'));
    form.append('name', 'Second');
    form.append('slug', 'other');
    expect(await alice.call('POST', '/developer/items', form)).toMatchObject({ status: 200, data: { name: 'First', slug: 'doubled' } });
  });
});

describe('a concurrent change', () => {
  /** An upload of which everything except the end was sent. */
  async function almost(client: StoreClient, path: string, form: FormData): Promise<() => Promise<{ status: number; msg: string }>> {
    const encoded = new Response(form);
    const body = Buffer.from(await encoded.arrayBuffer());
    const { hostname, port } = new URL(store.url);
    const headers = { cookie: client.cookie, 'content-type': encoded.headers.get('content-type')!, 'content-length': body.length };
    const req = request({ hostname, port, path: `/api${path}`, method: 'POST', headers });
    const answer = new Promise<IncomingMessage>((resolve, reject) => req.once('response', resolve).once('error', reject));
    req.write(body.subarray(0, -10));
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(1);
    return async () => {
      req.end(body.subarray(-10));
      const res = await answer;
      let text = '';
      for await (const chunk of res.setEncoding('utf8')) text += String(chunk);
      return { status: res.statusCode!, msg: (JSON.parse(text) as { msg: string }).msg };
    };
  }

  it('an upload ends with the account of its author', async () => {
    const banned = async (client: StoreClient, path: string, form: FormData): Promise<void> => {
      const finish = await almost(client, path, form);
      expect((await admin.call('PUT', `/admin/users/${client.userId}`, { status: 'banned' })).status).toBe(200);
      expect(await finish(), path).toEqual({ status: 403, msg: '账号已被封禁' });
    };
    await banned(
      await store.member('Mallory'),
      '/developer/items',
      formOf({ type: 'plugin', slug: 'mallory', name: 'M', version: '1.0.0', description: 'd' }, await pluginZip('mallory')),
    );
    const trudy = await store.member('Trudy');
    const { data: item } = await submit(trudy, 'trudy');
    await banned(trudy, `/developer/items/${item.id}/versions`, formOf({ version: '1.0.1' }, await pluginZip('trudy', '1.0.1')));
    expect(await store.database.repository(StoreItem).countBy({ slugKey: 'mallory' })).toBe(0);
    expect(await store.database.repository(StoreVersion).countBy({ itemId: item.id })).toBe(1);
    expect(filesIn(store, 'incoming')).toEqual([]);
  });

  it('a former administrator decides nothing', async () => {
    const former = await store.member('Former', 'admin');
    const { data: item } = await submit(alice, 'undecided');
    expect((await former.get('/admin/items')).status).toBe(200);
    expect((await admin.call('PUT', `/admin/users/${former.userId}`, { role: 'developer' })).status).toBe(200);
    expect((await former.call('PUT', `/admin/items/${item.id}/approve`)).status).toBe(403);
    expect((await former.get(`/admin/items/${item.id}/files`)).status).toBe(403);
    expect((await former.get(`/items/${item.id}`)).status).toBe(404);
  });

  it('a version that was not reviewed is not approved in place of the reviewed one', async () => {
    const { data: item } = await submit(alice, 'switched');
    expect((await submitVersion(alice, item.id, 'switched', '1.0.1', 'eval("1")\n')).status).toBe(200);
    for (const decision of ['approve', 'reject']) {
      expect(await admin.call('PUT', `/admin/items/${item.id}/${decision}`, { version: '1.0.0' })).toMatchObject({
        status: 400,
        msg: '您查看的是版本 1.0.0，作者之后又提交了新的版本（1.0.1），请先查看该版本',
      });
    }
    expect((await alice.get(`/developer/items/${item.id}`)).data.status).toBe('pending');
    const approve = async (): Promise<number> =>
      (await admin.call('PUT', `/admin/items/${item.id}/approve`, { version: '1.0.1', findings_seen: ['eval'] })).status;
    expect(await approve()).toBe(200);
    expect(await approve()).toBe(400);
    // The same for approvals that only lift a suspension.
    expect((await admin.call('PUT', `/admin/items/${item.id}/suspend`)).status).toBe(200);
    expect(await approve()).toBe(200);
    expect((await admin.call('PUT', `/admin/items/${item.id}/suspend`)).status).toBe(200);
    expect((await submitVersion(alice, item.id, 'switched', '1.0.2')).status).toBe(200);
    expect(await approve()).toBe(400);
    expect((await alice.get(`/developer/items/${item.id}`)).data).toMatchObject({ status: 'suspended', version: '1.0.1' });
  });

  it('a version sent several times at once is accepted once', async () => {
    const { data: item } = await submit(alice, 'several');
    const answers = await Promise.all(Array.from({ length: 4 }, () => submitVersion(alice, item.id, 'several', '1.0.1')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(await store.database.repository(StoreVersion).countBy({ itemId: item.id, versionKey: '1.0.1' })).toBe(1);
  });

  it('a list of versions is limited', async () => {
    const { data: item } = await submit(alice, 'many');
    const versions = store.database.repository(StoreVersion);
    const [first] = await versions.findBy({ itemId: item.id });
    await versions.insert(
      Array.from({ length: 250 }, (_none, i) => ({
        ...first!,
        id: undefined,
        manifest: null,
        version: `2.${i}`,
        versionKey: `2.${i}`,
        status: 'approved' as const,
      })),
    );
    await store.database.repository(StoreItem).update(item.id, { status: 'approved', version: '2.249' });
    for (const [client, path] of [
      [alice, `/developer/items/${item.id}/versions`],
      [store.visitor(), `/items/${item.id}/versions`],
    ] as const) {
      const { data } = await client.get<{ version: string }[]>(path);
      expect([data.length, data[0]!.version]).toEqual([200, '2.249']);
    }
    expect((await store.visitor().send('HEAD', `/items/${item.id}/versions/2.0/download`)).status).toBe(200);
  });

  it('a download continues when its item is deleted, and nobody can start another', async () => {
    const zip = await pluginZip('going', '1.0.0', `/* ${randomBytes(4_000_000).toString('hex')} */`);
    const { data: item } = await submit(await store.member('going-author'), 'going', {}, zip);
    await admin.call('PUT', `/admin/items/${item.id}/approve`);
    const response = await store.visitor().send('GET', `/items/${item.id}/download`);
    expect((await admin.call('DELETE', `/admin/items/${item.id}`)).status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(zip)).toBe(true);
    expect((await store.visitor().get(`/items/${item.id}/download`)).status).toBe(404);
  });
});

describe('a token', () => {
  it('allows what its scopes say and no more, whoever owns it', async () => {
    const author = await store.member('Token-author');
    const item = (await submit(author, 'tokened')).data;
    const of = async (client: StoreClient, scopes: string[]): Promise<Record<string, string>> => {
      const { data } = await client.call<{ token: string }>('POST', '/auth/tokens', { name: 't', scopes });
      return { authorization: `Bearer ${data.token}` };
    };
    const status = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<number> =>
      (await store.visitor().call(method, path, body, headers)).status;
    const [reading, publishing, boss] = [await of(author, ['read']), await of(author, ['publish']), await of(admin, ['read', 'publish'])];
    expect(await status('GET', `/developer/items/${item.id}`, reading)).toBe(200);
    expect(await status('PUT', `/developer/items/${item.id}`, reading, { price: 1 })).toBe(403);
    expect(await status('PUT', `/developer/items/${item.id}`, publishing, { price: 1 })).toBe(200);
    expect(await status('GET', `/developer/items/${item.id}`, publishing)).toBe(403);
    // Unpublished content is for those who may read it, and an administrator's rights are not a token's.
    expect(await status('GET', `/items/${item.id}`, reading)).toBe(200);
    expect(await status('GET', `/items/${item.id}`, publishing)).toBe(404);
    expect(await status('GET', `/items/${item.id}`, boss)).toBe(404);
    for (const { method, path } of storeRoutes((type) => store.provider(type)).filter(
      ({ path, access }) => access!.level !== 'public' && /^\/api\/(admin|auth)\//.test(path),
    )) {
      expect(
        await status(
          method,
          path.slice('/api'.length).replace(/:\w+/g, '1'),
          boss,
          method === 'GET' || method === 'DELETE' ? undefined : {},
        ),
        `${method} ${path}`,
      ).toBe(403);
    }
    // An additional cookie changes nothing.
    expect(await status('GET', '/auth/me', { ...reading, cookie: admin.cookie })).toBe(403);
    expect(await status('GET', '/auth/me', { authorization: 'Bearer svcs_x', cookie: admin.cookie })).toBe(401);
  });
});
