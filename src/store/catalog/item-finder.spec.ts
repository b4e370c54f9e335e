import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { ormOptions } from '../../../ormconfig.js';
import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { createDatabase, type Database } from '../../database/index.js';
import { StoreDownload, StoreItem, StoreUser, type ItemType } from '../entities/index.js';
import { textOfHtml } from '../html/index.js';
import { foldText, type ItemQuery } from '../search/index.js';

import { FollowedIndex } from './followed-index.js';
import { IndexedRows } from './indexed-rows.js';
import { ItemFinder } from './item-finder.js';

let place: TestPlace;
let database: Database;
let dispose: () => Promise<void>;
let authors: number[];

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  const users = database.repository(StoreUser);
  const now = new Date();
  authors = [];
  for (const name of ['alice', 'bob']) {
    const user = users.create({
      username: name,
      usernameKey: name,
      passwordHash: 'x',
      email: name,
      emailKey: name,
      role: 'developer',
      avatar: '',
      bio: '',
      status: 'active',
      createdAt: now,
      updatedAt: now,
    });
    authors.push((await users.save(user)).id);
  }
});
afterAll(() => dispose());
beforeEach(async () => {
  await database.repository(StoreItem).createQueryBuilder().delete().execute();
  serial = 0;
});

let serial = 0;

interface Draft {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly type?: ItemType;
  readonly category?: string;
  readonly author?: number;
  readonly price?: number;
  readonly downloads?: number;
  readonly minute?: number;
  readonly status?: StoreItem['status'];
}

async function add(draft: Draft = {}, into = database): Promise<StoreItem> {
  const items = into.repository(StoreItem);
  const slug = draft.slug ?? `item-${(serial += 1)}`;
  return items.save(
    items.create({
      type: draft.type ?? 'plugin',
      slug,
      slugKey: slug.toLowerCase(),
      name: draft.name ?? 'Item',
      version: '1.0',
      authorId: authors[draft.author ?? 0]!,
      authorName: 'alice',
      price: draft.price ?? 0,
      description: draft.description ?? '<p>text</p>',
      mainImage: '',
      screenshots: [],
      sha256: '0'.repeat(64),
      zipSize: 1,
      downloads: draft.downloads ?? 0,
      status: draft.status ?? 'approved',
      reviewMessage: '',
      requiresPanel: '',
      category: draft.category ?? '',
      tags: [],
      homepage: '',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, draft.minute ?? 0)),
      updatedAt: new Date(),
    }),
  );
}

/** One process: a connection, its index, its finder. */
async function finderOn(on: Database) {
  const index = new FollowedIndex(new IndexedRows(on), on);
  await index.start();
  return { index, finder: new ItemFinder(on, index), close: () => index.beforeApplicationShutdown() };
}

const query = (more: Partial<ItemQuery>): ItemQuery => ({ sort: 'newest', offset: 0, limit: 100, ...more });

/** What the documentation says, the slow way. */
async function expected({ keyword = '', type, category, authorId, minPrice, maxPrice, sort, offset, limit }: ItemQuery) {
  const wanted = foldText(keyword);
  const all = await database.repository(StoreItem).findBy({ status: 'approved' });
  const exact = (item: StoreItem): number => (wanted !== '' && (foldText(item.name) === wanted || foldText(item.slug) === wanted) ? 1 : 0);
  const named = (item: StoreItem): number => (foldText(item.name).includes(wanted) || foldText(item.slug).includes(wanted) ? 1 : 0);
  const found = all.filter(
    (item) =>
      (named(item) || foldText(textOfHtml(item.description)).includes(wanted)) &&
      (!type || item.type === type) &&
      (category === undefined || item.category === category) &&
      (!authorId || item.authorId === authorId) &&
      (minPrice === undefined || item.price >= minPrice) &&
      (maxPrice === undefined || item.price <= maxPrice),
  );
  const keys: Record<ItemQuery['sort'], (item: StoreItem) => number[]> = {
    newest: (item) => [-item.createdAt, -item.id],
    downloads: (item) => [-item.downloads, -item.id],
    price: (item) => [item.price, item.id],
    updated: (item) => [-item.updatedAt, -item.id],
    relevance: (item) => [-named(item), -item.downloads, -item.id],
  };
  const keyed = found.map((item) => ({ id: item.id, key: [-exact(item), ...keys[sort](item)] }));
  keyed.sort((a, b) => a.key.map((value, i) => value - b.key[i]!).find((difference) => difference !== 0) ?? 0);
  return { ids: keyed.slice(offset, offset + limit).map(({ id }) => id), total: found.length };
}

