import type { ListInput } from '../../operations/index.js';

/**
 * Returns the search column and text of a list.
 *
 * @param columns searchable columns by their wire names
 * @param first default column
 */
export function searchedOf(
  { where, ss }: ListInput,
  columns: Readonly<Record<string, string>>,
  first: string,
): { column: string | undefined; text: string } {
  try {
    const { name, value } = JSON.parse(where ?? '') as { name?: string; value?: unknown };
    return { column: Object.hasOwn(columns, name ?? '') ? columns[name!] : undefined, text: String(value) };
  } catch {
    return { column: ss ? first : undefined, text: ss ?? '' };
  }
}
