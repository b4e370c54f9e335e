import { Controller } from '@nestjs/common';

import { toFen, translate, type Locale } from '../../../common/index.js';
import type { ListRow, ListState } from '../../../web/index.js';
import { FindItemsForm, ItemFinder, queryOf } from '../../catalog/index.js';
import { firstWords } from '../../html/index.js';
import { Categories, type Item, itemRow } from '../../items/index.js';

import { categoryText } from '../formats.js';
import { itemFacts } from '../item-views.js';
import { ITEMS, showList } from '../lists/index.js';
import { numberOf, type PageRequest, withKnown } from '../page-request.js';
import { StorePage } from '../store-page.js';

/** Characters of a description shown on a card. */
const SUMMARY_LENGTH = 90;
/** Maximum length of a category name. */
const CATEGORY_LENGTH = 40;

/** Public catalogue pages. */
@Controller()
export class PublicPages {
  constructor(
    private readonly finder: ItemFinder,
    private readonly categories: Categories,
  ) {}

  @StorePage({ path: '', view: 'browse', title: 'browse.title', open: true })
  async browse(request: PageRequest): Promise<object> {
    const { locale } = request.call;
    const author = numberOf(request, 'author_id');
    const list = await showList(ITEMS, '/store/', withKnown(request, { author_id: author }), async (asked) => {
      const [{ items, total }, categories] = await Promise.all([
        this.finder.find(queryOf(wantedItems(asked, author))),
        this.categories.list(),
      ]);
      return {
        total,
        rows: items.map((item) => cardOf(itemRow(item), locale)),
        offered: { category: categories.filter(({ count }) => count > 0).map((category) => categoryChoice(category, locale)) },
      };
    });
    return { list };
  }
}

/** Search query of the page; an overlong category is ignored. */
function wantedItems({ page, size, text, filters }: ListState, author: number | undefined): FindItemsForm {
  const { category = '', min_price: min, max_price: max, ...rest } = filters;
  return Object.assign(new FindItemsForm(), {
    ...rest,
    category: category.length > CATEGORY_LENGTH ? undefined : category || undefined,
    min_price: fenOf(min),
    max_price: fenOf(max),
    author_id: author,
    keyword: text,
    page,
    page_size: size,
  });
}

/** A category option with its item count. */
const categoryChoice = ({ name, count }: { name: string; count: number }, locale: Locale): [string, string] => [
  name,
  translate(locale, 'storePages.browse.category_count', { name: categoryText(locale, name), count }),
];

const fenOf = (yuan: string | undefined): number | undefined => (yuan === undefined ? undefined : (toFen(yuan, 2) ?? undefined));

/** View data of an item card. */
function cardOf(item: Item, locale: Locale): ListRow {
  return {
    ...itemFacts(item, locale),
    href: `/store/${item.type}/${item.slug}`,
    summary: firstWords(item.description, SUMMARY_LENGTH),
  };
}
