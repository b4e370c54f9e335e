import type { Locale } from '../../common/index.js';
import type { Translate } from '../../sdk/index.js';

import { csvOf, fileColumns, fileReply, partsFrom, type FileReply } from './list-csv.js';
import { ListAddress, PAGE_SIZES, type ListState } from './list-state.js';
import { cachedTranslate, listView, readPart, type FoundRows, type ListView, type ShownList } from './list-view.js';

/**
 * A list whose rows are provided by its page, for a service without operations: rendered by the same partials, with its state in the
 * URL. Has no bulk actions.
 */
export type PlainList = Omit<ShownList, 'bulk' | 'search' | 'keyword'>;

/** Where a {@link PlainList} is shown. */
export interface ListPlace {
  /** Path of the page. */
  readonly path: string;
  /** Query parameters of the page. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly locale: Locale;
}

/** All rows of a list as a file, if the URL contains `export`: sent instead of the page, see {@link fileIn}. */
export class PlainListFile {
  constructor(readonly reply: FileReply) {}
}

/** Returns the file among a view's variables. */
export const fileIn = (vars: object): FileReply | undefined =>
  Object.values(vars).find((value): value is PlainListFile => value instanceof PlainListFile)?.reply;

/** Rows per part of a file. */
const BATCH = Math.max(...PAGE_SIZES);

/**
 * Returns the part of a list named by the URL, or the file of its rows.
 *
 * @param say translates text keys of the page
 * @param read returns the rows of a page, at most `state.size`, and the total number; all of them if the list is `whole`
 * @example
 * ```ts
 * const place = { path: '/store/review/users', query, locale };
 * const list = await plainList(USERS, place, say, ({ page, size, text }) => users.find(text, page, size));
 * ```
 */
export async function plainList(
  list: PlainList,
  { path, query, locale }: ListPlace,
  say: Translate,
  read: (state: ListState) => Promise<FoundRows>,
): Promise<ListView | PlainListFile> {
  const address = new ListAddress(list, path, query);
  const columns = fileColumns(list);
  if (query.export === list.id && columns.length > 0) {
    const part = (page: number): Promise<FoundRows> => read({ ...address.state, page, size: BATCH });
    const parts = partsFrom(await part(1), list.whole ? Infinity : BATCH, part);
    return new PlainListFile(fileReply(fileName(list, path), 'csv', csvOf(columns, parts, locale, say)));
  }
  const { state, found } = await readPart(address.state, read);
  const csv = columns.length > 0 ? address.with({ export: list.id, page: undefined }) : '';
  return listView(list, address, state, found, cachedTranslate(say), { offered: found.offered, csv });
}

/** Named after its page; a second list of a page after its id. */
const fileName = ({ id, beside }: PlainList, path: string): string => (beside ? id : (path.split('/').findLast(Boolean) ?? id));
