import type { ListInput } from '../../operations/index.js';

/**
 * What a list is searched for.
 *
 * @param columns those that are looked through, by their names on the wire
 * @param first the one that is meant where none is named
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
