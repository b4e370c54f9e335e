import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { textOfHtml } from '../html/index.js';

import { foldText } from './fold-text.js';
import { ItemIndex } from './item-index.js';
import { ITEM_SORTS, type IndexedItem, type ItemQuery } from './item-query.js';

/** Units that meet in every way: alone, doubled, across the borders of texts, as halves of a pair, in forms that fold into one. */
const unit = fc.constantFrom('a', 'a', 'b', '备', '份', ' ', '😀', '😃', '\ud83d', 'Ａ', 'ﬁ', 'é', 'e\u0301', 'İ', '<', '&', '-');
const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
const id = fc.integer({ min: 1, max: 12 });
const item = fc.record<IndexedItem>({
  id,
  type: fc.constantFrom('plugin', 'theme'),
  name: text,
  slug: text,
  description: fc.tuple(text, text).map(([one, two]) => `<p>${one.replaceAll('<', '&lt;')}<b>${two.replaceAll('<', '&lt;')}</b></p>`),
  category: fc.constantFrom('', 'x', 'y'),
  authorId: fc.constantFrom(1, 2),
  price: fc.constantFrom(0, 100, 200),
  downloads: fc.constantFrom(0, 1, 2),
  createdAt: fc.constantFrom(1, 2),
  updatedAt: fc.constantFrom(1, 2),
});
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const query = fc.record({
  keyword: fc.oneof(fc.constantFrom('', 'a', 'b', 'aa', 'ab', '备份', 'aba', '😀', '\ud83d', '\ude00', 'fi'), text),
  type: optional(fc.constantFrom<IndexedItem['type']>('plugin', 'theme')),
  category: optional(fc.constantFrom('', 'x', 'nowhere')),
  authorId: optional(fc.constantFrom(1, 2, 3)),
  minPrice: optional(fc.constantFrom(0, 100)),
  maxPrice: optional(fc.constantFrom(99, 200)),
  sort: fc.constantFrom(...ITEM_SORTS),
  offset: fc.constantFrom(0, 0, 1, 5),
  limit: fc.constantFrom(1, 3, 100),
});

type Step =
  | { do: 'put'; item: IndexedItem }
  | { do: 'remove'; id: number }
  | { do: 'count'; id: number; downloads: number }
  | { do: 'find'; query: ItemQuery & { keyword: string } };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: item.map((value): Step => ({ do: 'put', item: value })) },
  { weight: 1, arbitrary: id.map((value): Step => ({ do: 'remove', id: value })) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'count'>('count'), id, downloads: fc.constantFrom(0, 1, 2) }) },
  { weight: 4, arbitrary: query.map((value): Step => ({ do: 'find', query: value })) },
);

/** What there is, and what is found in it the slow way. */
class Naive {
  private readonly items = new Map<number, IndexedItem>();

  take(change: Step): void {
    if (change.do === 'put') this.items.set(change.item.id, change.item);
    if (change.do === 'remove') this.items.delete(change.id);
    const counted = change.do === 'count' ? this.items.get(change.id) : undefined;
    if (counted && change.do === 'count') this.items.set(change.id, { ...counted, downloads: change.downloads });
  }

  find(
    keyword: string,
    { type, category, authorId, minPrice, maxPrice, sort, offset, limit }: ItemQuery,
  ): { ids: number[]; total: number } {
    const level = ({ name, slug, description }: IndexedItem): number => {
      if (keyword === '') return 1;
      const heads = [foldText(name), foldText(slug)];
      if (heads.includes(keyword)) return 3;
      return heads.some((head) => head.includes(keyword)) ? 2 : Number(foldText(textOfHtml(description)).includes(keyword));
    };
    const keys: Record<ItemQuery['sort'], (of: IndexedItem) => number[]> = {
      newest: (of) => [-of.createdAt, -of.id],
      downloads: (of) => [-of.downloads, -of.id],
      price: (of) => [of.price, of.id],
      updated: (of) => [-of.updatedAt, -of.id],
      relevance: (of) => [-level(of), -of.downloads, -of.id],
    };
    const found = [...this.items.values()].filter(
      (of) =>
        level(of) > 0 &&
        (type === undefined || of.type === type) &&
        (category === undefined || of.category === category) &&
        (authorId === undefined || of.authorId === authorId) &&
        (minPrice === undefined || of.price >= minPrice) &&
        (maxPrice === undefined || of.price <= maxPrice),
    );
    const keyed = found.map((of) => ({ id: of.id, key: [Number(level(of) < 3), ...keys[sort](of)] }));
    keyed.sort((a, b) => a.key.map((value, at) => value - b.key[at]!).find((difference) => difference !== 0) ?? 0);
    return { ids: keyed.slice(offset, offset + limit).map((of) => of.id), total: found.length };
  }
}

