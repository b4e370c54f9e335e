import type { ItemType } from '../entities/index.js';

/** Sort orders of a list; `relevance` and `updated` only with a keyword. */
export const ITEM_SORTS = ['newest', 'downloads', 'price', 'updated', 'relevance'] as const;
/** One of {@link ITEM_SORTS}. */
export type ItemSort = (typeof ITEM_SORTS)[number];

/** Query for published items. */
export interface ItemQuery {
  readonly keyword?: string;
  readonly type?: ItemType;
  readonly category?: string;
  readonly authorId?: number;
  /** In fen. */
  readonly minPrice?: number;
  /** In fen. */
  readonly maxPrice?: number;
  readonly sort: ItemSort;
  /** Number of items to skip. */
  readonly offset: number;
  readonly limit: number;
}

/** Indexed form of a published item. */
export interface IndexedItem {
  readonly id: number;
  readonly type: ItemType;
  readonly slug: string;
  readonly name: string;
  /** Sanitized HTML. */
  readonly description: string;
  readonly category: string;
  readonly authorId: number;
  /** In fen. */
  readonly price: number;
  readonly downloads: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
}
