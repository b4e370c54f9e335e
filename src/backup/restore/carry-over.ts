import { basename, dirname } from 'node:path';

import { ArchiveError } from '../archive/archive-reader.js';
import type { Manifest, SchemaStatement } from '../archive/manifest.js';
import type { NamedTable } from '../database/create-tables.js';
import { refusal, valueCheck } from '../database/portable-table.js';
import type { RestoreTarget } from '../database/restore-target.js';

import { rowsOf, type RowsOfTable } from './rows-of-part.js';

/** SQLite's table of auto-increment counters; a server has them per table. */
const COUNTERS = 'sqlite_sequence';
const MIGRATIONS = 'svc_migration';

/**
 * Fills a database with a backup of the other engine: creates the tables in this engine's form, converts values by column, and rejects
 * values that would change. Holds one part of the archive in memory.
 *
 * @param parts files of rows
 * @throws ArchiveError naming table and column
 */
export async function carryOver(
  schema: readonly SchemaStatement[],
  parts: readonly string[],
  manifest: Manifest,
  target: RestoreTarget,
): Promise<void> {
  const odd = schema.find(({ kind, sql }) => kind === 'rest' && /^\s*CREATE\s+(?:VIEW|TEMP)/i.test(sql));
  if (odd) throw new ArchiveError(`A view cannot be converted to the other kind of database: ${odd.sql.slice(0, 200)}`);
  const described = new Map(schema.flatMap(({ table }) => (table ? [[table.name, table]] : [])));
  const tables = Object.keys(manifest.tables)
    .filter((name) => name !== COUNTERS)
    .map((name): NamedTable => ({ name, description: described.get(name) ?? null }));
  await target.beginConversion({ migrations: await migrationsOf(parts), tables });
  const counters = new Map(schema.flatMap(({ sql }) => counterOf(sql)));
  for (const part of parts) {
    for await (const slice of rowsOf(part)) {
      if (slice.table === COUNTERS) for (const row of slice.rows) counters.set(...counterIn(slice, row as (string | number)[]));
      else await insert(target, slice, described.get(slice.table));
    }
  }
  for (const { name } of tables) {
    const [arrived, wanted] = [await target.count(name), manifest.tables[name]!];
    if (arrived !== wanted) throw refusal(name, `has ${wanted} rows, but only ${arrived} were inserted`);
  }
  for (const { name } of tables) {
    const next = counters.get(name);
    if (next !== undefined) await target.countFrom(name, next);
  }
}

async function insert(target: RestoreTarget, { table, columns, rows }: RowsOfTable, description: SchemaStatement['table']): Promise<void> {
  if (description) {
    const check = valueCheck(description, columns, target.engine);
    for (const row of rows) check(row);
  }
  await target.insert(table, columns, rows).catch((error: Error) => {
    throw refusal(table, `contains rows that this database rejects (${error.message})`, error);
  });
}

async function migrationsOf(parts: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const part of parts.filter((path) => basename(dirname(path)).toLowerCase() === MIGRATIONS)) {
    for await (const { columns, rows } of rowsOf(part)) for (const row of rows) names.push(String(row[columns.indexOf('name')]));
  }
  return names;
}

function counterIn({ columns }: RowsOfTable, row: readonly (string | number)[]): [string, bigint] {
  return [String(row[columns.indexOf('name')]), BigInt(row[columns.indexOf('seq')]!) + 1n];
}

/** Reads the next auto-increment value from `SHOW CREATE TABLE`. */
function counterOf(sql: string): [string, bigint][] {
  const name = /^CREATE TABLE `((?:[^`]|``)+)`/.exec(sql)?.[1];
  const next = /\n\)[^\n]*\bAUTO_INCREMENT=(\d+)/.exec(sql)?.[1];
  return name && next ? [[name.replaceAll('``', '`'), BigInt(next)]] : [];
}
