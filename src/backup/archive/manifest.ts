import type { Engine } from '../../database/index.js';

/** Version of the archive's layout; a reader refuses a newer one. */
export const ARCHIVE_FORMAT = 1;

/** Names of entries: the first and the last of every archive, and what begins the rest. */
export const ENTRIES = {
  about: 'about.json',
  schema: 'database/schema.json',
  rows: 'database/rows/',
  files: 'data/',
  manifest: 'manifest.json',
} as const;

/** First entry of an archive: what it is of. */
export interface About {
  readonly format: number;
  /** Of the panel that made it. */
  readonly panel: string;
  readonly engine: Engine;
  /** The state of the database it holds, ISO 8601. */
  readonly madeAt: string;
}

/** Last entry: without it the archive is not whole. */
export interface Manifest extends About {
  readonly tables: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly files: number;
  /** Of the content of the entries before it, in bytes. */
  readonly bytes: number;
  /** SHA-256 over one line for each entry before it: its name, size and SHA-256. */
  readonly digest: string;
}

/** A statement that makes a part of the database. */
export interface SchemaStatement {
  /** Tables are made before the rows, the rest after them. */
  readonly kind: 'table' | 'rest';
  readonly sql: string;
  /** The same in words that both engines have; older archives have none. */
  readonly table?: TableDescription;
}

/** A table, for a restore on the other engine. */
export interface TableDescription {
  readonly name: string;
  readonly columns: readonly ColumnDescription[];
  readonly indexes: readonly IndexDescription[];
  /** What only its own engine has, in words, such as `trigger x`. */
  readonly peculiar: readonly string[];
}

export interface ColumnDescription {
  readonly name: string;
  /** As it was declared: `varchar(191)`, `bigint unsigned`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** As SQL; null where there is none. */
  readonly default: string | null;
  readonly isPrimary: boolean;
  /** Whether the engine counts it up. */
  readonly isCounted: boolean;
}

export interface IndexDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** A value of a row: what JSON has none of is written as an object. */
export type Cell = string | number | null | { readonly base64: string } | { readonly integer: string };

/** First line of an entry of rows; arrays of {@link Cell} follow, one a line. */
export interface RowsHead {
  readonly table: string;
  readonly columns: readonly string[];
}
