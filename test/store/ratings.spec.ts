import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreRatingSums1795818000000 } from '../../src/database/migrations/1795818000000-store-rating-sums.js';
import { pictureForm, submit, submitVersion } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { tidyHtml } from '../support/tidy-html.js';

let store: TestStore;
let alice: StoreClient;
let bob: StoreClient;
let carol: StoreClient;
let admin: StoreClient;
let id: number;
beforeAll(async () => {
  store = await TestStore.start({ LOG_LEVEL: 'silent' });
  [alice, bob, carol] = await Promise.all([store.member('Alice'), store.member('Bob'), store.member('Carol')]);
  admin = await store.member('Root', 'admin');
  id = Number((await submit(alice, 'rated')).data.id);
  await approve();
});
afterAll(() => store.close());

const approve = async (): Promise<void> => {
  expect((await admin.call('PUT', `/admin/items/${id}/approve`)).status).toBe(200);
};
const rate = (client: StoreClient, stars: unknown, text = '', version?: string) =>
  client.call<{ id: number }>('PUT', `/items/${id}/rating`, { stars, text, ...(version ? { version } : {}) });
const sums = async () => {
  const { rating, ratings } = (await store.visitor().get<{ rating: number | null; ratings: number }>(`/items/${id}`)).data;
  return [rating, ratings];
};
const listed = async () =>
  (await store.visitor().get<{ items: { username: string; stars: number; text: string; reply: string }[] }>(`/items/${id}/ratings`)).data
    .items;
const page = async (path: string, client = store.visitor()) =>
  (await fetch(store.url + path, { headers: { 'accept-language': 'en', ...(client.cookie ? { cookie: client.cookie } : {}) } })).text();

