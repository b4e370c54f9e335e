import type { Engine } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

/** A table and the columns that are written. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * The database as it is at one moment, however much is written meanwhile: everything committed before {@link openSnapshot} resolved is in
 * it, whole transactions only. Holds a connection of its own, blocks no writer, and gives other requests their turns.
 */
export interface DatabaseSnapshot {
  readonly engine: Engine;
  schema(): Promise<readonly SchemaStatement[]>;
  tables(): Promise<readonly TableShape[]>;
  /** Rows in the order of the columns, some hundred at a time. */
  rows(table: TableShape): AsyncIterable<readonly (readonly Cell[])[]>;
  close(): Promise<void>;
}
