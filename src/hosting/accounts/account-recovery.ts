import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { loggerFor } from '../../common/index.js';

import { AccountChanges } from './account-changes.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore, CLAIM_MS } from './account-store.js';

const log = loggerFor('hosting');
const BATCH = 100;

/**
 * Finishes what a crash or an uncertain outcome left, at start and from then on, as often as a claim runs out: a buyer waits, and jobs run
 * once a minute.
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

  /** Looks now, and from now on. */
  start(): void {
    this.isStarted = true;
    this.lookAgain();
  }

  @Cron(`*/${CLAIM_MS / 1000} * * * * *`)
  lookAgain(): void {
    if (!this.isStarted) return;
    this.recoverUnfinished().catch((error: unknown) => log.error({ err: error }, 'unfinished accounts were not looked at'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStarted = false;
    await this.running?.catch(() => undefined);
  }

  /**
   * Recovers accounts whose claim ran out: creations and deletions come to their end, an interrupted change is made what
   * the row says. Any number of processes may run it at once.
   *
   * @returns how many were recovered; the rest is tried again by the next run
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
        log.warn({ err: error, account: id }, 'an unfinished account stays unfinished for now');
      }
    }
    return recovered;
  }
}