describe('ratings', () => {
  it('exist once per account and version, and are counted at the item', async () => {
    expect(await sums()).toEqual([null, 0]);
    expect((await rate(store.visitor(), 5)).status).toBe(401);
    expect((await rate(alice, 5)).status).toBe(403);
    for (const stars of [0, 6, 1.5, '5', null]) expect([stars, (await rate(bob, stars)).status]).toEqual([stars, 400]);
    expect((await rate(bob, 5, '<b>')).status).toBe(400);
    expect((await rate(bob, 5, 'x', '9.9')).status).toBe(404);
    await Promise.all([rate(bob, 2), rate(bob, 2), rate(carol, 5, 'Good')]);
    expect(await sums()).toEqual([3.5, 2]);
    expect(await rate(bob, 3, 'Better now')).toMatchObject({ status: 200, data: { stars: 3, version: '1.0.0', username: 'Bob' } });
    expect(await sums()).toEqual([4, 2]);
    await submitVersion(alice, id, 'rated', '1.1.0');
    expect((await rate(bob, 1, '', '1.1.0')).status).toBe(404);
    await approve();
    expect(await rate(bob, 1)).toMatchObject({ data: { version: '1.1.0' } });
    // Only the newest of an account counts.
    expect(await sums()).toEqual([3, 2]);
    expect((await bob.get<object[]>(`/items/${id}/ratings/mine`)).data).toHaveLength(2);
    expect((await bob.call('DELETE', `/items/${id}/rating?version=1.1.0`)).status).toBe(200);
    expect((await bob.call('DELETE', `/items/${id}/rating?version=1.1.0`)).status).toBe(404);
    expect(await sums()).toEqual([4, 2]);
  });

  it('of earlier versions are recounted by the migration', async () => {
    await rate(bob, 1);
    const runner = store.database.dataSource.createQueryRunner();
    try {
      await new StoreRatingSums1795818000000().down(runner);
      expect(await sums()).toEqual([3, 3]);
      await new StoreRatingSums1795818000000().up(runner);
      expect(await sums()).toEqual([3, 2]);
    } finally {
      await runner.release();
    }
  });

  it('are answered by the author alone, reported, and hidden by administrators', async () => {
    const { id: rating } = (await rate(bob, 1, 'Nonsense')).data;
    const reply = (client: StoreClient, text: string) => client.call('PUT', `/ratings/${rating}/reply`, { text });
    expect((await reply(carol, 'No')).status).toBe(403);
    expect(await reply(alice, 'Thank you')).toMatchObject({ status: 200, data: { reply: 'Thank you' } });
    expect((await listed())[0]).toMatchObject({ text: 'Nonsense', reply: 'Thank you' });
    expect((await store.visitor().call('POST', `/ratings/${rating}/report`, { reason: 'spam', text: 'An advert' })).status).toBe(200);
    const reports = await admin.get<{ items: { rating_id: number; reason: string }[] }>('/admin/reports?status=open');
    expect(reports.data.items[0]).toMatchObject({ rating_id: rating, reason: 'spam' });
    expect(await page('/store/review/reports', admin)).toContain('Nonsense');
    expect((await bob.call('PUT', `/admin/ratings/${rating}/hide`)).status).toBe(403);
    const both = await Promise.all([1, 2].map(() => admin.call('PUT', `/admin/ratings/${rating}/hide`, { msg: 'Spam' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await sums(), (await listed()).some(({ text }) => text === 'Nonsense')]).toEqual([[4, 2], false]);
    expect(await page(`/store/items/${id}`, admin)).toContain('Show again');
    expect((await admin.call('PUT', `/admin/ratings/${rating}/show`)).status).toBe(200);
    expect(await sums()).toEqual([3, 2]);
  });

  it('are on the item’s page, and can be submitted without a script', async () => {
    expect(await page(`/store/items/${id}`)).toMatch(/Good[^]*Sign in to rate/);
    const form = new URLSearchParams({ stars: '4', text: 'By form', version: '1.1.0' });
    const sent = await fetch(`${store.url}/store/items/${id}/rate`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers: { cookie: carol.cookie },
    });
    expect([sent.status, (await listed())[0]]).toEqual([303, expect.objectContaining({ text: 'By form', stars: 4 })]);
    const shown = tidyHtml(await page('/store/plugin/rated', carol));
    expect(shown).toContain('Your rating of version 1.1.0');
    expect(shown).toContain('<option value="4" selected>');
    expect(await page('/store/plugin/rated', alice)).not.toContain('Rate version');
  });
});

describe('screenshots', () => {
  it('are requested in their order, and shown after an administrator’s approval', async () => {
    const paths: string[] = [];
    for (let i = 0; i < 2; i++) paths.push((await alice.call<{ url: string }>('POST', '/upload/image', await pictureForm())).data.url);
    const ask = (screenshots: unknown) => alice.call<{ requests: number }>('PUT', `/developer/items/${id}/screenshots`, { screenshots });
    for (const wrong of [['/etc/passwd'], ['https://evil.example/a.png'], ['/uploads/images/a.gif'], Array(9).fill(paths[0]), 'x'])
      expect((await ask(wrong)).status).toBe(400);
    expect((await bob.call('PUT', `/developer/items/${id}/screenshots`, { screenshots: paths })).status).toBe(403);
    // The contract's endpoint accepts the contract's fields.
    expect((await alice.call('PUT', `/developer/items/${id}`, { screenshots: paths })).status).toBe(400);
    expect((await ask([...paths].reverse())).data).toEqual({ requests: 1 });
    const shown = async () => JSON.parse((await store.visitor().get<{ screenshots: string }>(`/items/${id}`)).data.screenshots) as string[];
    expect(await shown()).toEqual([]);
    const [request] = (await admin.get<{ id: number; field: string }[]>('/admin/edit-requests?status=pending')).data;
    expect(request!.field).toBe('screenshots');
    expect(await page('/store/review/edits', admin)).toContain(`src="${paths[0]}"`);
    await admin.call('PUT', `/admin/edit-requests/${request!.id}/approve`);
    expect(await shown()).toEqual([...paths].reverse());
    expect(await page('/store/plugin/rated')).toContain(`<a href="${paths[0]}"`);
    const form = new URLSearchParams({ screenshot_1: paths[1]!, place_1: '2', screenshot_2: paths[0]!, place_2: '1' });
    const headers = { cookie: alice.cookie };
    const sent = await fetch(`${store.url}/store/developer/items/${id}/screenshots`, {
      method: 'POST',
      redirect: 'manual',
      body: form,
      headers,
    });
    expect(sent.status).toBe(303);
    expect((await admin.get<{ new_value: string }[]>('/admin/edit-requests?status=pending')).data[0]!.new_value).toBe(
      JSON.stringify(paths),
    );
  });
});
