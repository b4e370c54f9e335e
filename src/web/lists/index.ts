export { defineList } from '../../sdk/index.js';
export type { CellNote, ListColumn, ListFilter, ListRow, RowAction, Translate } from '../../sdk/index.js';
export { ListFile } from './list-file.js';
export type { Bar, Piece, ShownColumn } from './list-cells.js';
export { requireLists } from './list-rules.js';
export { Lists } from './lists.js';
export type { ListState } from './list-state.js';
export type { FoundRows, ListView } from './list-view.js';
export { fileIn, plainList, PlainListFile, type PlainList } from './plain-list.js';
