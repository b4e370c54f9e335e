import type { Engine } from '../../database/index.js';
import type { Cell, SchemaStatement } from '../archive/manifest.js';

import type { TablesToMake } from './made-anew.js';

/** What is written down with a database that was put back, which is held from then on. */
export interface RestoredNote {
  /** All as both engines store moments. */
  readonly madeAt: string;
  readonly restoredAt: string;
  readonly panel: string;
}

/** An empty database that a backup is put into. Nothing of it counts before {@link finish}. */
export interface RestoreTarget {
  readonly engine: Engine;
  /** Whether there is anything yet. */
  isUsed(): Promise<boolean>;
  /** Makes the tables. What there was is set aside: in the end (SQLite), or until then (a server). */
  begin(schema: readonly SchemaStatement[]): Promise<void>;
  /** The same for the backup of the other engine. @throws ArchiveError naming what this engine does not have */
  beginAnew(tables: TablesToMake): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Promise<void>;
  /** How many rows a table has. */
  count(table: string): Promise<number>;
  /** From which number on the engine counts the rows of a table up. */
  countFrom(table: string, next: bigint): Promise<void>;
  /** Makes the rest, checks that it is whole, writes the note down. From now on a panel may start on it. */
  finish(note: RestoredNote): Promise<void>;
  /** Whether a restore has begun, and its database is not in its place. */
  isInterrupted(): Promise<boolean>;
  /** Puts back what an interrupted restore set aside. @returns whether there was any */
  undo(): Promise<boolean>;
  /** Lets go; what was not finished is undone. */
  close(): Promise<void>;
}
