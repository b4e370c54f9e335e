import type { Engine } from '../../database/index.js';

/** Version of the archive layout; a newer one is rejected. */
export const ARCHIVE_FORMAT = 1;

/** Entry names: first and last entry of an archive, and prefixes of the rest. */
export const ENTRIES = {
  about: 'about.json',
  schema: 'database/schema.json',
  rows: 'database/rows/',
  files: 'data/',
  manifest: 'manifest.json',
} as const;

/** First entry of an archive: its origin. */
export interface About {
  readonly format: number;
  /** Version of the panel that made it. */
  readonly panel: string;
  readonly engine: Engine;
  /** Time of the database snapshot, ISO 8601. */
  readonly madeAt: string;
}

/** Last entry; without it the archive is incomplete. */
export interface Manifest extends About {
  readonly tables: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly files: number;
  /** Bytes of content in the preceding entries. */
  readonly bytes: number;
  /** SHA-256 over one line per preceding entry: its name, size and SHA-256. */
  readonly digest: string;
}

/** A SQL statement of the schema. */
export interface SchemaStatement {
  /** Tables are created before the rows are inserted, the rest afterwards. */
  readonly kind: 'table' | 'rest';
  readonly sql: string;
  /** Engine-independent description; missing in older archives. */
  readonly table?: TableDescription;
}

/** Description of a table for restoring it on the other engine. */
export interface TableDescription {
  readonly name: string;
  readonly columns: readonly ColumnDescription[];
  readonly indexes: readonly IndexDescription[];
  /** Features without an equivalent on the other engine, as text, such as `trigger x`. */
  readonly peculiar: readonly string[];
}

export interface ColumnDescription {
  readonly name: string;
  /** Declared type: `varchar(191)`, `bigint unsigned`. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Default as SQL; null for none. */
  readonly default: string | null;
  readonly isPrimary: boolean;
  /** Whether the column is auto-incremented. */
  readonly isCounted: boolean;
}

export interface IndexDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** A value of a row; types without a JSON equivalent are written as objects. */
export type Cell = string | number | null | { readonly base64: string } | { readonly integer: string };

/** First line of a rows entry; arrays of {@link Cell} follow, one per line. */
export interface RowsHead {
  readonly table: string;
  readonly columns: readonly string[];
}
