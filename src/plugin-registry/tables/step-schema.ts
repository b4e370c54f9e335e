import type { QueryRunner } from 'typeorm';

import type { MigrationStep, PluginColumn, PluginIndex, PluginSchema, PluginTable } from '../../sdk/index.js';

import type { StepChange } from '../entities/index.js';
import { PluginError } from '../errors.js';

import { indexName, tableName } from './table-names.js';
import { TableSchema } from './table-schema.js';

/** Maximum length of a statement in an error, in characters. */
const MAX_SHOWN = 80;

/**
 * Schema operations of a step running in its transaction. Each schema change is recorded before it happens: MySQL commits the record
 * together with it, and SQLite rolls both back.
 */
export class StepSchema implements PluginSchema {
  /** In the order they started. */
  readonly changes: StepChange[] = [];
  /** First statement that changed rows of a table not created by this step. */
  private dataStatement: string | null = null;
  private over = false;
  private readonly schema: TableSchema;

  /**
   * @param runner that of the step's transaction
   * @param note stores the changes in the same transaction
   */
  constructor(
    private readonly slug: string,
    private readonly step: MigrationStep,
    private readonly runner: QueryRunner,
    private readonly note: (changes: readonly StepChange[]) => Promise<unknown>,
  ) {
    this.schema = new TableSchema(slug, runner);
  }

  async createTable(table: PluginTable): Promise<void> {
    const name = tableName(this.slug, table.name);
    if (this.changes.some((change) => change.kind === 'drop' && change.table === name)) {
      throw new Error(`The step "${this.step.id}" drops "${table.name}" at its end. Create the table again in a separate step.`);
    }
    // Undoing the step would drop a table it did not create.
    if (await this.runner.hasTable(name)) throw new Error(`The table "${name}" already exists.`);
    await this.change({ kind: 'table', table: name }, () => this.schema.createTable(table));
  }

  async addColumn(table: string, column: PluginColumn): Promise<void> {
    const name = tableName(this.slug, table);
    if (await this.runner.hasColumn(name, column.name)) throw new Error(`The table "${name}" already has a column "${column.name}".`);
    await this.change({ kind: 'column', table: name, column: column.name }, () => this.schema.addColumn(table, column));
  }

  async addIndex(table: string, index: PluginIndex): Promise<void> {
    const name = tableName(this.slug, table);
    const over = indexName(this.slug, table, index.columns);
    // Undoing the step would drop an index it did not create.
    if (await hasIndex(this.runner, name, over))
      throw new Error(`The table "${name}" already has an index on ${index.columns.join(', ')}.`);
    await this.change({ kind: 'index', table: name, index: over }, () => this.schema.addIndex(table, index));
  }

  async dropTable(table: string): Promise<void> {
    this.changes.push({ kind: 'drop', table: tableName(this.slug, table) });
    await this.note(this.changes);
  }

  /** @throws PluginError STEP_REPOSITORY while the step runs */
  refuseRepositories(): void {
    if (!this.over) throw new PluginError('STEP_REPOSITORY', { step: this.step.id });
  }

  /** Runs a statement of the plugin. @throws PluginError STEP_DATA_FIRST, STEP_WITHOUT_DOWN */
  async statement<T>(sql: string, work: () => Promise<T>): Promise<T> {
    if (this.over || READS.test(sql)) return work();
    if (CHANGES_TABLES.test(sql)) {
      if (!this.step.down) throw new PluginError('STEP_WITHOUT_DOWN', { step: this.step.id, statement: sql.slice(0, MAX_SHOWN) });
      return this.change({ kind: 'sql' }, work);
    }
    const written = /\{([a-z][a-z0-9_]*)\}/.exec(sql)?.[1];
    const isOwn =
      written !== undefined && this.changes.some((change) => change.kind === 'table' && change.table === tableName(this.slug, written));
    if (!isOwn) this.dataStatement ??= sql;
    return work();
  }

  /** Ends the step: statements still running no longer belong to it. */
  end(): void {
    this.over = true;
  }

  private async change<T>(change: StepChange, work: () => Promise<T>): Promise<T> {
    // A schema change would commit the rows on MySQL, and they could not be restored.
    if (this.dataStatement !== null)
      throw new PluginError('STEP_DATA_FIRST', { step: this.step.id, statement: this.dataStatement.slice(0, MAX_SHOWN) });
    this.changes.push(change);
    await this.note(this.changes);
    try {
      return await work();
    } finally {
      // On MySQL a schema change ends the transaction, successful or not: start another.
      if (this.runner.dataSource.options.type !== 'better-sqlite3') await this.runner.query('START TRANSACTION');
    }
  }
}

/** Whether a table exists and has an index of that name. */
export async function hasIndex(runner: QueryRunner, table: string, index: string): Promise<boolean> {
  return (await runner.getTable(table))?.indices.some(({ name }) => name === index) ?? false;
}

/** Matches statements by their first word, ignoring comments. */
const startingWith = (words: string): RegExp => new RegExp(String.raw`^(?:\s|/\*[\s\S]*?\*/|--[^\n]*\n|#[^\n]*\n|\()*(?:${words})\b`, 'i');
const READS = startingWith(String.raw`select|show|explain|describe|desc|pragma|values|with(?![\s\S]*\b(?:insert|update|delete|replace)\b)`);
const CHANGES_TABLES = startingWith('create|alter|drop|rename|truncate');
