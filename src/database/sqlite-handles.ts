import Sqlite from 'better-sqlite3';
import { QueryFailedError, QueryResult, type DataSource, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';

import { ambientTransaction, joinedRunner } from './ambient-transaction.js';
import type { SlowQueries } from './slow-queries.js';
import { retryWhileBusy } from './sqlite-busy.js';
import { WriteGate } from './write-gate.js';
import { countWrites, type TableWriteCounter } from './table-write-counter.js';

const STATEMENT_CACHE_SIZE = 1_000;

/** Prepared statements of one handle, evicted in insertion order. */
class StatementCache {
  private readonly statements = new Map<string, Sqlite.Statement>();
  private readonly readers = new Map<string, RowReader>();

  /** @param before called before each statement */
  constructor(
    private readonly handle: () => Sqlite.Database,
    private readonly before: () => void,
  ) {}

  prepare(sql: string): Sqlite.Statement {
    this.before();
    return cached(this.statements, sql, () => this.handle().prepare(sql));
  }

  /** For a `SELECT` whose columns do not change while the process runs. */
  rows(sql: string): RowReader {
    this.before();
    return cached(this.readers, sql, () => new RowReader(this.handle().prepare(sql)));
  }
}

function cached<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    values.set(key, (value = make()));
    if (values.size > STATEMENT_CACHE_SIZE) values.delete(values.keys().next().value!);
  }
  return value;
}

type RowMaker = (values: readonly unknown[]) => Record<string, unknown>;

/**
 * Reads values as plain arrays and builds row objects in JavaScript: half again faster than the driver, which sets each property natively.
 */
class RowReader {
  private readonly statement: Sqlite.Statement<unknown[], unknown[]>;
  private readonly rowOf: RowMaker;

  constructor(statement: Sqlite.Statement) {
    this.rowOf = rowMaker(statement.columns().map(({ name }) => name));
    this.statement = statement.raw() as unknown as Sqlite.Statement<unknown[], unknown[]>;
  }

  all(params: readonly unknown[]): Record<string, unknown>[] {
    return this.statement.all(...params).map(this.rowOf);
  }
}

/**
 * Compiles a function that builds rows with these properties. A loop over the names takes ten times as long, a third of the time of reading
 * the values (mysql2 does the same). The names come from our own statements and are quoted.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function('values', `return { ${properties.join(', ')} }`) as RowMaker;
}

/**
 * One read transaction for all reads within an event loop tick: acquiring and releasing SQLite's locks takes four fifths of a short read.
 * Ended by any write of this process, so that later reads see it; writes of other processes become visible in the next tick.
 */
class TurnSnapshot {
  private static readonly open = new Set<TurnSnapshot>();
  private readonly statements = new Map<string, Sqlite.Statement<[]>>();
  private isEndScheduled = false;

  constructor(private readonly handle: () => Sqlite.Database) {}

  /** Ends the snapshots of all handles: a process may have several on one file. */
  static endAll(): void {
    for (const snapshot of TurnSnapshot.open) snapshot.end();
  }

  begin(): void {
    if (TurnSnapshot.open.has(this)) return;
    this.run('BEGIN');
    TurnSnapshot.open.add(this);
    if (this.isEndScheduled) return;
    this.isEndScheduled = true;
    setImmediate(() => {
      this.isEndScheduled = false;
      this.end();
    });
  }

  end(): void {
    if (TurnSnapshot.open.delete(this)) this.run('COMMIT');
  }

  private run(sql: string): void {
    cached(this.statements, sql, () => this.handle().prepare<[]>(sql)).run();
  }
}

/** The writer handle with its gate, and the reader handle: all access to an SQLite file goes through them. */
export class SqliteHandles {
  readonly gate = new WriteGate();
  readonly writer: StatementCache;
  readonly reader: StatementCache;
  private readonly snapshot = new TurnSnapshot(() => this.openReader());
  private readerHandle: Sqlite.Database | null = null;

  constructor(private readonly driver: BetterSqlite3Driver) {
    this.writer = new StatementCache(
      () => driver.databaseConnection as unknown as Sqlite.Database,
      () => TurnSnapshot.endAll(),
    );
    this.reader = new StatementCache(
      () => this.openReader(),
      () => this.snapshot.begin(),
    );
  }

  /** Sets whether commits are flushed to disk. Call only while holding the gate and outside a transaction. */
  setDurable(durable: boolean): void {
    (this.driver.databaseConnection as unknown as Sqlite.Database).pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
  }

  close(): void {
    this.snapshot.end();
    this.readerHandle?.close();
    this.readerHandle = null;
  }

  /** Read-only in WAL mode: never waits for a writer and never sees an open transaction. */
  private openReader(): Sqlite.Database {
    this.readerHandle ??= new Sqlite(String(this.driver.options.database), { readonly: true, timeout: 0 });
    return this.readerHandle;
  }
}