function change(index: ItemIndex, made: Step): void {
  if (made.do === 'put') index.put(made.item);
  if (made.do === 'remove') index.remove(made.id);
  if (made.do === 'count') index.setDownloads(made.id, made.downloads);
}

const small = (of: Partial<IndexedItem> & { id: number }): IndexedItem => ({
  type: 'plugin',
  name: `Item ${of.id}`,
  slug: `item-${of.id}`,
  description: '<p>text</p>',
  category: '',
  authorId: 1,
  price: 0,
  downloads: 0,
  createdAt: of.id,
  updatedAt: of.id,
  ...of,
});
const all: ItemQuery = { sort: 'newest', offset: 0, limit: 5_000 };
/** A page behind most, everything, first pages, pages behind what is exact and what is in names, some under filters. */
const asking: ItemQuery[] = [
  { ...all, offset: 2_000, limit: 5 },
  all,
  { ...all, sort: 'relevance' },
  { ...all, limit: 3 },
  { ...all, offset: 425, limit: 20 },
  { sort: 'relevance', offset: 420, limit: 20 },
  { ...all, sort: 'price', category: 'x', limit: 7 },
  { ...all, type: 'theme', limit: 4 },
  { sort: 'relevance', type: 'plugin', offset: 2, limit: 5 },
];

