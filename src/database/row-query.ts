import type { SqlValue } from './driver-values.js';

/** Which rows, in which order. */
export interface RowQuery {
  /** SQL conditions with entity names, all of which must hold. */
  readonly conditions: readonly string[];
  /** Values of their `?`, in order. */
  readonly params: readonly SqlValue[];
  /** Property with an index that ends in the id; null: by id. */
  readonly sort: string | null;
  readonly direction: 'asc' | 'desc';
  /** Rows to pass over. */
  readonly offset: number;
  readonly limit: number;
}
