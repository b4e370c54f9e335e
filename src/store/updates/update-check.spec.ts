import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestStore } from '../../../test/support/store.js';
import { insertItem } from '../../../test/support/store-items.js';
import { type StoreItem, StoreSlugHistory, StoreVersion } from '../entities/index.js';

import { compareVersions, meets } from '../packages/index.js';

let store: TestStore;
const ids: Record<string, number> = {};

beforeAll(async () => {
  store = await TestStore.start();
  const author = await store.member('author');
  const now = new Date('2026-11-21T00:00:00.000Z');
  const add = async (slug: string, more: Partial<StoreItem>): Promise<void> => {
    const item = await insertItem(store.database, {
      slug,
      version: '1.10',
      authorId: author.userId,
      price: 1_250,
      description: '<p>支付</p>',
      category: '支付',
      tags: ['x'],
      ...more,
    });
    ids[slug] = item.id;
    await store.database.repository(StoreVersion).insert({
      itemId: item.id,
      version: item.version,
      versionKey: item.version,
      sha256: 'a'.repeat(64),
      zipSize: 10,
      changelog: 'better',
      status: 'approved',
      reviewMessage: '',
      manifest: null,
      signature: 'sig',
      keyId: 'key',
      signedAt: now,
      createdAt: now,
      decidedAt: now,
      decidedBy: null,
    });
  };
  await add('Pay', {});
  await add('new-panel', { requiresPanel: '>=2.0' });
  await add('gone', { status: 'suspended', reviewMessage: 'security' });
  await store.database
    .repository(StoreSlugHistory)
    .insert({ type: 'plugin', slugKey: 'gone', authorId: author.userId, versions: '[]', closedAt: now, closedReason: 'security' });
  await add('waiting', { status: 'pending' });
  await add('skin', { type: 'theme', category: 'dark' });
});
afterAll(() => store.close());

describe('POST /items/update-check', () => {
  const installed = [
    { type: 'plugin', slug: 'pay', version: '1.9' },
    { type: 'plugin', slug: 'new-panel', version: '1.0' },
    { type: 'plugin', slug: 'gone', version: '1.0' },
    { type: 'plugin', slug: 'waiting', version: '1.0' },
    { type: 'plugin', slug: 'unknown', version: '1.0' },
    { type: 'theme', slug: 'skin', version: '1.10.0' },
    { type: 'plugin', slug: 'skin', version: '1.0' },
  ];

  it('lists newer and discontinued versions, nothing else', async () => {
    const { status, headers, data } = await store
      .visitor()
      .call('POST', '/items/update-check', { panel_version: '1.84.0', items: installed });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('max-age=300');
    expect(data).toEqual({
      updates: [
        {
          type: 'plugin',
          slug: 'pay',
          version: '1.10',
          channel: 'stable',
          changelog: 'better',
          download: `/api/items/${ids.Pay}/download`,
          sha256: 'a'.repeat(64),
          signature: 'sig',
          key_id: 'key',
          requires: '',
        },
      ],
      closed: [{ type: 'plugin', slug: 'gone', reason: 'security', since: '2026-11-21T00:00:00.000Z' }],
      withdrawn: [],
    });
    const tag = headers.get('etag')!.replace(/^W\//, '');
    // As it was sent, as other programs between write it, and among others.
    for (const known of [headers.get('etag')!, tag, `W/${tag}`, `"other", W/${tag}`]) {
      const again = await store.visitor().send('POST', '/items/update-check', {
        body: JSON.stringify({ panel_version: '1.84.0', items: installed }),
        headers: { 'content-type': 'application/json', 'if-none-match': known },
      });
      expect({ known, status: again.status, body: await again.text() }).toEqual({ known, status: 304, body: '' });
    }
    const newer = await store
      .visitor()
      .call<{ updates: unknown[] }>('POST', '/items/update-check', { panel_version: '2.0', items: installed });
    expect(newer.data.updates).toHaveLength(2);
  });

  it('accepts 100 items, and no more', async () => {
    const items = Array.from({ length: 101 }, (_, i) => ({ type: 'plugin', slug: `s${i}`, version: '1' }));
    expect(await store.visitor().call('POST', '/items/update-check', { panel_version: '1.84.0', items: items.slice(1) })).toMatchObject({
      status: 200,
      data: { updates: [], closed: [], withdrawn: [] },
    });
    for (const body of [
      { panel_version: '1.84.0', items },
      { panel_version: '1.84.0', items: {} },
      { panel_version: '1.84.0', items: [{ type: 'plugin', slug: '../x', version: '1' }] },
      { items: [] },
      { panel_version: '1.84.0', items: [null] },
    ]) {
      expect(await store.visitor().call('POST', '/items/update-check', body)).toMatchObject({ status: 400, data: null });
    }
  });

  it('reports the rule that an item broke', async () => {
    const ask = (item: object) =>
      store
        .visitor()
        .call(
          'POST',
          '/items/update-check',
          { panel_version: '1.84.0', items: [{ type: 'plugin', slug: 'pay', version: '1' }, item] },
          { 'accept-language': 'en' },
        );
    expect((await ask({ type: 'plugin', slug: '../x', version: '1' })).msg).toContain('slug');
    expect((await ask({ type: 'plugin', slug: 'pay', version: '1 or so' })).msg).toContain('version');
  });
});

describe('versions', () => {
  it('compare naturally', () => {
    const ascending = [
      '0.9',
      '1.0-alpha',
      '1.0-beta',
      '1.0-beta.2',
      '1.0',
      '1.0.1',
      '1.9',
      '1.10',
      '2',
      '2026.11.21',
      '99999999999999999999',
      '99999999999999999999.1',
    ];
    for (const [i, one] of ascending.entries())
      for (const [j, other] of ascending.entries())
        expect(Math.sign(compareVersions(one, other)), `${one} ${other}`).toBe(Math.sign(i - j));
    for (const [one, other] of [
      ['1.0', '1'],
      ['v1.2', '1.2.0'],
      ['1.0+build2', '1.0'],
      ['1.0-RC1', '1.0-rc1'],
    ] as const)
      expect(compareVersions(one, other)).toBe(0);
  });

  it('meet a requirement', () => {
    for (const requires of ['', '1.84', '1.80', '>=1.80 <2', '^1.2', '1.0 || 1.84.x', 'whatever'])
      expect(meets('1.84.0', requires), requires).toBe(true);
    for (const requires of ['1.85', '2', '>=2', '<1.84', '~1.83.0']) expect(meets('1.84.0', requires), requires).toBe(false);
  });
});
