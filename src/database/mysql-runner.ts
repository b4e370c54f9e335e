import type { DataSource, QueryRunner } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';

import { ambientTransaction, joinedRunner } from './ambient-transaction.js';
import { retried } from './mysql-retry.js';
import type { SlowQueries } from './slow-queries.js';
import { countWrites, type TableWriteCounter } from './table-write-counter.js';

type QueryCallback = (error: Error | null, result: unknown) => void;
interface MysqlConnection {
  query(sql: string, params: readonly unknown[], callback: QueryCallback): void;
}

/** Runs statements on the pool, or on the connection of an open transaction, without TypeORM's overhead. */
export class MysqlPool {
  constructor(
    private readonly driver: MysqlDriver,
    private readonly slow: SlowQueries,
  ) {}

  /**
   * Runs one statement; rejects with the driver's error. Inside a transaction a deadlock rolls back all of it, and the transaction's owner
   * retries.
   */
  async query<T>(runner: QueryRunner | undefined, sql: string, params: readonly unknown[]): Promise<T> {
    if (runner) return this.send<T>((await runner.connect()) as MysqlConnection, sql, params);
    return retried(() => this.send<T>(this.driver.pool as MysqlConnection, sql, params));
  }

  private async send<T>(connection: MysqlConnection, sql: string, params: readonly unknown[]): Promise<T> {
    const began = performance.now();
    try {
      return await new Promise<T>((resolve, reject) => {
        connection.query(sql, params, (error, result) => (error ? reject(error) : resolve(result as T)));
      });
    } finally {
      // Measured here, not in the driver's callback, which runs outside the caller's async context.
      this.slow.ended(sql, began);
    }
  }
}

/** Makes query runners of `dataSource` join the open transaction of the calling code. */
export function joinMysqlTransactions(dataSource: DataSource, writes: TableWriteCounter, slow: SlowQueries): MysqlPool {
  const driver = dataSource.driver as MysqlDriver;
  const create = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const ambient = ambientTransaction(dataSource);
    return (ambient ? joinedRunner(ambient.runner) : countWrites(retryStatements(create(mode), slow), writes)) as ReturnType<typeof create>;
  };
  return new MysqlPool(driver, slow);
}

/** TypeORM's own statements outside a transaction are also retried. */
function retryStatements<Runner extends QueryRunner>(runner: Runner, slow: SlowQueries): Runner {
  const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<never>;
  runner.query = async (sql: string, ...rest: unknown[]) => {
    const began = performance.now();
    const result = await (runner.isTransactionActive ? query(sql, ...rest) : retried(() => query(sql, ...rest)));
    slow.ended(sql, began);
    return result;
  };
  return runner;
}