async function found(finder: ItemFinder, asked: ItemQuery) {
  const { items, total } = await finder.find(asked);
  return { ids: items.map((item) => item.id), total };
}

const syllable = fc.constantFrom(
  '备',
  '份',
  '支',
  '付',
  '宝',
  '安全',
  'SEO',
  'a',
  'ab',
  'Back',
  'up',
  ' ',
  '-',
  '%',
  '_',
  'é',
  'e\u0301',
  '😀',
  'Ａ',
  "'",
  '&',
  '<',
);
const words = fc.array(syllable, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const draft: fc.Arbitrary<Draft> = fc.record({
  name: words,
  description: fc.tuple(words, words).map(([one, two]) => `<p>${escaped(one)}<strong>${escaped(two)}</strong></p>`),
  type: fc.constantFrom<ItemType>('plugin', 'theme'),
  category: fc.constantFrom('', '安全', 'SEO'),
  author: fc.constantFrom(0, 1),
  price: fc.constantFrom(0, 100, 990, 1_000),
  downloads: fc.constantFrom(0, 1, 2, 10),
  minute: fc.constantFrom(0, 1, 2),
  status: fc.constantFrom<StoreItem['status']>('approved', 'approved', 'approved', 'pending', 'suspended'),
});
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const asked = fc.record({
  keyword: words,
  type: optional(fc.constantFrom<ItemType>('plugin', 'theme')),
  category: optional(fc.constantFrom('安全', 'SEO')),
  minPrice: optional(fc.constantFrom(0, 100, 991)),
  maxPrice: optional(fc.constantFrom(0, 990, 5_000)),
  sort: fc.constantFrom<ItemQuery['sort']>('newest', 'downloads', 'price', 'updated', 'relevance'),
  offset: fc.constantFrom(0, 0, 1, 3),
  limit: fc.constantFrom(1, 3, 100),
});

describe('finding items', () => {
  it('finds the same as a full scan, in the same order, also after its own changes and those of another process', async () => {
    const other = createDatabase(ormOptions(place.config));
    await other.dataSource.initialize();
    const [mine, theirs] = [await finderOn(database), await finderOn(other)];
    const rows = database.repository(StoreItem);
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(draft, { maxLength: 8 }),
          fc.array(draft, { minLength: 1, maxLength: 4 }),
          fc.array(asked, { minLength: 1, maxLength: 6 }),
          async (drafts, changes, queries) => {
            const items: StoreItem[] = [];
            for (const each of drafts) items.push(await add(each));
            for (const [at, change] of changes.entries()) {
              const item = items[at];
              if (!item) continue;
              if (at === 0) await rows.delete(item.id);
              else
                await rows.update(item.id, {
                  name: change.name!,
                  description: change.description!,
                  price: change.price!,
                  status: change.status!,
                  updatedAt: new Date(),
                });
            }
            for (const each of queries) {
              const right = await expected(each);
              expect(await found(mine.finder, each)).toEqual(right);
              await theirs.index.sync();
              expect(await found(theirs.finder, each)).toEqual(right);
            }
          },
        )
        .beforeEach(async () => void (await rows.createQueryBuilder().delete().execute())),
      { numRuns: 40 },
    );
    await Promise.all([mine.close(), theirs.close()]);
    await other.dataSource.destroy();
  });

  it('lists without a keyword by any filter, order and page', async () => {
    for (let i = 0; i < 40; i += 1)
      await add({
        minute: i % 3,
        price: (i % 4) * 250,
        downloads: i % 5,
        type: i % 2 ? 'theme' : 'plugin',
        category: i % 3 ? 'SEO' : '',
        author: i % 2,
      });
    const { finder, close } = await finderOn(database);
    for (const sort of ['newest', 'downloads', 'price', 'updated'] as const) {
      for (const filter of [
        {},
        { type: 'theme' as const },
        { category: 'SEO' },
        { authorId: authors[1]! },
        { minPrice: 250, maxPrice: 500 },
      ]) {
        const pages = [];
        for (let offset = 0; offset < 45; offset += 7) {
          const page = query({ ...filter, sort, offset, limit: 7 });
          const right = await expected(page);
          expect(await found(finder, page)).toEqual(right);
          pages.push(...(await found(finder, page)).ids);
        }
        // Ties break the same way on every page: nothing twice, nothing left out.
        expect(new Set(pages).size).toBe((await expected(query({ ...filter, sort }))).total);
      }
    }
    await close();
  });

  it.each(['%', '_', "'", '"', '\\', '\u0000', '!', '😀', 'e\u0301', '\ud83d', 'x'.repeat(1_000), '%'.repeat(200), '*) OR 1=1 --'])(
    'matches %j literally',
    async (keyword) => {
      await add({ name: `100%_'"\\! 😀 é *) OR 1=1 --` });
      await add({ name: 'plain' });
      const { finder, close } = await finderOn(database);
      expect(await found(finder, query({ keyword }))).toEqual(await expected(query({ keyword })));
      await close();
    },
  );

  it('finds text, not the HTML around it', async () => {
    const item = await add({ description: '<p>备<strong>份</strong> R&amp;D</p><pre>one</pre>' });
    const { finder, close } = await finderOn(database);
    for (const keyword of ['备份', 'r&d', 'ONE', 'Ｒ＆Ｄ'])
      expect(await found(finder, query({ keyword }))).toEqual({ ids: [item.id], total: 1 });
    for (const keyword of ['strong', 'amp;', '<p>', 'd one two'])
      expect(await found(finder, query({ keyword }))).toEqual({ ids: [], total: 0 });
    await close();
  });

  it('finds text up to the 4,000th character of a description', async () => {
    const item = await add({ description: `<p class="${'x'.repeat(500)}">${'备份'.repeat(1_998)}early</p><p>late</p>` });
    const { finder, close } = await finderOn(database);
    expect(await found(finder, query({ keyword: '份earl' }))).toEqual({ ids: [item.id], total: 1 });
    expect(await found(finder, query({ keyword: 'late' }))).toEqual({ ids: [], total: 0 });
    await close();
  });

  it('responds as soon as the items can be read again', async () => {
    const item = await add({ name: 'alpha' });
    const rows = new IndexedRows(database);
    const index = new FollowedIndex(rows, database);
    const after = vi.spyOn(rows, 'after').mockRejectedValueOnce(new Error('gone away'));
    await expect(index.current()).rejects.toThrow('gone away');
    after.mockRestore();
    expect(await found(new ItemFinder(database, index), query({ keyword: 'alpha' }))).toEqual({ ids: [item.id], total: 1 });
    await index.beforeApplicationShutdown();
  });

  it('notices automatically what another process wrote: approvals, downloads, deletions', async () => {
    const other = createDatabase(ormOptions(place.config));
    await other.dataSource.initialize();
    const waiting = await add({ name: 'alpha', status: 'pending' });
    const busy = await add({ name: 'alpha two' });
    const { finder, close } = await finderOn(database);
    const ids = async (): Promise<number[]> => (await found(finder, query({ keyword: 'alpha', sort: 'downloads' }))).ids;
    expect(await ids()).toEqual([busy.id]);
    await other.repository(StoreItem).update(waiting.id, { status: 'approved', downloads: 1, updatedAt: new Date() });
    await vi.waitFor(
      async () => expect(await ids()).toEqual([waiting.id, busy.id].sort((a, b) => Number(b === waiting.id) - Number(a === waiting.id))),
      { timeout: 10_000 },
    );
    // "alpha" is the exact name of one: by downloads among the others.
    const third = await add({ name: 'alpha three', downloads: 3 }, other);
    await other.repository(StoreItem).update(busy.id, { downloads: 5 });
    await other.repository(StoreDownload).insert({ itemId: busy.id, version: '1.0', userId: null, ip: '', createdAt: new Date() });
    await vi.waitFor(async () => expect(await ids()).toEqual([waiting.id, busy.id, third.id]), { timeout: 10_000 });
    await other.repository(StoreItem).delete(third.id);
    await vi.waitFor(async () => expect(await found(finder, query({ keyword: 'alpha' }))).toMatchObject({ total: 2 }), { timeout: 10_000 });
    await close();
    await other.dataSource.destroy();
  });
});
