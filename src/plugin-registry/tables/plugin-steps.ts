import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsNull, Not, type QueryRunner } from 'typeorm';

import { Clock, loggerFor } from '../../common/index.js';
import { Database, withNamedLock } from '../../database/index.js';
import type { MigrationStep } from '../../sdk/index.js';

import { PluginMigration, type StepChange } from '../entities/index.js';
import { PluginError } from '../errors.js';

import { StepSchema, hasIndex } from './step-schema.js';
import { TableSchema } from './table-schema.js';

const log = loggerFor('plugins');
/** Row that lists the copies of a plugin's tables: no step id starts like this. */
const COPIES = '~copies';

/**
 * Runs migration steps of plugins, each once and atomically.
 *
 * A step runs in one transaction with its row. SQLite rolls all of it back. MySQL commits at each schema change, so the row records what
 * was started, and an unfinished step is undone: when it fails, or at the next start after a crash. Data is written after schema changes,
 * so it is rolled back with the transaction on both.
 */
@Injectable()
export class PluginSteps {
  private readonly running = new AsyncLocalStorage<StepSchema>();
  /** Steps declared by plugins of this process, by slug and id; needed to undo them in a rollback. */
  private readonly named = new Map<string, Map<string, MigrationStep>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** See `PluginDatabase.migrate`. */
  async migrate(slug: string, steps: readonly MigrationStep[]): Promise<void> {
    const ids = steps.map((step) => step.id);
    for (const id of ids)
      if (!/^[\w.-]{1,120}$/.test(id))
        throw new Error(`A migration step needs an id of 1 to 120 letters, digits, _ . -, not ${JSON.stringify(id)}.`);
    if (new Set(ids).size !== ids.length) throw new Error('Two migration steps have the same id.');
    const named = this.named.get(slug) ?? new Map<string, MigrationStep>();
    this.named.set(slug, named);
    for (const step of steps) named.set(step.id, step);
    await withNamedLock(this.database, `plugin_${slug}`, async () => {
      await this.recover(slug, steps);
      const applied = await this.rows.find({ where: { slug }, take: 10_000 });
      const known = new Set(applied.map((row) => row.step));
      const pending = steps.filter((step) => !known.has(step.id)).sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const step of pending) await this.apply(slug, step);
    });
  }

  /** Runs a statement of a plugin, as part of the running step if any. */
  statement<T>(sql: string, work: () => Promise<T>): Promise<T> {
    const schema = this.running.getStore();
    return schema ? schema.statement(sql, work) : work();
  }

  /** Rejects repositories within a step, since their writes could not be undone. @throws PluginError STEP_REPOSITORY inside a step */
  requireNone(): void {
    this.running.getStore()?.refuseRepositories();
  }

  /** Returns the ids of applied steps in order. */
  async applied(slug: string): Promise<string[]> {
    const rows = await this.rows.find({ where: { slug, state: 'done' }, order: { id: 'ASC' }, take: 10_000 });
    return rows.map(({ step }) => step).filter((step) => step !== COPIES);
  }

  /**
   * Undoes steps, latest first, after copying the plugin's tables. Stops at a step without `down`, or one not declared in this process,
   * whose schema stays.
   *
   * @param keep ids of steps that stay
   * @returns the number of undone steps
   */
  back(slug: string, keep: ReadonlySet<string>): Promise<number> {
    return withNamedLock(this.database, `plugin_${slug}`, async () => {
      const applied = await this.rows.find({ where: { slug, state: 'done' }, order: { id: 'DESC' }, take: 10_000 });
      const undoable: [PluginMigration, MigrationStep][] = [];
      for (const row of applied.filter(({ step }) => step !== COPIES && !keep.has(step))) {
        const step = this.named.get(slug)?.get(row.step);
        if (!step?.down) break;
        undoable.push([row, step]);
      }
      if (undoable.length === 0) return 0;
      const runner = this.database.dataSource.createQueryRunner();
      try {
        await this.copyTables(slug, runner);
        for (const [row, step] of undoable) {
          await step.down!(new TableSchema(slug, runner));
          await this.rows.delete(row.id);
        }
      } finally {
        await runner.release();
      }
      return undoable.length;
    });
  }

  /** Forgets the steps declared by a plugin. */
  forget(slug: string): void {
    this.named.delete(slug);
  }

  /** Copies all tables of a plugin, replacing earlier copies; they are removed with its tables on uninstall. */
  private async copyTables(slug: string, runner: QueryRunner): Promise<void> {
    const rows = await this.rows.find({ where: { slug }, take: 10_000 });
    const old = rows.find(({ step }) => step === COPIES);
    for (const copy of old?.tables ?? []) await runner.dropTable(copy, true);
    if (old) await this.rows.delete(old.id);
    const tables = new Set(rows.filter((row) => row !== old).flatMap((row) => row.tables));
    const copies = new Map([...tables].map((table) => [table, `SVC_plc_${createHash('sha256').update(table).digest('hex').slice(0, 40)}`]));
    await this.rows.insert({
      slug,
      step: COPIES,
      tables: [...copies.values()],
      appliedAt: this.clock.now(),
      state: 'done',
      changes: null,
    });
    for (const [table, copy] of copies)
      if (await runner.hasTable(table)) await runner.query(`CREATE TABLE \`${copy}\` AS SELECT * FROM \`${table}\``);
  }

  private get rows() {
    return this.database.repository(PluginMigration);
  }

  /** Undoes or completes steps interrupted by a crash. */
  private async recover(slug: string, steps: readonly MigrationStep[]): Promise<void> {
    const left = await this.rows.find({ where: { slug, changes: Not(IsNull()) }, order: { id: 'DESC' }, take: 10_000 });
    for (const row of left) {
      if (row.state === 'done') await this.dropTables(row);
      else
        await this.undo(
          row,
          steps.find(({ id }) => id === row.step),
        );
    }
  }

  private async apply(slug: string, step: MigrationStep): Promise<void> {
    const row = this.rows.create({ slug, step: step.id, tables: [], appliedAt: this.clock.now(), state: 'begun', changes: [] });
    let failure: { error: unknown } | null = null;
    try {
      await this.database.transaction(async () => {
        try {
          await this.runStep(row, step);
        } catch (error) {
          failure = { error };
          // Wrapped: a step must be undone before it is retried, so a deadlock must not trigger the transaction's own retry.
          throw new Error(`The migration step "${step.id}" failed.`, { cause: error });
        }
      });
    } catch (error) {
      await this.undoFailed(slug, step);
      throw failure ? (failure as { error: unknown }).error : error;
    }
    await this.dropTables(row);
  }

  private async runStep(row: PluginMigration, step: MigrationStep): Promise<void> {
    await this.rows.insert(row);
    const schema = new StepSchema(row.slug, step, this.database.dataSource.createQueryRunner(), async (changes) => {
      row.changes = [...changes];
      row.tables = changes.flatMap((change) => (change.kind === 'table' ? [change.table] : []));
      await this.rows.update(row.id, { changes: row.changes, tables: row.tables });
    });
    try {
      await this.running.run(schema, () => step.up(schema));
    } finally {
      schema.end();
    }
    const drops = schema.changes.filter(({ kind }) => kind === 'drop');
    row.state = 'done';
    row.changes = drops.length > 0 ? drops : null;
    await this.rows.update(row.id, { state: row.state, changes: row.changes });
  }

  /** A step that cannot be undone now is undone before it runs again; the original error is the one to report. */
  private async undoFailed(slug: string, step: MigrationStep): Promise<void> {
    try {
      const left = await this.rows.findOneBy({ slug, step: step.id, state: 'begun' });
      if (left) await this.undo(left, step);
    } catch (error) {
      log.error({ err: error, plugin: slug, step: step.id }, 'undoing a failed migration step failed');
    }
  }

  /** @param step undefined if the plugin no longer, or not yet, declares it */
  private async undo(row: PluginMigration, step: MigrationStep | undefined): Promise<void> {
    const changes = row.changes ?? [];
    const byStatement = changes.some(({ kind }) => kind === 'sql');
    if (byStatement && !step) {
      log.warn(
        { plugin: row.slug, step: row.step },
        'an unfinished migration step can be undone only by the plugin version that contains it',
      );
      return;
    }
    const runner = this.database.dataSource.createQueryRunner();
    try {
      if (byStatement) {
        if (!step?.down) throw new PluginError('STEP_WITHOUT_DOWN', { step: row.step, statement: '' });
        await step.down(new TableSchema(row.slug, runner));
      }
      for (const change of changes.toReversed()) await undoChange(runner, change);
    } finally {
      await runner.release();
    }
    await this.rows.delete(row.id);
  }

  /** Drops the tables that a finished step removes: dropping is irreversible, so it happens last. */
  private async dropTables(row: PluginMigration): Promise<void> {
    if (row.changes === null) return;
    const runner = this.database.dataSource.createQueryRunner();
    try {
      for (const change of row.changes) if (change.kind === 'drop') await runner.dropTable(change.table, true);
    } finally {
      await runner.release();
    }
    await this.rows.update(row.id, { changes: null });
  }
}

/** Undoes a change, whether or not it was completed. */
async function undoChange(runner: QueryRunner, change: StepChange): Promise<void> {
  if (change.kind === 'table') await runner.dropTable(change.table, true);
  if (change.kind === 'index' && (await hasIndex(runner, change.table, change.index))) await runner.dropIndex(change.table, change.index);
  if (change.kind !== 'column' || !(await runner.hasTable(change.table)) || !(await runner.hasColumn(change.table, change.column))) return;
  await runner.dropColumn(change.table, change.column);
}
