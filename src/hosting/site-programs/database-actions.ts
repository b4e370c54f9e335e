import { Injectable } from '@nestjs/common';

import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import type { DeedTurn } from '../driver/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { DatabaseBackups } from './database-backups.js';
import { DeedOrders, type DeedPayload, deedTurn, type DeedState } from './deed-orders.js';

/** Name of the background task of it. */
export const DATABASE_TASK = 'site-database';

/** Work on a database that may take long. */
export type DatabaseDeed =
  | { readonly kind: 'backup' | 'clear' }
  | { readonly kind: 'restore'; readonly backup: string }
  | { readonly kind: 'run' | 'save'; readonly path: string };

/**
 * Backups of databases, what is put back and what is run: done in the background, one thing at a time for each site. What was cut short is
 * not begun anew by itself: SQL that was run in part may do harm a second time.
 */
@Injectable()
export class DatabaseActions {
  private readonly orders: DeedOrders<DatabaseDeed, true>;

  constructor(
    queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly backups: DatabaseBackups,
  ) {
    this.orders = new DeedOrders(queue, DATABASE_TASK);
  }

  /** @see DeedOrders.start */
  start(accountId: number, deed: DatabaseDeed, by: string): Promise<{ id: string; now: DeedState<true> }> {
    return this.orders.start(accountId, String(accountId), deed, by);
  }

  /** @see DeedOrders.stateOf */
  stateOf(accountId: number, id: string): Promise<DeedState<true>> {
    return this.orders.stateOf(accountId, id);
  }

  @BackgroundTask({ name: DATABASE_TASK, attempts: 1, timeoutMinutes: 120, concurrency: 4 })
  run(payload: unknown, turn: TaskTurn): Promise<unknown> {
    const { account, deed } = payload as DeedPayload<DatabaseDeed>;
    return this.orders.settle(turn, async () => {
      await this.execute(await this.sites.ofHost(account), deed, deedTurn(turn));
      return true;
    });
  }

  private async execute(site: OpenSite, deed: DatabaseDeed, turn: DeedTurn): Promise<void> {
    switch (deed.kind) {
      case 'backup':
        return this.backups.make(site, turn);
      case 'clear':
        return this.backups.clear(site, turn);
      case 'restore':
        return this.backups.restore(site, deed.backup, turn);
      case 'run':
        return this.backups.run(site, deed.path, turn);
      case 'save':
        return this.backups.save(site, deed.path, turn);
    }
  }
}
