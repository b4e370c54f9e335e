import type { ItemType } from '../entities/index.js';

/** Orders of a list; `relevance` and `updated` with a keyword only. */
export const ITEM_SORTS = ['newest', 'downloads', 'price', 'updated', 'relevance'] as const;
/** One of {@link ITEM_SORTS}. */
export type ItemSort = (typeof ITEM_SORTS)[number];

/** Which published items, in which order. */
export interface ItemQuery {
  readonly keyword?: string;
  readonly type?: ItemType;
  readonly category?: string;
  readonly authorId?: number;
  /** Fen. */
  readonly minPrice?: number;
  /** Fen. */
  readonly maxPrice?: number;
  readonly sort: ItemSort;
  /** Items to pass over. */
  readonly offset: number;
  readonly limit: number;
}

/** Published item as an index has it. */
export interface IndexedItem {
  readonly id: number;
  readonly type: ItemType;
  readonly slug: string;
  readonly name: string;
  /** Sanitized HTML. */
  readonly description: string;
  readonly category: string;
  readonly authorId: number;
  /** Fen. */
  readonly price: number;
  readonly downloads: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}
