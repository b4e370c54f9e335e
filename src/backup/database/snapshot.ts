import type { Engine } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

/** A table and the columns to write. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * A consistent snapshot of the database: contains everything committed before {@link openSnapshot} resolved, and only complete
 * transactions. Uses its own connection, blocks no writers, and yields to other requests.
 */
export interface DatabaseSnapshot {
  readonly engine: Engine;
  schema(): Promise<readonly SchemaStatement[]>;
  tables(): Promise<readonly TableShape[]>;
  /** Yields rows in column order, a few hundred at a time. */
  rows(table: TableShape): AsyncIterable<readonly (readonly Cell[])[]>;
  close(): Promise<void>;
}
