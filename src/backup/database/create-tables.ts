import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';

import { type Engine, isOfRestore, migrationName, migrations } from '../../database/index.js';
import { ArchiveError } from '../archive/archive-reader.js';
import type { TableDescription } from '../archive/manifest.js';

import { portableTable, refusal } from './portable-table.js';

/** Tables of a backup from the other engine, to be created in this engine's own form. */
export interface TablesToCreate {
  /** Migrations that the backed-up database had applied. */
  readonly migrations: readonly string[];
  /** All tables, in archive order. */
  readonly tables: readonly NamedTable[];
}

/** A table with its description, which older archives lack. */
export interface NamedTable {
  readonly name: string;
  readonly description: TableDescription | null;
}

/**
 * Creates the empty tables: the panel's by its migrations, those of plugins by their descriptions.
 *
 * @param options of the database in which to create them
 * @throws ArchiveError for a backup of a newer panel, or for features this engine lacks
 */
export async function createTables(options: DataSourceOptions, engine: Engine, wanted: TablesToCreate): Promise<void> {
  const steps = migrations.filter((Migration) => wanted.migrations.includes(migrationName(Migration)));
  const known = new Set(steps.map(migrationName));
  const newer = wanted.migrations.find((name) => !known.has(name));
  if (newer !== undefined)
    throw new ArchiveError(`This backup was made by a newer panel (${newer}). Install that version, then restore with it.`);
  const source = await new DataSource({ ...options, entities: [], migrations: steps }).initialize();
  const runner = source.createQueryRunner();
  try {
    await source.runMigrations();
    const made = await tableNames(runner, engine);
    const existing = new Set(made.map((name) => name.toLowerCase()));
    for (const { name, description } of wanted.tables) {
      if (existing.has(name.toLowerCase())) continue;
      if (!description)
        throw refusal(
          name,
          'belongs to a plugin, and the backup was made by an older panel. Start this version on the old database, and make a new backup',
        );
      const table = portableTable(description, engine);
      await runner.createTable(table).catch((error: Error) => {
        throw refusal(name, `is rejected by this database (${error.message})`, error);
      });
    }
    // Rows inserted by migrations are in the backup in their current state.
    await runner.query(engine === 'sqlite' ? 'PRAGMA foreign_keys = OFF' : 'SET SESSION foreign_key_checks = 0');
    for (const name of made) await runner.query(`DELETE FROM \`${name}\``);
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function tableNames(runner: QueryRunner, engine: Engine): Promise<string[]> {
  const rows = (await runner.query(
    engine === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'",
  )) as { name: string }[];
  return rows.map(({ name }) => name).filter((name) => !isOfRestore(name));
}
