import type { SqlValue } from '../../database/index.js';
import { likeAnywhere } from '../../database/index.js';

/** A condition on `{StoreItem}` for a statement written with entity names. */
export interface SearchCondition {
  readonly sql: string;
  /** Values of its `?`, in order. */
  readonly params: readonly SqlValue[];
}

/**
 * That a keyword stands in an item's name, description or slug, whatever its case: every row is looked at.
 *
 * @param keyword trimmed, not empty
 */
export function keywordCondition(keyword: string): SearchCondition {
  const pattern = likeAnywhere(keyword.toLowerCase());
  const columns = ['name', 'description', 'slug'].map((column) => `LOWER({StoreItem.${column}}) LIKE ? ESCAPE '!'`);
  return { sql: `(${columns.join(' OR ')})`, params: [pattern, pattern, pattern] };
}
