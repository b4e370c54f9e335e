import { Injectable } from '@nestjs/common';
import { Table, TableColumn, TableIndex, type QueryRunner, type TableColumnOptions } from 'typeorm';

import { Clock } from '../common/index.js';
import { Database, withNamedLock, type SqlValue } from '../database/index.js';
import type { PluginColumn, PluginDatabase, PluginSchema, PluginTable } from '../sdk/index.js';

import { PluginMigration } from './entities/index.js';

const NAME_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
/** What MySQL allows. */
const MAX_TABLE_NAME = 64;

type MigrationStep = Parameters<PluginDatabase['migrate']>[0][number];

/** Tables that belong to plugins: `SVC_plg_<slug>_<name>`. */
@Injectable()
export class PluginTables {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The database as one plugin sees it. */
  forPlugin(slug: string): PluginDatabase {
    return {
      migrate: (steps) => this.migrate(slug, steps),
      query: async <T>(sql: string, params: unknown[] = []) =>
        (await this.database.query(fullNames(slug, sql), params as SqlValue[])) as T[],
      run: (sql, params = []) => this.database.run(fullNames(slug, sql), params as SqlValue[]),
      transaction: (work) => this.database.transaction(work),
    };
  }

  /** Drops every table of a plugin and forgets its migrations. */
  async drop(slug: string): Promise<void> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      // What it made is written down: by name alone the tables of "shop" and of "shop_extra" could not be told apart.
      const steps = await this.database.repository(PluginMigration).find({ where: { slug }, order: { id: 'DESC' }, take: 10_000 });
      for (const table of steps.flatMap((step) => step.tables)) await runner.dropTable(table, true);
    } finally {
      await runner.release();
    }
    await this.database.repository(PluginMigration).delete({ slug });
  }

  private async migrate(slug: string, steps: MigrationStep[]): Promise<void> {
    const ids = steps.map((step) => step.id);
    for (const id of ids) if (!/^[\w.-]{1,120}$/.test(id)) throw new Error(`A migration step needs an id of 1 to 120 letters, digits, _ . -, not ${JSON.stringify(id)}.`);
    if (new Set(ids).size !== ids.length) throw new Error('Two migration steps have the same id.');
    await withNamedLock(this.database, `plugin_${slug}`, async () => {
      const applied = await this.database.repository(PluginMigration).find({ where: { slug }, take: 10_000 });
      const done = new Set(applied.map((row) => row.step));
      const pending = steps.filter((step) => !done.has(step.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const step of pending) await this.apply(slug, step);
    });
  }

  /**
   * A step runs in one transaction, and what it writes by `svc.db` in there goes back with it. SQLite takes tables back in the same
   * way; MySQL commits at each change of a table, so the tables and columns a failed step made are dropped, and a new transaction begins after each.
   */
  private async apply(slug: string, step: MigrationStep): Promise<void> {
    let schema: RunnerSchema | undefined;
    let failure: { error: unknown } | null = null;
    try {
      await this.database.transaction(async () => {
        schema = new RunnerSchema(slug, this.database.dataSource.createQueryRunner());
        try {
          await step.up(schema);
          await this.database.repository(PluginMigration).insert({ slug, step: step.id, tables: schema.created, appliedAt: this.clock.now() });
        } catch (error) {
          failure = { error };
          // In another form: a step is not to be run a second time for a deadlock before what it made is taken back.
          throw new Error(`The migration step "${step.id}" failed.`, { cause: error });
        }
      });
    } catch (error) {
      if (schema && this.database.engine === 'mysql') await this.takeBack(schema);
      throw failure ? (failure as { error: unknown }).error : error;
    }
  }

  private async takeBack(schema: RunnerSchema): Promise<void> {
    const runner = this.database.dataSource.createQueryRunner();
    try {
      await schema.undo(runner);
    } finally {
      await runner.release();
    }
  }
}

