import type { DataSource } from 'typeorm';

import { currentOwner, loggerFor } from '../common/index.js';

import { runInTransaction, type AmbientTransaction } from './ambient-transaction.js';
import { isRetryable, MAX_ATTEMPTS } from './mysql-retry.js';
import { GatedSqliteQueryRunner } from './sqlite-handles.js';

const log = loggerFor('database');

/** Duration after which an open transaction is logged, in milliseconds. */
const LONG_TRANSACTION_MS = 5_000;

/** Options of a transaction. */
export interface TransactionOptions {
  /**
   * On SQLite: whether the commit is flushed to disk when it returns (a server decides by its own settings). A transaction that joins
   * another one has that one's durability.
   */
  readonly durable?: boolean;
}

/** Starts transactions and ends them with a commit and its callbacks, or a rollback. */
export class TransactionRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction; repeats it after a deadlock.
   *
   * @param counts whether to commit, by the result
   */
  async run<T>(work: () => Promise<T>, options: TransactionOptions, counts: (result: T) => boolean = () => true): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runOnce(work, options, counts);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  private async runOnce<T>(work: () => Promise<T>, { durable = false }: TransactionOptions, counts: (result: T) => boolean): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    if (runner instanceof GatedSqliteQueryRunner) runner.durable = durable;
    const transaction: AmbientTransaction = { runner, active: true, afterCommit: [] };
    const owner = currentOwner();
    const watchdog = setTimeout(() => {
      log.warn({ owner, seconds: LONG_TRANSACTION_MS / 1_000 }, 'a long transaction blocks all other writers');
    }, LONG_TRANSACTION_MS).unref();
    try {
      await runner.startTransaction(runner instanceof GatedSqliteQueryRunner ? undefined : 'READ COMMITTED');
      const result = await runInTransaction(transaction, work);
      transaction.active = false;
      if (!counts(result)) {
        await runner.rollbackTransaction();
        return result;
      }
      await runner.commitTransaction();
      for (const callback of transaction.afterCommit) {
        try {
          callback();
        } catch (error) {
          log.error({ err: error }, 'a callback after a commit failed');
        }
      }
      return result;
    } catch (error) {
      transaction.active = false;
      if (runner.isTransactionActive) {
        await runner.rollbackTransaction().catch((rollbackError: unknown) => {
          log.error({ err: rollbackError }, 'rollback failed');
        });
      }
      throw error;
    } finally {
      clearTimeout(watchdog);
      await runner.release();
    }
  }
}
