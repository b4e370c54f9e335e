import type { Translate } from '../../sdk/index.js';

import { ListAddress, type ListState } from './list-state.js';
import { listView, readPart, sayOnce, type FoundRows, type ListView, type ShownList } from './list-view.js';

/**
 * A list whose rows its page gives, for a service that has no operations: shown by the same partials and kept in the address as every list
 * is. It has no file of its rows, and nothing is done with several at once.
 */
export type PlainList = Omit<ShownList, 'bulk' | 'search' | 'keyword'>;

/**
 * The part of a list that the address names.
 *
 * @param path of the page
 * @param query fields of its address
 * @param say texts of the page by their keys
 * @param read gives the rows of a page, `state.size` at most, and how many there are; all of them where the list is `whole`
 * @example
 * ```ts
 * const list = await plainList(USERS, { path: '/store/review/users', query }, say, ({ page, size, text }) => users.find(text, page, size));
 * ```
 */
export async function plainList(
  list: PlainList,
  { path, query }: { readonly path: string; readonly query: Readonly<Record<string, string>> },
  say: Translate,
  read: (state: ListState) => Promise<FoundRows>,
): Promise<ListView> {
  const address = new ListAddress(list, path, query);
  const { state, found } = await readPart(address.state, read);
  return listView(list, address, state, found, sayOnce(say), { offered: found.offered });
}
