import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore, type StoreClient } from '../support/store.js';
import { submit, submitVersion } from '../support/store-packages.js';

interface Row {
  id: number;
  slug: string;
  status: string;
  version: string;
  pending_version: string | null;
  item_status: string;
}

let store: TestStore;
let admin: StoreClient;
let author: StoreClient;
const id: Record<string, number> = {};
beforeAll(async () => {
  store = await TestStore.start();
  admin = await store.member('Root', 'admin');
  author = await store.member('Author');
  for (const slug of ['quiet', 'published', 'stopped', 'fresh']) id[slug] = (await submit(author, slug)).data.id;
  for (const slug of ['quiet', 'published', 'stopped']) await admin.call('PUT', `/admin/items/${id[slug]}/approve`);
  await admin.call('PUT', `/admin/items/${id.stopped}/suspend`);
});
afterAll(() => store.close());

const list = async (query: string): Promise<{ items: Row[]; total: number }> =>
  (await admin.get<{ items: Row[]; total: number }>(`/admin/items?${query}`)).data;
const waiting = async (query = ''): Promise<unknown[][]> => {
  const { items, total } = await list(`status=pending&page=1&limit=20${query}`);
  expect(total).toBe(items.length);
  return items.map((row) => [row.slug, row.status, row.version, row.pending_version, row.item_status]);
};
const counted = async () => (await admin.get<{ pending: number }>('/admin/stats')).data.pending;

describe('W4 a new version of a published item', () => {
  it('is in the list deployed front ends review from, and counts, as soon as it was sent', async () => {
    expect(await waiting()).toEqual([['fresh', 'pending', '1.0.0', '1.0.0', 'pending']]);
    expect(await counted()).toBe(1);
    await submitVersion(author, id.published!, 'published', '1.1.0');
    await submitVersion(author, id.stopped!, 'stopped', '2.0.0');
    expect(await waiting()).toEqual([
      ['stopped', 'pending', '1.0.0', '2.0.0', 'suspended'],
      ['published', 'pending', '1.0.0', '1.1.0', 'approved'],
      ['fresh', 'pending', '1.0.0', '1.0.0', 'pending'],
    ]);
    expect(await counted()).toBe(3);
  });

  it('is found by type and keyword, page by page, and included in the other lists', async () => {
    expect(await waiting('&type=theme')).toEqual([]);
    expect((await waiting('&type=plugin')).map(([slug]) => slug)).toEqual(['stopped', 'published', 'fresh']);
    expect((await waiting('&keyword=publ')).map(([slug, status]) => [slug, status])).toEqual([['published', 'pending']]);
    const second = await list('status=pending&page=2&limit=2');
    expect([second.total, second.items.map(({ slug }) => slug)]).toEqual([3, ['fresh']]);
    const all = (await list('')).items.map(({ slug, status, pending_version: version }) => [slug, status, version]);
    expect(all).toEqual([
      ['fresh', 'pending', '1.0.0'],
      ['stopped', 'suspended', '2.0.0'],
      ['published', 'approved', '1.1.0'],
      ['quiet', 'approved', null],
    ]);
    expect((await list('status=approved')).items.map(({ slug, status }) => [slug, status])).toEqual([
      ['published', 'approved'],
      ['quiet', 'approved'],
    ]);
  });

  it('leaves the list with the decision, which is about the version; the public sees nothing of it before', async () => {
    expect((await store.visitor().get<{ version: string; status: string }>(`/items/${id.published}`)).data).toMatchObject({
      version: '1.0.0',
      status: 'approved',
    });
    await submitVersion(author, id.published!, 'published', '1.2.0');
    expect((await waiting('&keyword=publ')).map(([, , , version]) => version)).toEqual(['1.2.0']);
    expect((await admin.call('PUT', `/admin/items/${id.published}/approve`)).status).toBe(200);
    expect((await admin.call('PUT', `/admin/items/${id.stopped}/reject`, { msg: 'no' })).status).toBe(200);
    expect((await waiting()).map(([slug]) => slug)).toEqual(['fresh']);
    expect(await counted()).toBe(1);
    expect((await store.visitor().get<{ version: string }>(`/items/${id.published}`)).data.version).toBe('1.2.0');
  });
});
