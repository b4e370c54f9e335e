import type { PlainList } from '../../../web/index.js';
import { ITEM_SORTS } from '../../search/index.js';

import { TYPE_CHOICES } from './common-columns.js';

/** The public catalogue. */
export const ITEMS: PlainList = {
  id: 'list',
  card: 'item_card',
  empty: 'browse.empty',
  hint: 'browse.empty_text',
  first: { href: '/store/developer/submit', label: 'submit.title' },
  nothing: 'browse.nothing_found',
  given: ['author_id'],
  narrowed: 'browse.only_author',
  text: { name: 'keyword', hint: 'browse.keyword_hint', most: 200 },
  filters: [
    { field: 'type', label: 'browse.every_type', choices: TYPE_CHOICES },
    { field: 'category', label: 'browse.every_category', choices: [], offered: true },
    { field: 'min_price', label: 'browse.min_price', choices: [], amount: true },
    { field: 'max_price', label: 'browse.max_price', choices: [], amount: true },
    // Cards have no column headings to sort by.
    {
      field: 'sort',
      label: 'browse.sort_newest',
      choices: ITEM_SORTS.filter((sort) => sort !== 'newest').map((sort) => [sort, `browse.sort_${sort}`]),
    },
  ],
  // Without columns there is no file export, so that visitors cannot make the server export the whole catalogue.
  columns: [],
};

/** Ratings of an item. */
export const RATINGS: PlainList = { id: 'list', card: 'rating_card', empty: 'rating.none', columns: [] };
