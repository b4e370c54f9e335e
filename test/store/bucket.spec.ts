import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { StorageHealth, StoreDownload, StoreItem, StoreVersion } from '../../src/store/index.js';
import { StoreSweep } from '../../src/store/items/store-sweep.js';
import { FAKE_S3, FakeS3 } from '../../src/store/packages/testing/fake-s3.js';
import { createMigratedPlace } from '../support/database.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { filesIn, pluginZip, submit, submitVersion, zipOf } from '../support/store-packages.js';

const PREFIX = 'packages/';
const s3 = new FakeS3();
let store: TestStore;
let alice: StoreClient;
let admin: StoreClient;
beforeAll(async () => {
  const place = await createMigratedPlace({
    CAPTCHA: 'off',
    RATE_LIMIT: 'off',
    STORE_S3_ENDPOINT: await s3.start(),
    STORE_S3_BUCKET: FAKE_S3.bucket,
    STORE_S3_REGION: FAKE_S3.region,
    STORE_S3_ACCESS_KEY: FAKE_S3.accessKeyId,
    STORE_S3_SECRET_KEY: FAKE_S3.secretAccessKey,
    STORE_S3_PREFIX: 'packages',
  });
  // A test need not wait for half a minute without a response.
  Object.assign(place.config.storeS3!, { idleTimeoutMs: 300 });
  store = await TestStore.on(place);
  alice = await store.member('Alice');
  admin = await store.member('Root', 'admin');
});
const well = { fail: null, failGets: false, hangs: false, breakAfter: null };
afterEach(() => Object.assign(s3, well));
afterAll(async () => {
  await store.close();
  await s3.stop();
});

const keyOf = (sha256: string): string => `${PREFIX}${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}.zip`;
const approve = (id: number) => admin.call('PUT', `/admin/items/${id}/approve`);
const published = async (slug: string, zip?: Buffer): Promise<StoreItem> => {
  const { data } = await submit(alice, slug, {}, zip);
  expect((await approve(data.id)).status).toBe(200);
  return store.database.repository(StoreItem).findOneByOrFail({ id: data.id });
};
const bytes = async (path: string, headers: Record<string, string> = {}): Promise<Buffer> =>
  Buffer.from(await (await store.visitor().send('GET', path, { headers })).arrayBuffer());

describe('a store with a bucket', () => {
  it('stores, shows, sends and cleans up packages there, and nothing on its disk', async () => {
    const zip = await pluginZip('bucketed');
    const item = await published('bucketed', zip);
    expect([...s3.objects.keys()]).toEqual([keyOf(item.sha256)]);
    expect([filesIn(store, 'packages'), filesIn(store, 'incoming')]).toEqual([[], []]);

    const path = `/items/${item.id}/download`;
    expect(await bytes(path)).toEqual(zip);
    expect(await bytes(path, { range: 'bytes=10-19' })).toEqual(zip.subarray(10, 20));
    const head = await store.visitor().send('HEAD', path);
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(zip.length),
      `"${item.sha256}"`,
    ]);
    expect((await store.visitor().send('GET', path, { headers: { 'if-none-match': `"${item.sha256}"` } })).status).toBe(304);
    expect((await store.visitor().send('GET', path, { headers: { range: `bytes=${zip.length}-` } })).status).toBe(416);
    expect(
      (await admin.get<{ files: { path: string }[] }>(`/admin/items/${item.id}/files`)).data.files.map((file) => file.path).sort(),
    ).toEqual(['index.js', 'plugin.json']);
    expect(filesIn(store, 'incoming')).toEqual([]);

    expect((await admin.call('DELETE', `/admin/items/${item.id}`)).status).toBe(200);
    expect(await store.provider(StoreSweep).packages(3_600_000)).toBe(0);
    expect(await store.provider(StoreSweep).packages(0)).toBe(1);
    expect(s3.objects.size).toBe(0);
  });

  it('keeps reading packages that are still in the folder', async () => {
    const zip = await pluginZip('moved');
    const item = await published('moved', zip);
    const path = join(store.place.dataDir, 'store/packages', item.sha256.slice(0, 2), item.sha256.slice(2, 4), `${item.sha256}.zip`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, zip);
    s3.objects.clear();
    expect(await bytes(`/items/${item.id}/download`)).toEqual(zip);
    // The layout is the same: copying is enough.
    s3.objects.set(PREFIX + path.slice(join(store.place.dataDir, 'store/packages/').length), {
      content: readFileSync(path),
      changed: new Date(),
    });
    await store.provider(StoreSweep).packages(0);
    expect(readdirSync(dirname(path))).toHaveLength(1);
    writeFileSync(path.replace(/\.zip$/, '.part'), '');
    await store.provider(StoreSweep).packages(0);
    expect(await bytes(`/items/${item.id}/download`)).toEqual(zip);
  });
});

