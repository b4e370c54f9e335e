import type { PasswordHasher } from '../../auth/index.js';
import type { Secrets } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import type { ZoneTerms } from '../../hosting/index.js';

import type { ImportReport } from './import-report.js';
import type { LegacyRow } from './legacy-row.js';

/** A domain whose names are sold, as it was taken. */
export type ImportedZone = Pick<ZoneTerms, 'channel' | 'providerId'> & { readonly id: number };

/** A name that was sold, as it was taken. */
export interface ImportedName {
  readonly id: number;
  /** The host it is of. */
  readonly accountId: number;
  readonly zone: ImportedZone;
}

/** What every part of an import works with. */
export interface ImportContext {
  readonly database: Database;
  readonly report: ImportReport;
  readonly secrets: Secrets;
  /** Null in a preview: hashing takes most of the time, and nothing of it stays. */
  readonly hasher: PasswordHasher | null;
  /** Zone of the other panel's times: the one of this panel. */
  readonly zone: string;
  readonly now: Date;
  /** Servers that were taken: the code in lower case, and as it is written. */
  readonly servers: Map<string, string>;
  /** Hosting accounts that were taken, by login in lower case. */
  readonly accounts: Map<string, { readonly id: number; readonly createdAt: Date }>;
  /** Accounts at DNS providers: the number there, and the number here. */
  readonly dnsProviders: Map<number, number>;
  /** Domains whose names are sold, by name. */
  readonly zones: Map<string, ImportedZone>;
  /** Names that were sold, by name. */
  readonly names: Map<string, ImportedName>;
}

/** One table of the other panel, and what becomes of its rows. */
export interface ImportPart {
  /** Without its prefix, in lower case. */
  readonly table: string;
  /** It is a plugin's, whose tables have no prefix, and may be missing. */
  readonly isPlugins?: boolean;
  /** Columns without which it is another program's table. */
  readonly needs: readonly string[];
  /** What a row of it is called in the report, in the plural. */
  readonly what: string;
  /** How a row is named in the report. */
  nameOf(row: LegacyRow): string;
  /** Takes over some rows, at most 200. @throws Left through {@link eachOf} for a row that cannot be taken */
  take(rows: readonly LegacyRow[], context: ImportContext): Promise<void>;
}
