import type { DataSource, QueryRunner } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';

import { ambientTransaction, joinedRunner } from './ambient-transaction.js';
import { watchRunner, type WriteWatch } from './write-watch.js';

type QueryCallback = (error: Error | null, result: unknown) => void;
interface MysqlConnection {
  query(sql: string, params: readonly unknown[], callback: QueryCallback): void;
}

/** Statements on the pool, or on the connection of an open transaction, without TypeORM's layers in between. */
export class MysqlPool {
  constructor(private readonly driver: MysqlDriver) {}

  /** Runs one statement; rejects with the driver's error. */
  async query<T>(runner: QueryRunner | undefined, sql: string, params: readonly unknown[]): Promise<T> {
    const connection = (runner ? await runner.connect() : this.driver.pool) as MysqlConnection;
    return new Promise<T>((resolve, reject) => {
      connection.query(sql, params, (error, result) => (error ? reject(error) : resolve(result as T)));
    });
  }
}

/** Makes the query runners of `dataSource` join the open transaction of the code that asks for one. */
export function joinMysqlTransactions(dataSource: DataSource, writes: WriteWatch): MysqlPool {
  const driver = dataSource.driver as MysqlDriver;
  const create = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const ambient = ambientTransaction(dataSource);
    return (ambient ? joinedRunner(ambient.runner) : watchRunner(create(mode), writes)) as ReturnType<typeof create>;
  };
  return new MysqlPool(driver);
}