describe('a bucket that', () => {
  const trouble: [string, Partial<FakeS3>][] = [
    ['answers 500', { fail: 500 }],
    ['refuses the key', { fail: 403 }],
    ['does not answer', { hangs: true }],
    ['hangs up in the middle', { breakAfter: 20 }],
  ];

  it.each(trouble)(
    '%s: an upload is rejected with an explanation, leaves nothing, and succeeds when it is sent again',
    async (_name, how) => {
      const slug = `up-${trouble.findIndex(([, other]) => other === how)}`;
      const zip = await zipOf(slug, {
        'plugin.json': JSON.stringify({ id: slug, name: slug, version: '1.0.0' }),
        'data.bin': randomBytes(300_000),
      });
      const before = [s3.objects.size, await store.database.repository(StoreVersion).count()];
      Object.assign(s3, how);
      const answer = await submit(alice, slug, {}, zip);
      expect(answer).toMatchObject({ status: 503, code: 503, data: null });
      expect(answer.msg).toMatch(/^暂时无法访问安装包存储，未做任何更改，请 30 秒后重试；如仍出现，请将编号 [0-9a-f]{12} 告知管理员$/);
      expect(answer.headers.get('retry-after')).toBe('30');
      expect([s3.objects.size, await store.database.repository(StoreVersion).count()]).toEqual(before);
      expect(filesIn(store, 'incoming')).toEqual([]);
      Object.assign(s3, well);
      expect(await submit(alice, slug, {}, zip)).toMatchObject({ status: 200 });
      expect(s3.objects.size).toBe(before[0]! + 1);
    },
  );

  it.each(trouble.slice(0, 3))('%s: a download is rejected with 503 and not counted', async (_name, how) => {
    const item = await published(`down-${trouble.findIndex(([, other]) => other === how)}`);
    Object.assign(s3, how);
    const answer = await store.visitor().call('GET', `/items/${item.id}/download`, undefined, { 'accept-language': 'en' });
    expect(answer).toMatchObject({ status: 503, code: 503 });
    expect(answer.msg).toMatch(/^Package storage cannot be reached right now; nothing was changed\. Try again in 30 seconds/);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    for (const header of ['etag', 'content-disposition', 'accept-ranges']) expect(answer.headers.get(header)).toBeNull();
    expect(await store.database.repository(StoreDownload).countBy({ itemId: item.id })).toBe(0);
    expect((await admin.get(`/admin/items/${item.id}/files`)).status).toBe(503);
    expect(filesIn(store, 'incoming')).toEqual([]);
    Object.assign(s3, well);
    expect((await bytes(`/items/${item.id}/download`)).length).toBe(item.zipSize);
  });

  it('fails between size and content: the response says nothing about a package', async () => {
    const item = await published('between');
    s3.failGets = true;
    const answer = await store.visitor().call('GET', `/items/${item.id}/download`);
    expect(answer).toMatchObject({ status: 503, data: null });
    for (const header of ['etag', 'content-disposition', 'accept-ranges']) expect(answer.headers.get(header)).toBeNull();
    expect(await store.database.repository(StoreDownload).countBy({ itemId: item.id })).toBe(0);
  });

  it('disconnects midway: a download breaks off, and does not look complete', async () => {
    const zip = await zipOf('cut', {
      'plugin.json': '{"id":"cut","name":"cut","version":"1.0.0"}',
      'index.js': '',
      'data.bin': randomBytes(3_000_000),
    });
    const item = await published('cut', zip);
    s3.breakAfter = 1_000_000;
    const response = await store.visitor().send('GET', `/items/${item.id}/download`);
    expect(response.headers.get('content-length')).toBe(String(zip.length));
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect((await admin.get(`/admin/items/${item.id}/files`)).status).toBe(503);
    expect(filesIn(store, 'incoming')).toEqual([]);
    s3.breakAfter = null;
    expect((await bytes(`/items/${item.id}/download`)).equals(zip)).toBe(true);
  });

  it('is unreachable: the rest of the store works, and health says so', async () => {
    const item = await published('alive');
    const { data: waiting } = await submitVersion(alice, item.id, 'alive', '2.0.0');
    expect(waiting.status).toBe('pending');
    const health = store.provider(StorageHealth);
    const ready = async () => (await (await fetch(`${store.url}/readyz`)).json()) as Record<string, unknown>;
    await health.refresh();
    expect(await ready()).toMatchObject({ status: 'ready', packages: true });
    s3.fail = 500;
    await health.refresh();
    expect(await ready()).toMatchObject({ status: 'ready', packages: false });
    expect((await store.visitor().get('/items')).status).toBe(200);
    expect((await approve(item.id)).status).toBe(200);
    s3.fail = null;
    await health.refresh();
    expect(await ready()).toMatchObject({ packages: true });
  });
});
