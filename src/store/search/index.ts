export { foldText } from './fold-text.js';
export { ItemIndex } from './item-index.js';
export { ITEM_SORTS, type IndexedItem, type ItemQuery, type ItemSort } from './item-query.js';
