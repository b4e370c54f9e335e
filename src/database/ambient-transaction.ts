import { AsyncLocalStorage } from 'node:async_hooks';

import type { QueryRunner } from 'typeorm';

/** The transaction of the current async context. */
export interface AmbientTransaction {
  readonly runner: QueryRunner;
  /** False after commit or rollback: unawaited work started inside must not use the transaction any more. */
  active: boolean;
  /** Callbacks run in order after the commit; dropped on a rollback. */
  readonly afterCommit: (() => void)[];
}

const storage = new AsyncLocalStorage<AmbientTransaction>();

/** Returns the open transaction of the current async context on `dataSource`, if any. */
export function ambientTransaction(dataSource: object): AmbientTransaction | undefined {
  const transaction = storage.getStore();
  return transaction?.active && transaction.runner.dataSource === dataSource ? transaction : undefined;
}

/** Runs `work` inside `transaction`. */
export function runInTransaction<T>(transaction: AmbientTransaction, work: () => T): T {
  return storage.run(transaction, work);
}

/**
 * Wraps the runner of an open transaction for code that expects to own it: everything runs in that transaction, but `release` does nothing,
 * because the transaction's owner ends it.
 */
export function joinedRunner(runner: QueryRunner): QueryRunner {
  let manager: unknown = runner.manager;
  return new Proxy(runner, {
    get(target, property) {
      if (property === 'release') return () => Promise.resolve();
      if (property === 'manager') return manager;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set(target, property, value) {
      if (property === 'manager') {
        manager = value;
        return true;
      }
      return Reflect.set(target, property, value, target);
    },
  });
}
