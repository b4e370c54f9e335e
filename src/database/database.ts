import type { DataSource, EntityTarget, ObjectLiteral, Repository } from 'typeorm';

import { executionContext, noteChange, type ChangedSubject, type ChangedValues } from '../common/index.js';

import { ambientTransaction, type AmbientTransaction } from './ambient-transaction.js';
import { sqlParams, type SqlValue } from './driver-values.js';
import type { Engine } from './engine.js';
import { EntityRows } from './entity-rows.js';
import type { MysqlPool } from './mysql-runner.js';
import type { SqliteHandles } from './sqlite-handles.js';
import { isBusy, meaningOf, onceFree } from './sqlite-busy.js';
import { Statement, resolveNames, type WriteOutcome } from './statement.js';
import type { SlowQueries } from './slow-queries.js';
import type { TableWriteCounter } from './table-write-counter.js';
import { TransactionRunner, type TransactionOptions } from './transaction-runner.js';

const MAX_RESOLVED = 2_000;

/**
 * The one way to the database. Repositories, the query builder and {@link Statement}s all join the transaction of the code
 * that uses them; outside one, a write is safe by itself on both engines (see {@link SqliteHandles}).
 */
export class Database {
  private readonly resolved = new Map<string, string>();
  private readonly transactions: TransactionRunner;

  constructor(
    readonly dataSource: DataSource,
    /** What this process wrote to which table. */
    readonly writes: TableWriteCounter,
    private readonly sqlite: SqliteHandles | null,
    private readonly mysql: MysqlPool | null,
    /** Queries that took long in this process. */
    readonly slow: SlowQueries,
  ) {
    this.transactions = new TransactionRunner(dataSource);
  }

  get engine(): Engine {
    return this.sqlite ? 'sqlite' : 'mysql';
  }

  /** The repository of an entity: joins the open transaction by itself. */
  repository<Entity extends ObjectLiteral>(target: EntityTarget<Entity>): Repository<Entity> {
    return this.dataSource.getRepository(target);
  }

  /** Prepares a statement written with entity names; see {@link Statement}. */
  statement<Row = Record<string, unknown>>(text: string): Statement<Row> {
    return new Statement<Row>(this, text);
  }

  /** Reads rows of statements as entities; see {@link EntityRows}. */
  entityRows<Entity extends ObjectLiteral, Property extends keyof Entity = keyof Entity>(
    target: EntityTarget<Entity>,
    properties?: readonly Property[],
  ): EntityRows<Entity, Property> {
    return new EntityRows(this.dataSource, target, properties);
  }

  /** `text` of a {@link Statement} with its names resolved; kept, because lists put theirs together on every request. */
  resolve(text: string): string {
    let sql = this.resolved.get(text);
    if (sql === undefined) {
      sql = resolveNames(this.dataSource, text);
      // More than there are forms of statements: full only if somebody wrote values into one, and then it must not grow.
      if (this.resolved.size >= MAX_RESOLVED) this.resolved.clear();
      this.resolved.set(text, sql);
    }
    return sql;
  }

  /** Whether no two rows of an entity may have the same value of a property. @throws Error for an unknown entity */
  isUnique(entity: string, property: string): boolean {
    const { indices, uniques } = this.dataSource.getMetadata(entity);
    const unique = [...uniques, ...indices.filter((index) => index.isUnique)];
    return unique.some(({ columns: [first, ...others] }) => first?.propertyName === property && others.length === 0);
  }

  /** Whether the present code runs inside a transaction. */
  get inTransaction(): boolean {
    return ambientTransaction(this.dataSource) !== undefined;
  }