/**
 * Query runner per caller on the shared writer handle: a transaction holds the gate until it ends, a single write for one statement; plain
 * reads use the reader.
 */
export class GatedSqliteQueryRunner extends BetterSqlite3QueryRunner {
  /** Set before {@link startTransaction}: the commit is flushed to disk when it returns. */
  durable = false;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly handles: SqliteHandles,
    private readonly slow: SlowQueries,
  ) {
    super(driver);
  }

  override async startTransaction(): Promise<void> {
    if (this.transactionDepth > 0) return super.startTransaction();
    await this.handles.gate.acquire();
    try {
      if (this.durable) this.handles.setDurable(true);
      await super.startTransaction();
    } catch (error) {
      this.isTransactionActive = false;
      this.releaseGate();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    const outermost = this.transactionDepth === 1;
    await super.commitTransaction();
    // If COMMIT throws, the transaction stays open: the caller rolls back, which releases the gate.
    if (outermost) this.releaseGate();
  }

  override async rollbackTransaction(): Promise<void> {
    const outermost = this.transactionDepth === 1;
    try {
      await super.rollbackTransaction();
    } finally {
      if (outermost) this.releaseGate();
    }
  }

  private releaseGate(): void {
    if (this.durable) this.handles.setDurable(false);
    this.handles.gate.release();
  }

  override async query(query: string, parameters: unknown[] = [], useStructuredResult = false): Promise<never> {
    // Acquires the write lock at BEGIN: with a deferred one, another process could write between our first read and write.
    const sql = query === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : query;
    const since = performance.now();
    const runOn = (cache: StatementCache): Promise<never> =>
      retryWhileBusy(() => this.execute(cache, sql, parameters, useStructuredResult), since);
    if (this.isTransactionActive) return runOn(this.handles.writer);
    if (isPlainRead(sql)) return runOn(this.handles.reader);
    await this.handles.gate.acquire();
    try {
      return await runOn(this.handles.writer);
    } finally {
      this.handles.gate.release();
    }
  }

  private execute(cache: StatementCache, sql: string, parameters: unknown[], structured: boolean): never {
    const values = parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    const began = performance.now();
    try {
      const statement = cache.prepare(sql);
      const result = new QueryResult();
      if (statement.reader) {
        result.records = statement.all(...values);
        result.raw = result.records;
      } else {
        const outcome = statement.run(...values);
        result.affected = outcome.changes;
        result.raw = outcome.lastInsertRowid;
      }
      this.slow.ended(sql, began);
      // TypeORM types the result as whatever the caller expects; only `never` fits.
      return (structured ? result : result.raw) as never;
    } catch (error) {
      throw new QueryFailedError(sql, values, error as Error);
    }
  }
}

function isPlainRead(query: string): boolean {
  return /^\s*select\b/i.test(query);
}

/** Replaces query runners of `dataSource` with gated ones that join the open transaction of the calling code. */
export function gateSqlite(dataSource: DataSource, writes: TableWriteCounter, slow: SlowQueries): SqliteHandles {
  const driver = dataSource.driver as BetterSqlite3Driver;
  const handles = new SqliteHandles(driver);
  driver.createQueryRunner = (): QueryRunner => {
    const ambient = ambientTransaction(dataSource);
    return ambient ? joinedRunner(ambient.runner) : countWrites(new GatedSqliteQueryRunner(driver, handles, slow), writes);
  };
  const connect = driver.connect.bind(driver);
  driver.connect = async () => {
    await connect();
    // From here on statements wait in JavaScript: see retryWhileBusy.
    (driver.databaseConnection as unknown as Sqlite.Database).pragma('busy_timeout = 0');
  };
  const undo = dataSource.undoLastMigration.bind(dataSource);
  dataSource.undoLastMigration = (options) => withoutForeignKeys(driver, handles, () => undo(options));
  const disconnect = driver.disconnect.bind(driver);
  driver.disconnect = async () => {
    handles.close();
    await disconnect();
  };
  return handles;
}

/**
 * Runs `work` with foreign keys disabled. SQLite alters a table by recreating it; with foreign keys enabled, dropping the old table deletes
 * referencing rows. TypeORM disables them before the transaction when it migrates, but only inside it, where that has no effect, when it
 * reverts.
 */
async function withoutForeignKeys<T>(driver: BetterSqlite3Driver, handles: SqliteHandles, work: () => Promise<T>): Promise<T> {
  const set = async (value: 'ON' | 'OFF'): Promise<void> => {
    await handles.gate.acquire();
    try {
      (driver.databaseConnection as unknown as Sqlite.Database).pragma(`foreign_keys = ${value}`);
    } finally {
      handles.gate.release();
    }
  };
  await set('OFF');
  try {
    return await work();
  } finally {
    await set('ON');
  }
}
