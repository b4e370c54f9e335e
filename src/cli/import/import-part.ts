import type { PasswordHasher } from '../../auth/index.js';
import type { Secrets } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import type { ZoneTerms } from '../../hosting/index.js';

import type { ImportReport } from './import-report.js';
import type { LegacyRow } from './legacy-row.js';

/** An imported domain whose subdomains are sold. */
export type ImportedZone = Pick<ZoneTerms, 'channel' | 'providerId'> & { readonly id: number };

/** An imported sold name. */
export interface ImportedName {
  readonly id: number;
  /** Id of the host it belongs to. */
  readonly accountId: number;
  readonly zone: ImportedZone;
}

/** Shared context of an import. */
export interface ImportContext {
  readonly database: Database;
  readonly report: ImportReport;
  readonly secrets: Secrets;
  /** Null in a preview: hashing takes most of the time and its result is discarded. */
  readonly hasher: PasswordHasher | null;
  /** Time zone of the other panel's times; assumed to be this panel's. */
  readonly zone: string;
  readonly now: Date;
  /** Imported servers: lower-case code to original spelling. */
  readonly servers: Map<string, string>;
  /** Imported hosting accounts, by lower-case login. */
  readonly accounts: Map<string, { readonly id: number; readonly createdAt: Date }>;
  /** Imported DNS provider accounts: old id to new id. */
  readonly dnsProviders: Map<number, number>;
  /** Imported domains whose subdomains are sold, by name. */
  readonly zones: Map<string, ImportedZone>;
  /** Imported sold names, by name. */
  readonly names: Map<string, ImportedName>;
}

/** Import of one table of the other panel. */
export interface ImportPart {
  /** Table name without prefix, in lower case. */
  readonly table: string;
  /** Whether it is a plugin's table, which has no prefix and may be missing. */
  readonly isPlugins?: boolean;
  /** Required columns; without them the table belongs to another program. */
  readonly needs: readonly string[];
  /** Name of its rows in the report, in the plural. */
  readonly what: string;
  /** Identifies a row in the report. */
  nameOf(row: LegacyRow): string;
  /** Imports a batch of at most 200 rows. @throws SkippedRow through {@link convertRows} for a row that cannot be imported */
  take(rows: readonly LegacyRow[], context: ImportContext): Promise<void>;
}
