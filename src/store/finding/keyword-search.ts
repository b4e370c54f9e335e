import { Injectable } from '@nestjs/common';

import type { SqlValue } from '../../database/index.js';

/** A condition on `{StoreItem}` for a statement written with entity names. */
export interface SearchCondition {
  readonly sql: string;
  /** Values of its `?`, in order. */
  readonly params: readonly SqlValue[];
}

/** How items are found by a keyword in name, description and slug. */
export abstract class KeywordSearch {
  /** The items a keyword finds. @param keyword trimmed, not empty */
  abstract condition(keyword: string): SearchCondition;

  /** Told, in the transaction that does it, that an item was made or that its name, description or slug changed. */
  abstract changed(itemId: number): Promise<void>;
}

/** Looks for the keyword in every item's texts, whatever its case. */
@Injectable()
export class PlainKeywordSearch extends KeywordSearch {
  condition(keyword: string): SearchCondition {
    const pattern = `%${keyword.toLowerCase().replace(/[!%_]/g, '!$&')}%`;
    const columns = ['name', 'description', 'slug'].map((column) => `LOWER({StoreItem.${column}}) LIKE ? ESCAPE '!'`);
    return { sql: `(${columns.join(' OR ')})`, params: [pattern, pattern, pattern] };
  }

  /** There is nothing but the items themselves. */
  async changed(): Promise<void> {}
}
