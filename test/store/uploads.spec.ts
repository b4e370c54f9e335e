import { randomBytes } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore, type StoreClient } from '../support/store.js';
import { filesIn, formOf, pluginZip, submit } from '../support/store-packages.js';

let store: TestStore;
let people: StoreClient[];
beforeAll(async () => {
  store = await TestStore.start();
  people = [await store.member('Alice'), await store.member('Bob'), await store.member('Carol')];
});
afterAll(() => store.close());

/** Uploads that have begun and go on until they are given up. */
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

describe('uploads at once', () => {
  it('have a place each; who finds none is told kindly, before anything is read, and is let in when one has gone', async () => {
    const [alice, bob, carol] = people as [StoreClient, StoreClient, StoreClient];
    const under = begin(alice, 16);
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(16);
    const own = await submit(alice, 'one-too-many');
    expect(own).toMatchObject({ status: 429, code: 429, msg: '您同时进行的上传过多，本次上传未保留，请等其中一个完成后，于 20 秒后重试', data: null });
    expect(own.headers.get('retry-after')).toBe('20');

    under.push(...begin(bob, 16));
    await expect.poll(() => filesIn(store, 'incoming').length).toBe(32);
    const form = formOf({ type: 'plugin', slug: 'busy', name: 'Busy', version: '1.0.0', description: 'd' }, await pluginZip('busy'));
    const all = await carol.call('POST', '/developer/items', form, { 'accept-language': 'en' });
    expect(all).toMatchObject({ status: 503, code: 503, msg: 'Many uploads are being checked right now; nothing of this one was kept. Try again in 20 seconds' });
    expect(all.headers.get('retry-after')).toBe('20');
    expect(filesIn(store, 'incoming')).toHaveLength(32);
    // Pictures have places of their own, and so has whatever is no upload.
    expect((await carol.call('POST', '/upload/image', formOf({}))).status).toBe(400);
    expect((await carol.get('/developer/items')).status).toBe(200);

    under.forEach((req) => req.destroy());
    await expect.poll(() => filesIn(store, 'incoming')).toEqual([]);
    expect(await submit(carol, 'busy')).toMatchObject({ status: 200 });
    expect(await submit(alice, 'one-too-many')).toMatchObject({ status: 200 });
  });
});
