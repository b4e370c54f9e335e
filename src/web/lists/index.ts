export { defineList } from '../../sdk/index.js';
export type { BadgeColour, BulkAction, ListColumn, ListDeclaration, ListFilter, ListRow, RowAction, Translate } from '../../sdk/index.js';
export { ListCsv } from './list-csv.js';
export { Lists, type ListView } from './lists.js';
