import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore } from '../../../test/support/store.js';
import { insertItem } from '../../../test/support/store-items.js';
import type { StoreItem } from '../entities/index.js';

let store: TestStore;

beforeAll(async () => {
  store = await TestStore.start();
  const author = await store.member('author');
  const add = (slug: string, more: Partial<StoreItem>): Promise<StoreItem> =>
    insertItem(store.database, {
      slug,
      version: '1.10',
      authorId: author.userId,
      price: 1_250,
      description: '<p>支付</p>',
      category: '支付',
      tags: ['x'],
      ...more,
    });
  await add('Pay', {});
  await add('new-panel', { requiresPanel: '>=2.0' });
  await add('gone', { status: 'suspended', reviewMessage: 'security' });
  await add('waiting', { status: 'pending' });
  await add('skin', { type: 'theme', category: 'dark' });
});
afterAll(() => store.close());

describe('GET /items', () => {
  it('returns published items as front ends read them', async () => {
    const { status, code, data } = await store
      .visitor()
      .get<{ items: Record<string, unknown>[]; total: number }>(
        `/items?keyword=${encodeURIComponent('支付')}&type=plugin&sort=price&max_price=12.50`,
      );
    expect({ status, code }).toEqual({ status: 200, code: 0 });
    expect(data).toMatchObject({ total: 2, page: 1, page_size: 12 });
    expect(data.items.find((item) => item.slug === 'Pay')).toMatchObject({
      price: 12.5,
      tags: '["x"]',
      created_at: '2026-11-21T00:00:00.000Z',
      status: 'approved',
    });
    expect(data.items[0]).not.toHaveProperty('zip_path');
  });

  it.each([
    'type=book',
    'sort=random',
    'page_size=101',
    'page=0',
    'min_price=-1',
    'min_price=1.005',
    'author_id=x',
    `keyword=${'x'.repeat(201)}`,
  ])('rejects %s', async (search) => {
    const { status, code, msg, data } = await store.visitor().get(`/items?${search}`);
    expect({ status, code, data }).toEqual({ status: 400, code: 400, data: null });
    expect(msg).not.toContain('store.');
  });

  it('accepts limit for page_size, and falls back to the default order if a sort needs a keyword', async () => {
    const { data } = await store.visitor().get('/items?limit=2&sort=relevance&keyword=&type=&category=');
    expect(data).toMatchObject({ total: 3, page_size: 2, items: [{ slug: 'skin' }, { slug: 'new-panel' }] });
  });

  it('lists the categories', async () => {
    const names = await store.visitor().get<string[]>('/items/categories');
    expect(names.data.slice(0, 2)).toEqual(['支付', '通知']);
    expect(names.data).toContain('dark');
    const counts = await store.visitor().get('/items/categories?with=counts');
    expect(counts.data).toContainEqual({ name: '支付', count: 2 });
  });
});
