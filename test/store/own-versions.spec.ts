import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { StoreClient } from '../support/store.js';
import { TestStore } from '../support/store.js';
import { submit, submitVersion } from '../support/store-packages.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
let admin: StoreClient;
beforeAll(async () => {
  store = await TestStore.start();
  alice = await store.member('Alice');
  bob = await store.member('Bob');
  admin = await store.member('Root', 'admin');
});
afterAll(() => store.close());

const approve = async (id: number): Promise<void> => {
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
};
/** An item with these versions, all published. */
async function published(slug: string, ...versions: string[]): Promise<number> {
  const id = Number((await submit(alice, slug, { version: '1.0.0' })).data.id);
  await approve(id);
  for (const version of versions) {
    await submitVersion(alice, id, slug, version);
    await approve(id);
  }
  return id;
}
const withdraw = (id: number, version: string, reason = '', client = alice) =>
  client.call('PUT', `/developer/items/${id}/versions/${version}/withdraw`, { reason });
const remove = (id: number, version: string, client = alice) =>
  client.call<{ item_removed: boolean }>('DELETE', `/developer/items/${id}/versions/${version}`);
const versionsOf = async (id: number) =>
  (await alice.get<{ version: string; status: string }[]>(`/developer/items/${id}/versions`)).data.map(
    ({ version, status }) => `${version} ${status}`,
  );
const asked = async (slug: string, version: string) =>
  (
    await store
      .visitor()
      .call<Record<'updates' | 'closed' | 'withdrawn', { version: string; reason: string }[]>>('POST', '/items/update-check', {
        panel_version: '1.84.0',
        items: [{ type: 'plugin', slug, version }],
      })
  ).data;

describe('a published version that its author withdraws', () => {
  it('is no longer offered, is replaced by the previous one, and panels that have it get the reason', async () => {
    const id = await published('taken-back', '1.1.0');
    expect(await withdraw(id, '1.1.0', 'It loses settings')).toMatchObject({
      status: 200,
      data: { version: '1.1.0', status: 'withdrawn', withdrawn_reason: 'It loses settings' },
    });
    const visitor = store.visitor();
    expect((await visitor.get<{ version: string }>(`/items/${id}`)).data.version).toBe('1.0.0');
    expect((await visitor.send('GET', `/items/${id}/versions/1.1.0/download`)).status).toBe(404);
    expect((await visitor.send('GET', `/items/${id}/download`)).headers.get('content-disposition')).toContain('1.0.0');
    expect((await visitor.get<{ version: string }[]>(`/items/${id}/versions`)).data.map(({ version }) => version)).toEqual(['1.0.0']);
    expect((await alice.send('GET', `/items/${id}/versions/1.1.0/download`)).status).toBe(200);
    expect(await asked('taken-back', '1.1.0')).toMatchObject({
      updates: [],
      closed: [],
      withdrawn: [{ version: '1.1.0', reason: 'It loses settings' }],
    });
    expect(await asked('taken-back', '1.0.0')).toEqual({ updates: [], closed: [], withdrawn: [] });
    expect((await submitVersion(alice, id, 'taken-back', '1.1.0')).status).toBe(400);
    await submitVersion(alice, id, 'taken-back', '1.2.0');
    await approve(id);
    expect(await asked('taken-back', '1.1.0')).toMatchObject({ updates: [{ version: '1.2.0' }], withdrawn: [{ version: '1.1.0' }] });
  });

  it('removes the item from the list if there is no other, until the next one is approved', async () => {
    const id = await published('only-one');
    await withdraw(id, '1.0.0', 'Gone for good');
    expect((await store.visitor().get(`/items/${id}`)).status).toBe(404);
    expect((await alice.get<{ status: string }>(`/items/${id}`)).data.status).toBe('suspended');
    expect((await asked('only-one', '1.0.0')).closed).toMatchObject([{ reason: 'Gone for good' }]);
    expect(await admin.call('PUT', `/admin/items/${id}/approve`)).toMatchObject({ status: 400 });
    await submitVersion(alice, id, 'only-one', '2.0.0');
    await approve(id);
    expect((await store.visitor().get<{ version: string }>(`/items/${id}`)).data.version).toBe('2.0.0');
    expect(await asked('only-one', '1.0.0')).toMatchObject({ updates: [{ version: '2.0.0' }], closed: [] });
  });

  it('is withdrawn once, by its author only; one that is not the newest changes nothing else', async () => {
    const id = await published('once', '1.1.0');
    expect((await withdraw(id, '1.0.0', '', bob)).status).toBe(403);
    expect((await withdraw(id, '9.9.9')).status).toBe(404);
    const both = await Promise.all([withdraw(id, '1.0.0'), withdraw(id, '1.0.0')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await versionsOf(id)).toEqual(['1.1.0 approved', '1.0.0 withdrawn']);
    expect((await withdraw(id, '1.1.0', 'two\nlines')).status).toBe(400);
    expect((await remove(id, '1.0.0')).status).toBe(400);
  });
});

describe('a version that was never published', () => {
  it('is deleted by its author, and published versions stay', async () => {
    const id = await published('kept');
    await submitVersion(alice, id, 'kept', '1.1.0');
    expect((await remove(id, '1.1.0', bob)).status).toBe(403);
    expect(await remove(id, '1.1.0')).toMatchObject({ status: 200, data: { item_removed: false } });
    expect(await versionsOf(id)).toEqual(['1.0.0 approved']);
    expect((await alice.get<{ status: string }>(`/items/${id}`)).data.status).toBe('approved');
    expect((await remove(id, '1.0.0')).status).toBe(400);
    expect((await submitVersion(alice, id, 'kept', '1.1.0')).status).toBe(400);
  });

  it('deletes an item without other versions, whose slug stays reserved for its author', async () => {
    const id = Number((await submit(alice, 'never')).data.id);
    await submitVersion(alice, id, 'never', '1.0.1');
    expect(await remove(id, '1.0.1')).toMatchObject({ data: { item_removed: false } });
    expect((await alice.get<{ status: string; version: string }>(`/developer/items/${id}`)).data).toMatchObject({
      status: 'rejected',
      version: '1.0.0',
    });
    expect(await remove(id, '1.0.0')).toMatchObject({ data: { item_removed: true } });
    expect((await alice.get(`/developer/items/${id}`)).status).toBe(404);
    expect((await submit(bob, 'never')).status).toBe(400);
    expect((await submit(alice, 'never', { version: '1.0.2' })).status).toBe(200);
  });

  it('is either deleted or published, never both', async () => {
    const id = Number((await submit(alice, 'race')).data.id);
    await Promise.all([remove(id, '1.0.0'), admin.call('PUT', `/admin/items/${id}/approve`)]);
    const item = await store.visitor().get(`/items/${id}`);
    const download = await store.visitor().send('GET', `/items/${id}/download`);
    expect(download.status).toBe(item.status);
  });
});
