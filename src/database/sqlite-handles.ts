import Sqlite from 'better-sqlite3';
import { QueryFailedError, QueryResult, type DataSource, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';

import { ambientTransaction, joinedRunner } from './ambient-transaction.js';
import type { SlowQueries } from './slow-queries.js';
import { onceFree } from './sqlite-busy.js';
import { WriteGate } from './write-gate.js';
import { countWrites, type TableWriteCounter } from './table-write-counter.js';

const STATEMENT_CACHE_SIZE = 1_000;

/** Prepared statements of one handle, oldest forgotten first. */
class StatementCache {
  private readonly statements = new Map<string, Sqlite.Statement>();
  private readonly readers = new Map<string, RowReader>();

  /** @param before is called each time a statement is about to run */
  constructor(
    private readonly handle: () => Sqlite.Database,
    private readonly before: () => void,
  ) {}

  prepare(sql: string): Sqlite.Statement {
    this.before();
    return kept(this.statements, sql, () => this.handle().prepare(sql));
  }

  /** For a `SELECT` whose columns stay what they are while the process runs. */
  rows(sql: string): RowReader {
    this.before();
    return kept(this.readers, sql, () => new RowReader(this.handle().prepare(sql)));
  }
}

function kept<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    values.set(key, (value = make()));
    if (values.size > STATEMENT_CACHE_SIZE) values.delete(values.keys().next().value!);
  }
  return value;
}

type RowMaker = (values: readonly unknown[]) => Record<string, unknown>;

/** Reads values as plain arrays and makes the rows here: the driver takes half as long again to set each property of a row itself. */
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
 * Makes rows with these properties. Written out and compiled: one loop that sets whatever names it is given takes ten times as long, as
 * long as reading a third of the values does (mysql2 does the same). The names are of our own statements, and quoted.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const properties = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
  return new Function('values', `return { ${properties.join(', ')} }`) as RowMaker;
}

/**
 * One read transaction for all reads of a turn of the event loop: taking and giving back SQLite's locks is four fifths of a short read.
 * Whatever this process writes ends it, so that what is read afterwards sees it; what another process writes is seen a turn later.
 */
class TurnSnapshot {
  private static readonly open = new Set<TurnSnapshot>();
  private readonly statements = new Map<string, Sqlite.Statement<[]>>();
  private endsByItself = false;

  constructor(private readonly handle: () => Sqlite.Database) {}

  /** Ends those of every handle: one process may have several on a file. */
  static endAll(): void {
    for (const snapshot of TurnSnapshot.open) snapshot.end();
  }

  begin(): void {
    if (TurnSnapshot.open.has(this)) return;
    this.run('BEGIN');
    TurnSnapshot.open.add(this);
    if (this.endsByItself) return;
    this.endsByItself = true;
    setImmediate(() => {
      this.endsByItself = false;
      this.end();
    });
  }

  end(): void {
    if (TurnSnapshot.open.delete(this)) this.run('COMMIT');
  }

  private run(sql: string): void {
    kept(this.statements, sql, () => this.handle().prepare<[]>(sql)).run();
  }
}

/** The writer behind its gate and the reader beside it: everything that touches one SQLite file goes through here. */
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

  /** Whether commits reach the disk before they return. Only by whoever holds the gate, and not inside a transaction. */
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
 * A query runner of its own for every caller, all over one writer handle behind the gate: a transaction holds the gate
 * until it ends, a plain write for one statement, and a plain read uses the reader.
 */
export class GatedSqliteQueryRunner extends BetterSqlite3QueryRunner {
  /** Set before {@link startTransaction}: the commit is on the disk when it returns. */
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
      this.leave();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    const outermost = this.transactionDepth === 1;
    await super.commitTransaction();
    // A COMMIT that throws leaves the transaction open: the caller rolls back, and that releases the gate.
    if (outermost) this.leave();
  }

  override async rollbackTransaction(): Promise<void> {
    const outermost = this.transactionDepth === 1;
    try {
      await super.rollbackTransaction();
    } finally {
      if (outermost) this.leave();
    }
  }

  private leave(): void {
    if (this.durable) this.handles.setDurable(false);
    this.handles.gate.release();
  }

  override async query(query: string, parameters: unknown[] = [], useStructuredResult = false): Promise<never> {
    // The writer is taken at BEGIN: with a deferred one another process could write between our first read and write.
    const sql = query === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : query;
    const since = performance.now();
    const runOn = (cache: StatementCache): Promise<never> =>
      onceFree(() => this.execute(cache, sql, parameters, useStructuredResult), since);
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
      // TypeORM types a query's result as whatever the caller expects; `never` is the one type that fits them all.
      return (structured ? result : result.raw) as never;
    } catch (error) {
      throw new QueryFailedError(sql, values, error as Error);
    }
  }
}

function isPlainRead(query: string): boolean {
  return /^\s*select\b/i.test(query);
}

/** Makes every query runner of `dataSource` a gated one, joining the open transaction of the code that asks for it. */
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
    // From here on every statement waits by itself: see onceFree.
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
 * Runs `work` while foreign keys are off. SQLite changes a table by making it anew, and with them on, dropping the old one
 * deletes what refers to its rows. TypeORM switches them off before the transaction when it migrates, but within it, where that
 * has no effect, when it reverts.
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
