import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StoreEditRequest, StoreItem } from '../../src/store/index.js';
import { TestStore, type StoreClient } from '../support/store.js';
import { submit } from '../support/store-packages.js';

let store: TestStore;
let author: StoreClient;
let admin: StoreClient;
let id: number;
beforeAll(async () => {
  store = await TestStore.start();
  author = await store.member('NullAuthor');
  admin = await store.member('NullAdmin', 'admin');
  id = (await submit(author, 'null-price', { price: '12.5', category: 'tools', tags: '["a"]', homepage: 'https://example.org/' })).data.id;
});
afterAll(() => store?.close());

const FIELDS = ['name', 'price', 'description', 'category', 'tags', 'homepage', 'main_image'];

describe('F20 null changes nothing', () => {
  it.each(FIELDS)('{"%s": null} creates no edit request', async (field) => {
    expect(await author.call('PUT', `/developer/items/${id}`, { [field]: null })).toMatchObject({ status: 200, data: { requests: 0 } });
    expect(await store.database.repository(StoreEditRequest).countBy({ itemId: id })).toBe(0);
  });

  it('next to a given field, only that field is requested', async () => {
    expect(await author.call('PUT', `/developer/items/${id}`, { price: null, name: 'Another name' })).toMatchObject({
      data: { requests: 1 },
    });
    expect((await store.database.repository(StoreEditRequest).findBy({ itemId: id })).map(({ field }) => field)).toEqual(['name']);
    expect((await store.database.repository(StoreItem).findOneByOrFail({ id })).price).toBe(1_250);
  });

  it('a field that cannot be changed is named, null or not', async () => {
    expect((await author.call('PUT', `/developer/items/${id}`, { slug: null })).status).toBe(400);
  });

  it('a value that is neither number nor text is no price', async () => {
    for (const price of [[], {}, true, [0], 'free'])
      expect((await author.call('PUT', `/developer/items/${id}`, { price })).status, JSON.stringify(price)).toBe(400);
  });

  it('null leaves profile and account as they are, and a token at its default lifetime', async () => {
    await author.call('PUT', '/auth/profile', { bio: 'mine', email: 'null@example.org' });
    expect((await author.call('PUT', '/auth/profile', { bio: null, email: null, avatar: '' })).data).toMatchObject({
      bio: 'mine',
      email: 'null@example.org',
    });
    expect(
      (await admin.call('PUT', `/admin/users/${author.userId}`, { role: 'developer', status: null, email: null, bio: null, avatar: null }))
        .status,
    ).toBe(200);
    expect((await author.get('/auth/me')).data).toMatchObject({ role: 'developer', bio: 'mine', email: 'null@example.org' });
    expect((await author.call('POST', '/auth/tokens', { name: 'usual', scopes: ['read'], days: null })).status).toBe(200);
  });

  it('a required field with null counts as missing', async () => {
    expect((await author.call('PUT', '/auth/password', { oldPassword: null, newPassword: null })).status).toBe(400);
    expect((await author.call('POST', '/auth/tokens', { name: null, scopes: null })).status).toBe(400);
  });
});
