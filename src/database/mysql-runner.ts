import type { DataSource, QueryRunner } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';

import { ambientTransaction, joinedRunner } from './ambient-transaction.js';
import { retried } from './mysql-retry.js';
import { countWrites, type TableWriteCounter } from './table-write-counter.js';

type QueryCallback = (error: Error | null, result: unknown) => void;
interface MysqlConnection {
  query(sql: string, params: readonly unknown[], callback: QueryCallback): void;
}

/** Statements on the pool, or on the connection of an open transaction, without TypeORM's layers in between. */
export class MysqlPool {
  constructor(private readonly driver: MysqlDriver) {}

  /** Runs one statement; rejects with the driver's error. In a transaction, a deadlock has undone all of that: its owner tries again. */
  async query<T>(runner: QueryRunner | undefined, sql: string, params: readonly unknown[]): Promise<T> {
    if (runner) return this.send<T>((await runner.connect()) as MysqlConnection, sql, params);
    return retried(() => this.send<T>(this.driver.pool as MysqlConnection, sql, params));
  }

  private send<T>(connection: MysqlConnection, sql: string, params: readonly unknown[]): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      connection.query(sql, params, (error, result) => (error ? reject(error) : resolve(result as T)));
    });
  }
}

/** Makes the query runners of `dataSource` join the open transaction of the code that asks for one. */
export function joinMysqlTransactions(dataSource: DataSource, writes: TableWriteCounter): MysqlPool {
  const driver = dataSource.driver as MysqlDriver;
  const create = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const ambient = ambientTransaction(dataSource);
    return (ambient ? joinedRunner(ambient.runner) : countWrites(retryStatements(create(mode)), writes)) as ReturnType<typeof create>;
  };
  return new MysqlPool(driver);
}

/** TypeORM's own statements outside a transaction are tried again like ours. */
function retryStatements<Runner extends QueryRunner>(runner: Runner): Runner {
  const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<never>;
  runner.query = (sql: string, ...rest: unknown[]) =>
    runner.isTransactionActive ? query(sql, ...rest) : retried(() => query(sql, ...rest));
  return runner;
}
