import { translate } from '../../../common/index.js';
import { type FoundRows, type ListState, type ListView, plainList, type PlainList, type PlainListFile } from '../../../web/index.js';

import type { PageRequest } from '../page-request.js';

/** What the page at `path` shows of a list, or its file; `read` gives the rows its address asks for. */
export function showList(
  list: PlainList,
  path: string,
  { query, call: { locale } }: PageRequest,
  read: (asked: ListState) => Promise<FoundRows>,
): Promise<ListView | PlainListFile> {
  return plainList(list, { path, query, locale }, (key, params) => translate(locale, `storePages.${key}`, params), read);
}

/** The part of a list that is read as a whole. */
export const partOf = <Row>(rows: readonly Row[], { page, size }: ListState): { total: number; rows: Row[] } => ({
  total: rows.length,
  rows: rows.slice((page - 1) * size, page * size),
});

/** All rows of a list that is short. */
export const allOf = (rows: FoundRows['rows']) => (): Promise<FoundRows> => Promise.resolve({ total: rows.length, rows });
