import type { Engine } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

import type { TablesToCreate } from './create-tables.js';

/** Note stored in a restored database, which is then held until released. */
export interface RestoredNote {
  /** All times in the format in which both engines store them. */
  readonly madeAt: string;
  readonly restoredAt: string;
  readonly panel: string;
}

/** Database that a backup is restored into. Takes effect only with {@link finish}. */
export interface RestoreTarget {
  readonly engine: Engine;
  /** Whether it contains data. */
  isUsed(): Promise<boolean>;
  /** Creates the tables. Existing data is set aside: at the end (SQLite), or from now on (server). */
  begin(schema: readonly SchemaStatement[]): Promise<void>;
  /** As {@link begin}, for a backup of the other engine. @throws ArchiveError naming what this engine lacks */
  beginConversion(tables: TablesToCreate): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void>;
  /** Counts the rows of a table. */
  count(table: string): Promise<number>;
  /** Sets a table's next auto-increment value. */
  countFrom(table: string, next: bigint): Promise<void>;
  /** Creates the rest of the schema, verifies the database and stores the note. From then on a panel may start on it. */
  finish(note: RestoredNote): Promise<void>;
  /** Whether a restore was started but is not complete. */
  isInterrupted(): Promise<boolean>;
  /** Puts back what an interrupted restore set aside. @returns whether there was any */
  undo(): Promise<boolean>;
  /** Closes the target and rolls back an unfinished restore. */
  close(): Promise<void>;
}
