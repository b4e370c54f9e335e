import { randomBytes } from 'node:crypto';
import { get, request, type ClientRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore, type StoreClient } from '../support/store.js';
import { filesIn, formOf, pluginZip, submit, zipOf } from '../support/store-packages.js';

let store: TestStore;
let people: StoreClient[];
beforeAll(async () => {
  store = await TestStore.start();
  people = await Promise.all(['Alice', 'Bob', 'Carol', 'Dan', 'Eve'].map((name) => store.member(name)));
});
afterAll(() => store.close());

/** Uploads that started and continue until they are aborted. */
function begin(client: StoreClient, count: number): ClientRequest[] {
  const { hostname, port } = new URL(store.url);
  return Array.from({ length: count }, () => {
    const headers = { cookie: client.cookie, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1_000_000 };
    const req = request({ hostname, port, path: '/api/developer/validate', method: 'POST', headers, agent: false });
    req.on('error', () => undefined);
    req.write('--x\r\nContent-Disposition: form-data; name="zipfile"; filename="a.zip"\r\n\r\n');
    req.write(randomBytes(1_000));
    return req;
  });
}

describe('concurrent uploads', () => {
  it('have a slot each; without one, the request is rejected before it is read, and accepted once a slot is free', async () => {
    const [alice, bob, carol, ...others] = people as [StoreClient, StoreClient, StoreClient, ...StoreClient[]];
    const under = begin(alice, 8);
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(8);
    const own = await submit(alice, 'one-too-many');
    expect(own).toMatchObject({
      status: 429,
      code: 429,
      msg: '您同时进行的上传过多，本次上传未保留，请等其中一个完成后，于 20 秒后重试',
      data: null,
    });
    expect(own.headers.get('retry-after')).toBe('20');

    // Two accounts leave half of the slots to others.
    for (const client of [bob, ...others]) under.push(...begin(client, 8));
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(32);
    const form = formOf({ type: 'plugin', slug: 'busy', name: 'Busy', version: '1.0.0', description: 'd' }, await pluginZip('busy'));
    const all = await carol.call('POST', '/developer/items', form, { 'accept-language': 'en' });
    expect(all).toMatchObject({
      status: 503,
      code: 503,
      msg: 'Many uploads are being checked right now; this one was not saved. Try again in 20 seconds',
    });
    expect(all.headers.get('retry-after')).toBe('20');
    expect(filesIn(store, 'incoming')).toHaveLength(32);
    // Administrators have their own slots, and so do pictures and everything that is no upload.
    expect(await submit(await store.member('Boss', 'admin'), 'urgent')).toMatchObject({ status: 200 });
    expect((await carol.call('POST', '/upload/image', formOf({}))).status).toBe(400);
    expect((await carol.get('/developer/items')).status).toBe(200);

    under.forEach((req) => req.destroy());
    await expect.poll(() => filesIn(store, 'incoming')).toEqual([]);
    expect(await submit(carol, 'busy')).toMatchObject({ status: 200 });
    expect(await submit(alice, 'one-too-many')).toMatchObject({ status: 200 });
  });
});

describe('a rejected client', () => {
  /** Sends this many bytes without waiting, as browsers do, and returns the response. */
  const send = (path: string, bytes: number, headers: Record<string, string> = {}): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(store.url);
      const req = request(
        {
          hostname,
          port,
          path,
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked', ...headers },
        },
        (res) => {
          let text = '';
          res
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .on('end', () => resolve(`${res.statusCode} ${(JSON.parse(text) as { msg: string }).msg}`));
        },
      );
      req.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
      req.end(Buffer.alloc(bytes, ' '));
    });

  it('gets the reason, however much was already sent', async () => {
    expect(await send('/api/developer/items', 20_000_000, { 'content-type': 'multipart/form-data; boundary=x' })).toBe('401 请先登录');
    expect(await send('/api/developer/items/1', 5_000_000)).toBe('404 Not Found');
    expect(await send('/api/auth/login', 5_000_000)).toBe('413 请求内容过大');
    expect(
      await send('/api/developer/items/2000000000/versions', 20_000_000, {
        'content-type': 'multipart/form-data; boundary=x',
        cookie: people[0]!.cookie,
      }),
    ).toBe('404 项目不存在或无权操作');
  });

  it('is a stranger whose body is larger than strangers need', async () => {
    expect(await send('/api/auth/login', 65_537)).toBe('413 请求内容过大');
    expect(await send('/api/auth/login', 65_536)).toBe('400 请求内容无法解析，请检查格式');
    expect(await send('/api/auth/tokens', 500_000, { cookie: people[0]!.cookie })).toBe('400 请求内容无法解析，请检查格式');
  });

  it('is anyone while strangers use up the space for bodies; signed-in users have their own', async () => {
    const { hostname, port } = new URL(store.url);
    const holding = Array.from({ length: 530 }, () => {
      const req = request({
        hostname,
        port,
        path: '/api/auth/login',
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': 65_000 },
      });
      req.on('error', () => undefined).on('response', (res) => res.resume());
      req.write(Buffer.alloc(64_900, ' '));
      return req;
    });
    await expect.poll(() => send('/api/auth/login', 65_000)).toBe('503 当前请求较多，请 20 秒后重试');
    expect((await people[0]!.call('PUT', '/auth/profile', { bio: 'x' })).status).toBe(200);
    holding.forEach((req) => req.destroy());
    await expect.poll(() => send('/api/auth/login', 65_000)).toBe('400 请求内容无法解析，请检查格式');
  });
});

describe('concurrent downloads', () => {
  it('have a slot each until their reader is gone', async () => {
    const admin = await store.member('Root', 'admin');
    const zip = await zipOf('large', {
      'plugin.json': '{"id":"large","name":"large","version":"1.0.0"}',
      'index.js': '',
      'noise.gif': Buffer.concat([Buffer.from('GIF89a\0\0'), randomBytes(9_000_000)]),
    });
    const { data } = await submit(people[0]!, 'large', {}, zip);
    expect((await admin.call('PUT', `/admin/items/${data.id}/approve`)).status).toBe(200);
    const path = `/api/items/${data.id}/download`;
    let answered = 0;
    // The file is larger than the buffers of a connection, and the clients do not read.
    const readers = Array.from({ length: 100 }, () =>
      get(store.url + path, { agent: false }, (res) => void (res.pause(), (answered += 1))).on('error', () => undefined),
    );
    await expect.poll(() => answered, { timeout: 20_000 }).toBe(100);
    const visitor = store.visitor();
    const refused = await visitor.call('GET', path.slice('/api'.length));
    expect(refused).toMatchObject({ status: 503, msg: '当前请求较多，请 20 秒后重试' });
    expect(refused.headers.get('retry-after')).toBe('20');
    readers.forEach((req) => req.destroy());
    await expect.poll(async () => (await visitor.send('HEAD', path.slice('/api'.length))).status).toBe(200);
    expect(Buffer.from(await (await visitor.send('GET', path.slice('/api'.length))).arrayBuffer()).equals(zip)).toBe(true);
  });
});
