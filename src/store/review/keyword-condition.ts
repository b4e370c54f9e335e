import type { SqlValue } from '../../database/index.js';
import { likeAnywhere } from '../../database/index.js';

/** A condition on `{StoreItem}`, written with entity names. */
export interface SearchCondition {
  readonly sql: string;
  /** Values of its `?` placeholders, in order. */
  readonly params: readonly SqlValue[];
}

/**
 * Matches a keyword in an item's name, description or slug, ignoring case; needs a full scan.
 *
 * @param keyword trimmed, not empty
 */
export function keywordCondition(keyword: string): SearchCondition {
  const pattern = likeAnywhere(keyword.toLowerCase());
  const columns = ['name', 'description', 'slug'].map((column) => `LOWER({StoreItem.${column}}) LIKE ? ESCAPE '!'`);
  return { sql: `(${columns.join(' OR ')})`, params: [pattern, pattern, pattern] };
}
