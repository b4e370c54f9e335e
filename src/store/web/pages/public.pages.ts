import type { ServerResponse } from 'node:http';

import { Controller } from '@nestjs/common';

import { toFen, type Locale } from '../../../common/index.js';
import { FindItemsForm, ItemFinder, queryOf } from '../../catalog/index.js';
import { firstWords } from '../../html/index.js';
import { Categories, type Item, itemRow } from '../../items/index.js';
import { ITEM_SORTS } from '../../search/index.js';

import { categoryText } from '../formats.js';
import { itemFacts } from '../item-views.js';
import { type PageRequest } from '../page-request.js';
import { StorePage } from '../store-page.js';
import { amountOf, choiceOf, listPage, numberOf, pageOf, textOf } from '../wanted.js';

/** Characters of a description on a card. */
const SUMMARY_LENGTH = 90;
/** Longest name of a category. */
const CATEGORY_LENGTH = 40;
const MAX_KEYWORD = 200;
/** Most yuan anybody may ask for. */
const MAX_PRICE = 9_999_999_999.99;

/** What everybody may look for. */
@Controller()
export class PublicPages {
  constructor(
    private readonly finder: ItemFinder,
    private readonly categories: Categories,
  ) {}

  @StorePage({ path: '', view: 'browse', title: 'browse.title', open: true })
  async browse({ call: { locale }, query }: PageRequest, res: ServerResponse): Promise<object> {
    const wanted = wantedItems(query);
    const { page, min_price: min, max_price: max, ...rest } = { ...wanted, page: pageOf(query) };
    const form = Object.assign(new FindItemsForm(), { ...rest, page, min_price: fenOf(min), max_price: fenOf(max) });
    const { limit } = queryOf(form);
    const [{ items, total }, categories] = await Promise.all([this.finder.find(queryOf(form)), this.categories.list()]);
    return {
      ...listPage({ total, page, page_size: limit }, '/store/', wanted, res),
      is_filtered: Object.values(wanted).some((value) => value !== undefined),
      categories: categories
        .filter(({ name, count }) => count > 0 || name === wanted.category)
        .map(({ name, count }) => ({ name, text: categoryText(locale, name), count })),
      cards: items.map((item) => cardOf(itemRow(item), locale)),
    };
  }
}

/** What the filters of the address ask for, each as it stands there. */
function wantedItems(query: PageRequest['query']) {
  const category = (query.category ?? '').trim();
  return {
    keyword: textOf(query, 'keyword', MAX_KEYWORD),
    type: choiceOf(query, 'type', ['plugin', 'theme']),
    category: category.length > CATEGORY_LENGTH ? undefined : category || undefined,
    min_price: amountOf(query, 'min_price', MAX_PRICE),
    max_price: amountOf(query, 'max_price', MAX_PRICE),
    sort: choiceOf(query, 'sort', ITEM_SORTS),
    author_id: numberOf(query, 'author_id'),
  };
}

const fenOf = (yuan: string | undefined): number | undefined => (yuan === undefined ? undefined : (toFen(yuan, 2) ?? undefined));

/** An item as a card shows it. */
function cardOf(item: Item, locale: Locale): object {
  return {
    ...itemFacts(item, locale),
    href: `/store/${item.type}/${item.slug}`,
    summary: firstWords(item.description, SUMMARY_LENGTH),
  };
}
