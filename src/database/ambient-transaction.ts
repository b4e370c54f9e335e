import { AsyncLocalStorage } from 'node:async_hooks';

import type { QueryRunner } from 'typeorm';

/** The transaction the present code runs in. */
export interface AmbientTransaction {
  readonly runner: QueryRunner;
  /** False once it was committed or rolled back: work that was started inside and not awaited must not use it. */
  active: boolean;
  /** Run in order after the commit; dropped by a rollback. */
  readonly afterCommit: (() => void)[];
}

const storage = new AsyncLocalStorage<AmbientTransaction>();

/** The open transaction of the present code on `dataSource`, if any. */
export function ambientTransaction(dataSource: object): AmbientTransaction | undefined {
  const transaction = storage.getStore();
  return transaction?.active && transaction.runner.dataSource === dataSource ? transaction : undefined;
}

/** Runs `work` inside `transaction`. */
export function runInTransaction<T>(transaction: AmbientTransaction, work: () => T): T {
  return storage.run(transaction, work);
}

/**
 * The runner of an open transaction, handed to somebody who believes it is his own: everything works on the transaction,
 * but releasing it does nothing, because the transaction is not his to end.
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
