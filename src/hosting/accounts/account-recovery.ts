import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { loggerFor } from '../../common/index.js';

import { AccountChanges } from './account-changes.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore, CLAIM_MS } from './account-store.js';

const log = loggerFor('hosting');
const BATCH = 100;

/**
 * Completes accounts that a crash or an uncertain outcome left unfinished: at start, then once per claim duration. Jobs run only once a
 * minute, too slow for a waiting customer.
 */
@Injectable()
export class AccountRecovery implements BeforeApplicationShutdown {
  private isStarted = false;
  private running: Promise<number> | null = null;

  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly reconciler: AccountReconciler,
  ) {}

  /** Checks now, and periodically from now on. */
  start(): void {
    this.isStarted = true;
    this.check();
  }

  @Cron(`*/${CLAIM_MS / 1000} * * * * *`)
  check(): void {
    if (!this.isStarted) return;
    this.recoverUnfinished().catch((error: unknown) => log.error({ err: error }, 'unfinished accounts could not be checked'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStarted = false;
    await this.running?.catch(() => undefined);
  }

  /**
   * Recovers accounts whose claim expired: completes creations and deletions, and resets interrupted changes to the values of the row.
   * Several processes may run it at the same time.
   *
   * @returns how many were recovered; the next run retries the others
   */
  recoverUnfinished(): Promise<number> {
    this.running ??= this.sweep().finally(() => (this.running = null));
    return this.running;
  }

  private async sweep(): Promise<number> {
    let recovered = 0;
    for (const id of await this.store.stale(BATCH)) {
      try {
        await this.changes.run(id, async (claim) => {
          if (claim.interrupted) await this.reconciler.reconcile(claim);
        });
        recovered += 1;
      } catch (error) {
        log.warn({ err: error, account: id }, 'an unfinished account could not be recovered yet');
      }
    }
    return recovered;
  }
}
