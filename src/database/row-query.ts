import type { SqlValue } from './driver-values.js';

/** Conditions, order and range of rows. */
export interface RowQuery {
  /** SQL conditions with entity names, combined with AND. */
  readonly conditions: readonly string[];
  /** Values of their `?` placeholders, in order. */
  readonly params: readonly SqlValue[];
  /** Property with an index that ends in the id; null: sort by id. */
  readonly sort: string | null;
  readonly direction: 'asc' | 'desc';
  /** Number of rows to skip. */
  readonly offset: number;
  readonly limit: number;
}
