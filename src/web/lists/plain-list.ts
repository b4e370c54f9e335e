import type { Locale } from '../../common/index.js';
import type { Translate } from '../../sdk/index.js';

import { csvOf, fileColumns, fileReply, partsFrom, type FileReply } from './list-csv.js';
import { ListAddress, PAGE_SIZES, type ListState } from './list-state.js';
import { listView, readPart, sayOnce, type FoundRows, type ListView, type ShownList } from './list-view.js';

/**
 * A list whose rows its page gives, for a service that has no operations: shown by the same partials and kept in the address as every list
 * is. Nothing is done with several rows at once.
 */
export type PlainList = Omit<ShownList, 'bulk' | 'search' | 'keyword'>;

/** Where a {@link PlainList} is shown. */
export interface ListPlace {
  /** Of the page. */
  readonly path: string;
  /** Fields of its address. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly locale: Locale;
}

/** All rows of a list as a file, where the address says `export`: the page is answered with it, see {@link fileIn}. */
export class PlainListFile {
  constructor(readonly reply: FileReply) {}
}

/** The file among what a view would see. */
export const fileIn = (vars: object): FileReply | undefined =>
  Object.values(vars).find((value): value is PlainListFile => value instanceof PlainListFile)?.reply;

/** Rows of a part of a file. */
const BATCH = Math.max(...PAGE_SIZES);

/**
 * The part of a list that the address names, or the file of its rows.
 *
 * @param say texts of the page by their keys
 * @param read gives the rows of a page, `state.size` at most, and how many there are; all of them where the list is `whole`
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
  return listView(list, address, state, found, sayOnce(say), { offered: found.offered, csv });
}

/** As its page is called; a second list of a page by its id. */
const fileName = ({ id, beside }: PlainList, path: string): string => (beside ? id : (path.split('/').findLast(Boolean) ?? id));
