import { Clock } from '../../common/index.js';
import type { AppConfig, Secrets } from '../../config/index.js';
import { PasswordHasher } from '../../auth/index.js';
import { type Database, isUniqueViolation } from '../../database/index.js';
import { SiteConfig } from '../../site/index.js';
import { HostingAccount } from '../../hosting/index.js';
import { Restored } from '../../jobs/index.js';
import { Order } from '../../payment/index.js';

import { accounts } from './accounts.js';
import { dnsProviders } from './dns-providers.js';
import { dnsRecords } from './dns-records.js';
import { DumpError } from './dump-error.js';
import { Dump, type DumpTable } from './dump.js';
import type { ImportContext, ImportPart } from './import-part.js';
import { ImportReport } from './import-report.js';
import type { LegacyRow } from './legacy-row.js';
import { nameZones } from './name-zones.js';
import { orders } from './orders.js';
import { programs } from './programs.js';
import { servers } from './servers.js';
import { settings } from './settings.js';

/** Tables imported in one pass; each round may depend on earlier ones. */
const ROUNDS: readonly (readonly ImportPart[])[] = [
  [servers, settings, dnsProviders],
  [accounts, ...nameZones],
  [programs, orders],
  [dnsRecords],
];
const PARTS = ROUNDS.flat();
/** Rows per batch. */
const BATCH = 200;

/** Options of an import. */
export interface ImportOptions {
  readonly database: Database;
  readonly config: AppConfig;
  readonly secrets: Secrets;
  readonly path: string;
  /** Approximate time of the dump. */
  readonly madeAt: Date;
  /** False for a preview: everything is done and rolled back. */
  readonly apply: boolean;
}

/**
 * Imports servers, hosting accounts, orders, programs, names for sale and settings from a dump of another panel of this family, in one
 * transaction: an interruption leaves nothing. Afterwards the installation is held until an administrator releases it, as after a restore.
 *
 * @throws DumpError for an unreadable or unsuitable dump, and if this installation already has hosting accounts or orders
 */
export async function importDump({ database, config, secrets, path, madeAt, apply }: ImportOptions): Promise<ImportReport> {
  const dump = new Dump(path);
  const tables = await dump.tables();
  const prefix = prefixOf(tables);
  const now = new Clock().now();
  const hasher = apply ? new PasswordHasher() : null;
  let report = new ImportReport();
  try {
    await database.transactionIf(async () => {
      await refuseUsed(database);
      // Reset, because a deadlock retries the transaction.
      report = new ImportReport();
      const zone = config.timezone;
      const context: ImportContext = { database, report, secrets, hasher, zone, now, ...nothingTaken() };
      for (const round of ROUNDS) await takeRound(dump, tables, prefix, round, context);
      nameLeftTables(tables, prefix, report);
      if (apply && !report.isEmpty) await database.repository(Restored).insert({ madeAt, restoredAt: now, panel: 'import' });
      return apply;
    });
  } catch (error) {
    if (isUniqueViolation(error))
      throw new DumpError(
        'The dump has two rows with the same id: it contains the tables twice, or was merged from several dumps. Export it again.',
      );
    throw error;
  }
  return report;
}

async function takeRound(
  dump: Dump,
  tables: ReadonlyMap<string, DumpTable>,
  prefix: string,
  round: readonly ImportPart[],
  context: ImportContext,
): Promise<void> {
  const parts = new Map(round.map((part) => [nameOf(part, prefix), part]));
  const wanted = new Map([...parts.keys()].flatMap((name) => (tables.has(name) ? [[name, tables.get(name)!] as const] : [])));
  if (wanted.size === 0) return;
  const waiting = new Map<ImportPart, LegacyRow[]>(round.map((part) => [part, []]));
  for await (const { table, row } of dump.rows(wanted)) {
    const part = parts.get(table)!;
    const rows = waiting.get(part)!;
    if (rows.push(row) < BATCH) continue;
    waiting.set(part, []);
    await part.take(rows, context);
  }
  for (const [part, rows] of waiting) if (rows.length > 0) await part.take(rows, context);
}

const nothingTaken = (): Pick<ImportContext, 'servers' | 'accounts' | 'dnsProviders' | 'zones' | 'names'> => ({
  servers: new Map(),
  accounts: new Map(),
  dnsProviders: new Map(),
  zones: new Map(),
  names: new Map(),
});

const nameOf = ({ table, isPlugins }: ImportPart, prefix: string): string => (isPlugins ? table : prefix + table);

/** Returns the common prefix of the panel's tables, in lower case. @throws DumpError if there are none, or those of several panels */
function prefixOf(tables: ReadonlyMap<string, DumpTable>): string {
  const found = new Set<string>();
  for (const [name, { columns }] of tables) {
    for (const { table, needs } of PARTS.filter(({ isPlugins }) => !isPlugins)) {
      if (name.endsWith(table) && needs.every((column) => columns.includes(column))) found.add(name.slice(0, name.length - table.length));
    }
  }
  const [prefix, ...others] = found;
  if (prefix === undefined) {
    const names = [...tables.values()].slice(0, 8).map(({ name }) => name);
    const there = names.length === 0 ? 'It has no tables at all.' : `It has ${names.join(', ')}${tables.size > names.length ? ' …' : ''}.`;
    throw new DumpError(
      `This is not a dump of such a panel: the tables …bt, …zj and …config, or columns of them, are missing. ${there} ` +
        'Export the dump with the structure of the tables.',
    );
  }
  if (others.length > 0)
    throw new DumpError(
      `The dump contains several panels, with the table prefixes ${[...found].join(', ')}: export one dump for each panel.`,
    );
  if (tables.get(`${prefix}zj`)?.columns.includes('user_key'))
    throw new DumpError('This is a dump of this panel itself. Use svc backup and svc restore to move it.');
  return prefix;
}

/** Requires an empty installation. @throws DumpError if data could be mixed */
async function refuseUsed(database: Database): Promise<void> {
  if (!(await database.repository(SiteConfig).existsBy({ id: 1 })))
    throw new DumpError('This installation is not set up yet. Start the panel once, sign in, stop it, then run this command again.');
  const hosts = await database.repository(HostingAccount).count();
  const bought = await database.repository(Order).count();
  if (hosts > 0 || bought > 0)
    throw new DumpError(
      `There are ${hosts} hosting accounts and ${bought} orders in this installation already. ` +
        'Import into a new installation, with an empty DATA_DIR and database.',
    );
}

function nameLeftTables(tables: ReadonlyMap<string, DumpTable>, prefix: string, report: ImportReport): void {
  const taken = new Set(PARTS.map((part) => nameOf(part, prefix)));
  for (const [key, { name }] of tables) if (!taken.has(key)) report.skip('tables', 'tables of this name are not imported', name);
  for (const part of PARTS)
    if (!part.isPlugins && !tables.has(nameOf(part, prefix))) report.addNote('tables that the dump does not have', nameOf(part, prefix));
}
