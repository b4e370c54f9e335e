import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { BackgroundTask, Job, type JobTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap } from '../accounts/index.js';
import { deletionStep } from '../expiry-plan.js';
import { HostingError } from '../hosting-errors.js';
import { AccountSweep } from '../maintenance/index.js';

import { type DeletionTally, ExpiryDeletionNotices } from './expiry-deletion-notices.js';
import { type EndingHost, ExpiryRepository, FIRST_EXPIRY } from './expiry-repository.js';
import { expiryRules } from './expiry-settings.js';
import { ExpiredHostDeletion } from './expired-host-deletion.js';

const BATCH = 200;

/** Name of the background task that runs the deletions immediately. */
export const EXPIRY_RUN_TASK = 'hosting.expiry-run';

/**
 * Deletes hosts that expired and were not renewed: their owners are notified at least three days ahead, then the hosts go to the recycle
 * bin of their server, within the limit of {@link DeletionCap}. Source: docs/panel-api.md "The end of hosts".
 */
@Injectable()
export class ExpiryDeletions {
  constructor(
    private readonly repository: ExpiryRepository,
    private readonly deletion: ExpiredHostDeletion,
    private readonly notices: ExpiryDeletionNotices,
    private readonly cap: DeletionCap,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Safe in several processes at once: each host is deleted by one of them. @returns how many hosts were checked without an error */
  @Job({ name: 'expiry-deletions', dailyAt: '11:00', timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    await this.repository.clear();
    const tally: DeletionTally = { deleted: [], held: 0 };
    const sweep = new AccountSweep('expiry-deletions');
    try {
      for (let last = FIRST_EXPIRY; ;) {
        const { keepDays } = expiryRules(this.site.current);
        const hosts = await this.repository.overBefore(this.clock.today(), keepDays, last, BATCH);
        for (const host of hosts) {
          turn?.signal.throwIfAborted();
          await sweep.each([host], () => this.process(host, tally));
        }
        if (hosts.length < BATCH) return sweep.count;
        last = hosts.at(-1)!;
      }
    } finally {
      await this.notices.report(tally);
    }
  }

  /** Runs immediately, after an administrator confirmed the deletions that were held back. */
  @BackgroundTask({ name: EXPIRY_RUN_TASK, attempts: 2, timeoutMinutes: 120 })
  runNow(_payload: unknown, turn: JobTurn): Promise<number> {
    return this.run(turn);
  }

  private async process(host: EndingHost, tally: DeletionTally): Promise<void> {
    const next = deletionStep(host, expiryRules(this.site.current), this.clock.today());
    if (next.step === 'tell') await this.notices.announce(host, next.day);
    if (next.step !== 'delete') return;
    if (!(await this.cap.hasRoom())) {
      tally.held += 1;
      return;
    }
    try {
      if (await this.deletion.delete(host.id)) tally.deleted.push(host.username);
    } catch (error) {
      if (!(error instanceof HostingError)) throw error;
      // A concurrent deletion used up the limit of the day.
      if (error.code === 'DELETIONS_HELD') tally.held += 1;
      // Already deleted by another process.
      else if (error.code !== 'ACCOUNT_NOT_FOUND') throw error;
    }
  }
}
