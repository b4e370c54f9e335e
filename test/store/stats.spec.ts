import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreDownloadDay, StoreRefusalDay, StoreUser } from '../../src/store/index.js';
import { StoreStats } from '../../src/store/review/store-stats.js';
import { UploadRefusals } from '../../src/store/uploads/upload-refusals.js';
import { testEngine } from '../support/database.js';
import { planOf, readsOf } from '../support/query-plans.js';
import { formOf, pluginZip, submit } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

type Numbers = Awaited<ReturnType<StoreStats['read']>>;

let store: TestStore;
let admin: StoreClient;
let alice: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  alice = await store.member('Alice');
});
afterAll(() => store.close());

let starts = 1;
async function restart(): Promise<void> {
  await store.stop();
  store = await TestStore.on(store.place);
  starts += 1;
  admin = await store.member(`Root${starts}`, 'admin');
  alice = await store.member(`Alice${starts}`);
}

const numbers = async (): Promise<Numbers> => (await admin.get<Numbers>('/admin/stats')).data;
const dayOf = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
async function published(slug: string, zip?: Buffer): Promise<number> {
  const { data } = await submit(alice, slug, {}, zip);
  await admin.call('PUT', `/admin/items/${data.id}/approve`);
  return data.id;
}

describe('the statistics of the store', () => {
  it('reflect items, reviews and downloads immediately', async () => {
    expect(await numbers()).toMatchObject({
      plugins: 0,
      themes: 0,
      pending: 0,
      downloads: 0,
      pendingEdits: 0,
      oldest_waiting_seconds: null,
    });
    const id = await published('counted');
    expect(await numbers()).toMatchObject({ plugins: 1, pending: 0 });
    const { data: waiting } = await submit(alice, 'queued');
    expect(await numbers()).toMatchObject({
      plugins: 1,
      pending: 1,
      waiting_versions: 1,
      oldest_waiting_seconds: expect.any(Number) as number,
    });
    await alice.call('PUT', `/developer/items/${id}`, { price: 3 });
    for (let i = 1; i <= 3; i += 1) {
      await (await store.visitor().send('GET', `/items/${id}/download`)).arrayBuffer();
      expect(await numbers()).toMatchObject({
        downloads: i,
        downloads_today: i,
        downloads_7_days: i,
        downloads_30_days: i,
        pendingEdits: 1,
      });
    }
    await admin.call('PUT', `/admin/items/${waiting.id}/reject`, { msg: 'no' });
    expect((await numbers()).items).toEqual(
      expect.arrayContaining([
        { type: 'plugin', status: 'approved', count: 1 },
        { type: 'plugin', status: 'rejected', count: 1 },
      ]),
    );
    await admin.call('PUT', `/admin/items/${id}/suspend`, { msg: '管理员下架' });
    expect(await numbers()).toMatchObject({ plugins: 0, pending: 0, downloads: 3, top: [] });
    await admin.call('DELETE', `/admin/items/${id}`);
    expect(await numbers()).toMatchObject({ downloads: 0 });
  });

  it('include the days of a month, and today', async () => {
    const id = await published('daily');
    const days = store.database.repository(StoreDownloadDay);
    for (const [ago, downloads] of [
      [1, 10],
      [6, 100],
      [7, 1_000],
      [29, 10_000],
      [30, 100_000],
    ] as const)
      await days.insert({ itemId: id, version: '1.0.0', day: dayOf(ago), downloads, visitors: 1 });
    // Past days are added up once: another process has not done so yet.
    await restart();
    const data = await numbers();
    expect(data.days.map(({ day, downloads }) => [day, downloads])).toEqual([
      [dayOf(29), 10_000],
      [dayOf(7), 1_000],
      [dayOf(6), 100],
      [dayOf(1), 10],
    ]);
    expect(data).toMatchObject({ downloads_today: 0, downloads_7_days: 110, downloads_30_days: 11_110 });
  });

  it('include new and banned accounts', async () => {
    const before = (await numbers()).accounts;
    const [week, old] = [await store.member('week-old'), await store.member('older')];
    await store.database.repository(StoreUser).update(week.userId, { createdAt: new Date(Date.now() - 8 * 86_400_000) });
    await store.database.repository(StoreUser).update(old.userId, { createdAt: new Date(Date.now() - 31 * 86_400_000) });
    await admin.call('PUT', `/admin/users/${old.userId}`, { status: 'banned' });
    const { accounts, users } = await numbers();
    expect(accounts).toEqual({ ...before, active: before.active + 1, banned: before.banned + 1, new_30_days: before.new_30_days + 1 });
    expect(users).toBe(accounts.active + accounts.banned);
  });

  it('include the size of packages and pictures, each package once', async () => {
    const before = (await numbers()).storage;
    const zip = await pluginZip('stored');
    const { data } = await submit(alice, 'stored', {}, zip);
    expect((await alice.call('POST', `/developer/items/${data.id}/versions`, formOf({ version: '1.0.1' }, zip))).status).toBe(200);
    const form = new FormData();
    form.append(
      'image',
      new Blob([
        new Uint8Array(
          await sharp({ create: { width: 5, height: 5, channels: 3, background: '#0f0' } })
            .png()
            .toBuffer(),
        ),
      ]),
      'a.png',
    );
    const { url } = (await alice.call<{ url: string }>('POST', '/upload/image', form)).data;
    const picture = (await (await fetch(store.url + url)).arrayBuffer()).byteLength;
    expect((await numbers()).storage).toEqual({
      packages: before.packages + 1,
      package_bytes: before.package_bytes + zip.length,
      pictures: before.pictures + 1,
      picture_bytes: before.picture_bytes + picture,
    });
  });

  it('count rejected uploads by rule, across restarts, and delete them after 90 days', async () => {
    const rules = async (): Promise<unknown> => (await numbers()).refused_uploads;
    expect(await rules()).toEqual([]);
    await submit(alice, 'bad', {}, Buffer.from('no zip'));
    await submit(alice, 'bad', {}, Buffer.from('no zip either'));
    await submit(alice, 'stored');
    await alice.call('POST', '/upload/image', new FormData());
    // A dry run rejects nothing.
    await alice.call('POST', '/developer/validate', formOf({ type: 'plugin', slug: 'bad' }, Buffer.from('no zip')));
    const expected = [
      { rule: 'packages.unreadable', count: 2 },
      { rule: 'images.missing', count: 1 },
      { rule: 'store.plugin_exists', count: 1 },
    ];
    expect(await rules()).toEqual(expected);
    await restart();
    expect(await rules()).toEqual(expected);
    const rows = store.database.repository(StoreRefusalDay);
    await rows.insert([
      { day: dayOf(91), rule: 'store.zip_only', refusals: 5 },
      { day: dayOf(90), rule: 'store.zip_only', refusals: 5 },
    ]);
    expect(await rules()).toEqual(expected);
    await store.provider(UploadRefusals).removeOld();
    expect(await rows.countBy({ rule: 'store.zip_only' })).toBe(1);
  });

  it.runIf(testEngine === 'sqlite')('read tables by index, and do not reread unchanged data', async () => {
    const stats = store.provider(StoreStats);
    const plansOf = async (work: () => Promise<unknown>): Promise<string[]> =>
      (await readsOf(store.database, work)).flatMap((sql) => planOf(store.database, sql).map((step) => `${step} <- ${sql}`));
    await store.database.repository(StoreUser).update(admin.userId, { bio: 'x' });
    await published('fresh');
    const first = await plansOf(() => stats.read());
    expect(first.filter((step) => /^SCAN/.test(step) && !/USING COVERING INDEX|CONSTANT|\(subquery|^SCAN packages\b/.test(step))).toEqual(
      [],
    );
    const again = await plansOf(() => stats.read());
    expect(again.length).toBeGreaterThan(5);
    expect(again.filter((step) => /^SCAN/.test(step) && !/CONSTANT/.test(step))).toEqual([]);
  });
});
