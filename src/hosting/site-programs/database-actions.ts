import { Injectable } from '@nestjs/common';

import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import type { DriverTurn } from '../driver/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { DatabaseBackups } from './database-backups.js';
import { ActionQueue, type QueuedAction, driverTurn, type ActionState } from './action-queue.js';

/** Name of the background task of database actions. */
export const DATABASE_TASK = 'site-database';

/** Possibly long-running work on a database. */
export type DatabaseAction =
  | { readonly kind: 'backup' | 'clear' }
  | { readonly kind: 'restore'; readonly backup: string }
  | { readonly kind: 'run' | 'save'; readonly path: string };

/**
 * Runs backups, restores and SQL of databases as background tasks, one at a time per site. Interrupted work is not retried automatically,
 * because running the same SQL twice may do harm.
 */
@Injectable()
export class DatabaseActions {
  private readonly actions: ActionQueue<DatabaseAction, true>;

  constructor(
    queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly backups: DatabaseBackups,
  ) {
    this.actions = new ActionQueue(queue, DATABASE_TASK);
  }

  /** @see ActionQueue.start */
  start(accountId: number, action: DatabaseAction, by: string): Promise<{ id: string; now: ActionState<true> }> {
    return this.actions.start(accountId, String(accountId), action, by);
  }

  /** @see ActionQueue.stateOf */
  stateOf(accountId: number, id: string): Promise<ActionState<true>> {
    return this.actions.stateOf(accountId, id);
  }

  @BackgroundTask({ name: DATABASE_TASK, attempts: 1, timeoutMinutes: 120, concurrency: 4 })
  run(payload: unknown, turn: TaskTurn): Promise<unknown> {
    const { account, deed: action } = payload as QueuedAction<DatabaseAction>;
    return this.actions.perform(turn, async () => {
      await this.execute(await this.sites.ofHost(account), action, driverTurn(turn));
      return true;
    });
  }

  private async execute(site: OpenSite, action: DatabaseAction, turn: DriverTurn): Promise<void> {
    switch (action.kind) {
      case 'backup':
        return this.backups.make(site, turn);
      case 'clear':
        return this.backups.clear(site, turn);
      case 'restore':
        return this.backups.restore(site, action.backup, turn);
      case 'run':
        return this.backups.run(site, action.path, turn);
      case 'save':
        return this.backups.save(site, action.path, turn);
    }
  }
}