  /**
   * Runs `work` in one transaction: all of it commits, or nothing does. Inside an open one it joins that. Await nothing
   * but the database in there: on SQLite every other writer waits. On MySQL a deadlock runs `work` again from the start,
   * so it must not change anything but the database.
   */
  async transaction<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (ambientTransaction(this.dataSource)) return work();
    return this.transactions.run(work, options);
  }

  /**
   * Runs `work` in one transaction that counts only if it answers true: what it wrote is undone where it answers false, because something
   * was not as expected, or throws. For what is decided by several conditional updates. See {@link transaction} for the rest.
   *
   * @returns what `work` answered
   * @throws Error inside another transaction, which cannot be undone in part
   */
  async transactionIf(work: () => Promise<boolean>, options: TransactionOptions = {}): Promise<boolean> {
    if (ambientTransaction(this.dataSource)) throw new Error('A transaction that may be undone cannot be part of another one.');
    return this.transactions.run(work, options, (counts) => counts);
  }

  /**
   * Keeps every other process from changing a row until the open transaction ends; what is read of it from now on is what it is. On SQLite
   * an open transaction is the only writer as it is.
   *
   * @param entity name of the row's entity
   * @throws Error outside a transaction
   */
  async lockRow(entity: string, property: string, value: SqlValue): Promise<void> {
    if (!this.inTransaction) throw new Error('A row can only be held inside a transaction.');
    if (this.sqlite) return;
    await this.query(this.resolve(`SELECT 1 AS held FROM {${entity}} WHERE {${entity}.${property}} = ? FOR UPDATE`), [value]);
  }

  /** Runs `work` once the open transaction has committed, never if it rolls back; at once outside of one. */
  afterCommit(work: () => void): void {
    const ambient = ambientTransaction(this.dataSource);
    if (ambient) ambient.afterCommit.push(work);
    else work();
  }

  /**
   * Notes what became of a thing, for the line that the operation under way leaves in the operation log; outside of one it does
   * nothing, and where the open transaction rolls back neither. Say what was read of it where nobody else could change it: in this
   * transaction, or under the same claim.
   *
   * @param before what it was; null where it is new
   * @param after what it is, or only the fields that were written; null where it is gone
   *
   * @example
   * ```ts
   * await this.rows.update({ id }, given);
   * this.database.noteChange({ of: 'server', id }, present, given);
   * ```
   */
  noteChange(subject: ChangedSubject, before: ChangedValues | null, after: ChangedValues | null): void {
    const call = executionContext.getStore()?.call;
    if (call) this.afterCommit(() => noteChange(call, subject, before, after));
  }

  /** Rows of a `SELECT`; inside a transaction it sees what that has written. */
  async query<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    const ambient = ambientTransaction(this.dataSource);
    if (this.sqlite) return this.read(this.sqlite, sql, ambient, (handle) => handle.prepare(sql).all(...sqlParams(params)) as Row[]);
    return this.mysql!.query<Row[]>(ambient?.runner, sql, sqlParams(params));
  }

  /** {@link query} of a `SELECT` that names its columns: reading many rows takes a quarter less. */
  async rows<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    if (!this.sqlite) return this.query(sql, params);
    const ambient = ambientTransaction(this.dataSource);
    return this.read(this.sqlite, sql, ambient, (handle) => handle.rows(sql).all(sqlParams(params)) as Row[]);
  }

  /** The first row of a `SELECT`, if there is one: what follows it is not read on SQLite. */
  async first<Row = Record<string, unknown>>(sql: string, params: readonly SqlValue[] = []): Promise<Row | undefined> {
    const ambient = ambientTransaction(this.dataSource);
    if (this.sqlite)
      return this.read(this.sqlite, sql, ambient, (handle) => handle.prepare(sql).get(...sqlParams(params)) as Row | undefined);
    return (await this.mysql!.query<Row[]>(ambient?.runner, sql, sqlParams(params)))[0];
  }

  /** Runs one write. */
  async run(sql: string, params: readonly SqlValue[] = []): Promise<WriteOutcome> {
    const ambient = ambientTransaction(this.dataSource);
    if (!this.sqlite) {
      const result = await this.mysql!.query<{ affectedRows?: number; insertId?: number }>(ambient?.runner, sql, sqlParams(params));
      this.writes.wrote(sql, ambient?.runner ?? null);
      return { affected: result.affectedRows ?? 0, insertId: result.insertId ?? 0 };
    }
    if (ambient) return this.runOnWriter(sql, params, ambient);
    const since = performance.now();
    if (!this.sqlite.gate.tryAcquire()) await this.sqlite.gate.acquire();
    try {
      const outcome = unlessBusy(() => this.runOnWriter(sql, params, undefined), since);
      // Over before the gate is given on; no turn of the loop is spent where it is over already.
      return outcome instanceof Promise ? await outcome : outcome;
    } finally {
      this.sqlite.gate.release();
    }
  }

  /** `INSERT` that leaves an existing row alone: the verb of the engine; `affected` is 0 for a duplicate. */
  get insertIgnore(): string {
    return this.sqlite ? 'INSERT OR IGNORE INTO' : 'INSERT IGNORE INTO';
  }

  /** The clause that turns an insert into an update of the row with the same key columns. */
  onConflict(...columns: string[]): string {
    return this.sqlite ? `ON CONFLICT(${columns.map((column) => `\`${column}\``).join(', ')}) DO UPDATE SET` : 'ON DUPLICATE KEY UPDATE';
  }

  private runOnWriter(sql: string, params: readonly SqlValue[], ambient: AmbientTransaction | undefined): WriteOutcome {
    const result = this.timed(sql, () => this.sqlite!.writer.prepare(sql).run(...sqlParams(params)));
    this.writes.wrote(sql, ambient?.runner ?? null);
    return { affected: result.changes, insertId: Number(result.lastInsertRowid) };
  }

  private read<T>(
    sqlite: SqliteHandles,
    sql: string,
    ambient: AmbientTransaction | undefined,
    work: (handle: ReturnType<typeof handleOf>) => T,
  ): T | Promise<T> {
    return unlessBusy(() => this.timed(sql, () => work(handleOf(sqlite, ambient))));
  }

  private timed<T>(sql: string, work: () => T): T {
    const began = performance.now();
    const result = work();
    this.slow.ended(sql, began);
    return result;
  }
}

/** Runs a statement, and if another process holds a lock, as soon as that lets it. */
function unlessBusy<T>(work: () => T, since?: number): T | Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw meaningOf(error);
    return onceFree(work, since ?? performance.now());
  }
}

/** The statements of the writer for code inside a transaction, of the reader for everybody else. */
function handleOf(sqlite: SqliteHandles, ambient: AmbientTransaction | undefined): SqliteHandles['reader'] {
  return ambient ? sqlite.writer : sqlite.reader;
}
