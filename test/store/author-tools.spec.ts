import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BackgroundQueue } from '../../src/jobs/index.js';
import { formOf, pluginZip, submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { tidyHtml } from '../support/tidy-html.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
let admin: StoreClient;
let receiver: ReturnType<typeof createServer>;
let answers: number[] = [];
const received: { headers: IncomingMessage['headers']; body: string }[] = [];
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent', OUTBOUND_ALLOW: '127.0.0.0/8' });
  [alice, bob, admin] = [await store.member('Alice'), await store.member('Bob'), await store.member('Root', 'admin')];
  receiver = createServer((req, res) => {
    let body = '';
    req
      .on('data', (part: Buffer) => (body += part.toString()))
      .on('end', () => {
        received.push({ headers: req.headers, body });
        res.writeHead(answers.shift() ?? 204).end();
      });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await store.close();
});

const approve = async (id: number): Promise<void> => {
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
};
const published = async (slug: string): Promise<number> => {
  const id = Number((await submit(alice, slug)).data.id);
  await approve(id);
  return id;
};

describe('a webhook', () => {
  it('is notified of decisions about its owner’s items, signed; others get nothing', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    for (const wrong of ['ftp://example.org', 'javascript:alert(1)', 'http://user:pass@example.org/', ''])
      expect([wrong, (await alice.call('POST', '/developer/webhooks', { url: wrong })).status]).toEqual([wrong, 400]);
    const { data: hook } = await alice.call<{ id: number; secret: string }>('POST', '/developer/webhooks', { url });
    expect(JSON.stringify((await alice.get('/developer/webhooks')).data)).not.toContain(hook.secret);
    expect((await bob.call('DELETE', `/developer/webhooks/${hook.id}`)).status).toBe(404);
    expect((await bob.call('POST', `/developer/webhooks/${hook.id}/test`)).status).toBe(404);
    const id = Number((await submit(alice, 'told')).data.id);
    await admin.call('PUT', `/admin/items/${id}/approve`, { msg: 'Fine' });
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
    const { headers, body } = received[0]!;
    expect(JSON.parse(body)).toMatchObject({ event: 'item.approve', item: { id, slug: 'told' }, version: '1.0.0', msg: 'Fine' });
    const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-store-signature']))!;
    expect(signature).toBe(createHmac('sha256', hook.secret).update(`${seconds}.${body}`).digest('hex'));
    await expect.poll(async () => (await alice.get<{ last_code: number }[]>('/developer/webhooks')).data[0]!.last_code).toBe(204);
    for (let i = 1; i < 5; i++) await alice.call('POST', '/developer/webhooks', { url: `${url}/${i}` });
    expect((await alice.call('POST', '/developer/webhooks', { url })).status).toBe(400);
    for (const { id: one } of (await alice.get<{ id: number }[]>('/developer/webhooks')).data)
      await alice.call('DELETE', `/developer/webhooks/${one}`);
  });

  it('that does not accept a message gets it again', async () => {
    answers = [500];
    const before = received.length;
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/again`;
    const { data: hook } = await bob.call<{ id: number }>('POST', '/developer/webhooks', { url });
    await bob.call('POST', `/developer/webhooks/${hook.id}/test`);
    await expect.poll(async () => (await bob.get<{ last_code: number }[]>('/developer/webhooks')).data[0]!.last_code).toBe(500);
    expect(received.length).toBe(before + 1);
    const page = await fetch(`${store.url}/store/account/webhooks`, { headers: { cookie: bob.cookie, 'accept-language': 'en' } });
    const html = tidyHtml(await page.text());
    expect(html).toMatch(/<code>http:[^<]+\/again<\/code>[^]*<time [^]*text-danger">Response 500<[^]*Send a test[^]*Remove/);
    for (const act of ['test', 'remove']) expect(html).toContain(`method="post" action="/store/account/webhooks/${hook.id}/${act}"`);
    expect(html).toContain(`hx-confirm="Remove ${url}?"`);
    const waits = async () =>
      (
        await store
          .provider<BackgroundQueue>(BackgroundQueue as never)
          .list({ name: 'store.webhook', state: 'waiting' }, { page: 1, limit: 10 })
      ).total;
    await expect.poll(waits).toBe(1);
  });
});

describe('a beta version', () => {
  it('is reviewed, offered on request only, and does not change what the item offers', async () => {
    const id = await published('early');
    const fresh = Number((await submit(alice, 'fresh')).data.id);
    const send = async (item: number, slug: string, version: string, channel: string) =>
      alice.call('POST', `/developer/items/${item}/versions`, formOf({ version, channel }, await pluginZip(slug)));
    expect((await send(fresh, 'fresh', '1.1.0-beta', 'beta')).status).toBe(400);
    expect((await send(id, 'early', '1.1.0-beta', 'nightly')).status).toBe(400);
    expect(await send(id, 'early', '1.1.0-beta', 'beta')).toMatchObject({ status: 200, data: { status: 'pending', channel: 'beta' } });
    await approve(id);
    const visitor = store.visitor();
    expect((await visitor.get<{ version: string }>(`/items/${id}`)).data.version).toBe('1.0.0');
    expect((await visitor.send('GET', `/items/${id}/versions/1.1.0-beta/download`)).status).toBe(200);
    const asked = async (beta?: boolean) =>
      (
        await visitor.call<{ updates: { version: string; download: string }[] }>('POST', '/items/update-check', {
          panel_version: '1.84.0',
          items: [{ type: 'plugin', slug: 'early', version: '1.0.0' }],
          ...(beta === undefined ? {} : { beta }),
        })
      ).data.updates.map(({ version, download }) => `${version} ${download}`);
    expect([await asked(), await asked(false)]).toEqual([[], []]);
    expect(await asked(true)).toEqual([`1.1.0-beta /api/items/${id}/versions/1.1.0-beta/download`]);
    await submitVersion(alice, id, 'early', '1.1.0');
    await approve(id);
    expect(await asked(true)).toEqual([`1.1.0 /api/items/${id}/download`]);
    // When it is withdrawn, the previous stable version replaces it, never a beta.
    await alice.call('PUT', `/developer/items/${id}/versions/1.1.0/withdraw`);
    expect((await visitor.get<{ version: string }>(`/items/${id}`)).data.version).toBe('1.0.0');
  });
});

describe('downloads of an item', () => {
  it('are shown to its author over time and by version, as numbers and as a chart', async () => {
    const id = await published('counted');
    for (let i = 0; i < 3; i++) await (await store.visitor().send('GET', `/items/${id}/download`)).arrayBuffer();
    const numbers = () =>
      alice.get<{ days: { downloads: number; visitors: number }[]; versions: object[] }>(`/developer/items/${id}/downloads?days=7`);
    await expect.poll(async () => (await numbers()).data.days[0]?.downloads).toBe(3);
    expect((await numbers()).data).toMatchObject({ days: [{ visitors: 1 }], versions: [{ version: '1.0.0', downloads: 3 }] });
    expect((await bob.get(`/developer/items/${id}/downloads`)).status).toBe(403);
    expect((await alice.get(`/developer/items/${id}/downloads?days=1000`)).status).toBe(400);
    const page = await fetch(`${store.url}/store/developer/items/${id}/downloads`, { headers: { cookie: alice.cookie } });
    expect(await page.text()).toMatch(
      /<figure class="chart[^]*<th scope="col" data-series="bar">[^]*<td data-value="3">3<\/td>[^]*<progress[^>]*max="3"\s+value="3"/,
    );
  });
});