/** What a step may do, over one query runner; remembers how to take it back. */
class RunnerSchema implements PluginSchema {
  /** Full names of the tables it made. */
  readonly created: string[] = [];
  private readonly undos: ((runner: QueryRunner) => Promise<unknown>)[] = [];

  constructor(
    private readonly slug: string,
    private readonly runner: QueryRunner,
  ) {}

  async createTable(table: PluginTable): Promise<void> {
    const name = tableName(this.slug, table.name);
    await this.runner.createTable(
      new Table({
        name,
        columns: [
          { name: 'id', type: this.isMysql ? 'int' : 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          ...table.columns.map((column) => this.column(column)),
        ],
        indices: (table.indexes ?? []).map(
          (index) =>
            new TableIndex({
              name: `IX_${this.slug}_${table.name}_${index.columns.join('_')}`.slice(0, MAX_TABLE_NAME),
              columnNames: index.columns,
              isUnique: index.unique ?? false,
            }),
        ),
      }),
    );
    this.created.push(name);
    await this.changed((runner) => runner.dropTable(name, true));
  }

  async addColumn(table: string, column: PluginColumn): Promise<void> {
    const name = tableName(this.slug, table);
    await this.runner.addColumn(name, new TableColumn(this.column(column)));
    await this.changed((runner) => runner.dropColumn(name, column.name));
  }

  async dropTable(table: string): Promise<void> {
    await this.runner.dropTable(tableName(this.slug, table), true);
    await this.changed(() => Promise.resolve());
  }

  /** Takes tables and columns back, the last one first. @param runner outside of the step's transaction, which is over */
  async undo(runner: QueryRunner): Promise<void> {
    for (const undo of this.undos.reverse()) await undo(runner);
  }

  /** A table was changed, which has ended the transaction on MySQL: what follows gets another one. */
  private async changed(undo: (runner: QueryRunner) => Promise<unknown>): Promise<void> {
    this.undos.push(undo);
    if (this.isMysql) await this.runner.query('START TRANSACTION');
  }

  private get isMysql(): boolean {
    return this.runner.dataSource.options.type !== 'better-sqlite3';
  }

  private column(column: PluginColumn): TableColumnOptions {
    if (!NAME_PATTERN.test(column.name)) throw new Error(`A column's name must be lower-case letters, digits and _, not ${JSON.stringify(column.name)}.`);
    const options: TableColumnOptions = { name: column.name, type: 'text', isNullable: column.nullable ?? false };
    if (column.default !== undefined) options.default = sqlDefault(column.default);
    const text = this.isMysql ? { charset: 'utf8mb4', collation: 'utf8mb4_bin' } : {};
    switch (column.type) {
      case 'integer':
        return { ...options, type: this.isMysql ? 'int' : 'integer' };
      case 'bigint':
        return { ...options, type: 'bigint' };
      case 'string':
        return { ...options, ...text, type: 'varchar', length: String(Math.min(column.length ?? 255, 255)) };
      case 'text':
        return { ...options, ...text };
      case 'boolean':
        return { ...options, type: this.isMysql ? 'tinyint' : 'boolean' };
      case 'datetime':
        return { ...options, type: 'datetime', precision: 3 };
      case 'money':
        return { ...options, type: 'bigint' };
    }
  }
}

function sqlDefault(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return `'${Number(value)}'`;
}

function tableName(slug: string, name: string): string {
  if (!NAME_PATTERN.test(name)) throw new Error(`A table's name must be lower-case letters, digits and _, at most 40, not ${JSON.stringify(name)}.`);
  const full = `SVC_plg_${slug}_${name}`;
  if (full.length > MAX_TABLE_NAME) throw new Error(`The table "${full}" has more than ${MAX_TABLE_NAME} characters: take a shorter name.`);
  return full;
}

/** Replaces `{name}` by the quoted full name of the plugin's own table. */
function fullNames(slug: string, sql: string): string {
  return sql.replace(/\{([a-z][a-z0-9_]*)\}/g, (_place, name: string) => `\`${tableName(slug, name)}\``);
}