describe('the item index', () => {
  it('finds the same as a full scan, whatever was added, changed and removed before and in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 12 }), fc.array(step, { minLength: 1, maxLength: 40 }), async (before, steps) => {
        const index = new ItemIndex();
        const naive = new Naive();
        for (const each of before) {
          index.put(each);
          naive.take({ do: 'put', item: each });
        }
        await index.fill();
        for (const each of steps) {
          change(index, each);
          naive.take(each);
          if (each.do !== 'find') continue;
          const keyword = foldText(each.query.keyword);
          expect(await index.find(keyword, each.query)).toEqual(naive.find(keyword, each.query));
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('finds an item whose type changed under the new type only', async () => {
    const index = new ItemIndex();
    for (let of = 1; of <= 8; of += 1) index.put(small({ id: of }));
    await index.fill();
    index.put(small({ id: 3, type: 'theme' }));
    expect(await index.find('text', { ...all, type: 'theme' })).toEqual({ ids: [3], total: 1 });
    expect((await index.find('text', { ...all, type: 'plugin' })).total).toBe(7);
  });

  it('finds long and repeated texts among thousands of items', async () => {
    const index = new ItemIndex();
    const naive = new Naive();
    const words = ['数据备份', 'plugin', 'aaaa', 'aab', '面板', '一', 'x'];
    const put = (made: IndexedItem): void => {
      index.put(made);
      naive.take({ do: 'put', item: made });
    };
    const textOf = (of: number, length: number): string =>
      Array.from({ length }, (_, at) => words[(of * 7 + at * (of % 5)) % words.length]).join(of % 3 ? '' : ' ');
    const passage = Array.from({ length: 30 }, (_, at) => `${words[at % words.length]}${at}`).join('');
    const copies = (of: number): Partial<IndexedItem> =>
      of % 7 === 0 ? { name: '面板', description: `${textOf(of, 5)}${passage}` } : { description: textOf(of, of % 200 ? 40 : 400) };
    for (let of = 1; of <= 3_000; of += 1)
      put(small({ id: of, category: of % 3 ? 'x' : '', type: of % 5 ? 'plugin' : 'theme', ...copies(of) }));
    await index.fill();
    for (let of = 1; of <= 3_000; of += 250) put(small({ id: of, description: textOf(of + 1, 30) }));
    for (let of = 1; of <= 3_000; of += 210) put(small({ id: of, name: of % 2 ? '面板' : `${of}`, description: passage.slice(of % 50) }));
    for (const keyword of [
      passage.slice(0, 64),
      passage.slice(1, 80),
      passage,
      `${passage}a`,
      '面板',
      '板',
      'item',
      '数',
      '数据',
      '数据备份',
      'plugin',
      'aaa',
      'aaaaab',
      'aabplugin',
      '面板一',
      '一x',
      'x 数据',
      'item 25',
      'item-2999',
      'item 3000',
      'nothing',
      '份plugina',
      textOf(7, 20),
    ]) {
      for (const asked of asking) {
        expect([keyword, await index.find(keyword, asked)]).toEqual([keyword, naive.find(keyword, asked)]);
      }
    }
  });

  it('returns the current items at the end of a search during which others ran', async () => {
    const index = new ItemIndex();
    const naive = new Naive();
    for (let of = 1; of <= 8_000; of += 1) {
      const made = small({ id: of, type: of % 32 ? 'plugin' : 'theme', description: `<p>plugin ${of % 7}</p>` });
      index.put(made);
      naive.take({ do: 'put', item: made });
    }
    await index.fill();
    let turns = 0;
    const tick = (): void => {
      turns += 1;
      for (const made of [
        { do: 'remove', id: turns },
        { do: 'put', item: small({ id: 30_000 + turns, type: 'theme', name: 'plugin' }) },
        { do: 'put', item: small({ id: 100 + turns, description: 'plugin 3' }) },
      ] as Step[]) {
        change(index, made);
        naive.take(made);
      }
    };
    const ticking = setInterval(tick);
    // With a filter all that have the keyword are found and kept, and what is kept follows the changes.
    const asked = [
      { ...all, limit: 20 },
      { ...all, limit: 20, category: '' },
      { ...all, limit: 20, type: 'theme' },
    ] as const;
    for (let round = 0; round < 6; round += 1) {
      const answers = ['plugin', 'item', 'plugin 3', 'plugin 4', 'text', 'gin 1', `m ${round}`, `plu${round}`].flatMap((keyword) =>
        asked.map((query) => index.find(keyword, query).then((page) => ({ keyword, page, right: naive.find(keyword, query) }))),
      );
      for (const { keyword, page, right } of await Promise.all(answers)) expect([keyword, page]).toEqual([keyword, right]);
      await new Promise((resolve) => setTimeout(resolve));
      tick();
    }
    // More keywords at once than are kept.
    const many = Array.from({ length: 100 }, (_, at) =>
      index.find(`m ${at}`, all).then((page) => at % 20 || expect([at, page]).toEqual([at, naive.find(`m ${at}`, all)])),
    );
    await Promise.all(many);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(6);
  });

  it('reuses the buffer of an evicted keyword for a larger index without stale hits', async () => {
    const index = new ItemIndex();
    const naive = new Naive();
    const passage = Array.from({ length: 70 }, (_, at) => `word${at}`).join(' ');
    const put = (from: number, to: number): void => {
      for (let of = from; of <= to; of += 1) {
        const made = small({ id: of, description: passage });
        index.put(made);
        naive.take({ do: 'put', item: made });
      }
    };
    const expectRight = async (keywords: readonly string[]): Promise<void> => {
      const found: unknown[] = [];
      for (const keyword of keywords) found.push(await index.find(keyword, all));
      expect(found.at(-1)).toEqual(naive.find(keywords.at(-1)!, all));
    };
    const numbered = (word: string, from: number): string[] => Array.from({ length: 70 }, (_, at) => `${word}${from + at}`);
    put(1, 100);
    await index.fill();
    await expectRight(numbered('word', 0));
    await expectRight(numbered('item ', 1));
    // More than there was room for.
    put(101, 1_300);
    await expectRight(['word1']);
    await expectRight(numbered('item ', 1_200));
  });
});
