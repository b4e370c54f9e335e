export { foldText } from './fold-text.js';
export { ItemIndex, type IdPage } from './item-index.js';
export { ITEM_SORTS, type IndexedItem, type ItemQuery, type ItemSort } from './item-query.js';
