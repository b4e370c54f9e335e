import { translate } from '../../../common/index.js';
import { type FoundRows, type ListState, type ListView, plainList, type PlainList, type PlainListFile } from '../../../web/index.js';

import type { PageRequest } from '../page-request.js';

/** Builds the view of a list at `path`, or its exported file; `read` returns the requested rows. */
export function showList(
  list: PlainList,
  path: string,
  { query, call: { locale } }: PageRequest,
  read: (state: ListState) => Promise<FoundRows>,
): Promise<ListView | PlainListFile> {
  return plainList(list, { path, query, locale }, (key, params) => translate(locale, `storePages.${key}`, params), read);
}

/** Selects a page of a list that is fully loaded. */
export const partOf = <Row>(rows: readonly Row[], { page, size }: ListState): { total: number; rows: Row[] } => ({
  total: rows.length,
  rows: rows.slice((page - 1) * size, page * size),
});

/** Reader for a short list that is fully loaded. */
export const allOf = (rows: FoundRows['rows']) => (): Promise<FoundRows> => Promise.resolve({ total: rows.length, rows });
