import './texts.js';

import { FollowedIndex } from './followed-index.js';
import { IndexedRows } from './indexed-rows.js';
import { ItemFinder } from './item-finder.js';

export { CatalogController } from './catalog.controller.js';
export { FindItemsForm, queryOf } from './catalog.forms.js';
export { FollowedIndex } from './followed-index.js';
export { ItemFinder } from './item-finder.js';

/** Providers that list and search published items. */
export const CATALOG = [FollowedIndex, IndexedRows, ItemFinder];
