import { Injectable } from '@nestjs/common';

import { AppError, Clock, errorMessage, loggerFor, type Words } from '../../common/index.js';
import { Job, JobRuns, type JobTurn } from '../../jobs/index.js';
import type { SiteMove } from '../entities/index.js';
import { SiteBackupRecords, SiteBackupRemoval } from '../site-backups/index.js';

import { MoveError } from './move-errors.js';
import { MoveRecords } from './move-records.js';
import { MoveSites } from './move-sites.js';

const log = loggerFor('hosting');
const JOB = 'moved-sites';
/** Time limit for the removal of one site, and how much longer its claim lasts. */
const LIMIT_MS = 10 * 60_000;
const MARGIN_MS = 60_000;
/** Maximum backups of one site removed at a time. */
const BATCH = 200;

/** Removes old sites from the servers they were moved away from, after their retention or manually. */
@Injectable()
export class OldSites {
  constructor(
    private readonly records: MoveRecords,
    private readonly sites: MoveSites,
    private readonly backups: SiteBackupRecords,
    private readonly removal: SiteBackupRemoval,
    private readonly runs: JobRuns,
    private readonly clock: Clock,
  ) {}

  /**
   * May run in several processes at the same time: each site is removed by one. The retention must have ended a day ago, so that a wrong
   * clock removes nothing before anyone could notice.
   *
   * @returns number of sites removed by this process
   */
  @Job({ name: JOB, everyMinutes: 30, timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    const now = this.clock.now();
    const witnessed = (await this.runs.witnessed(`core:${JOB}`, now)) ?? new Date(0);
    let count = 0;
    for (const row of await this.records.due(witnessed, now)) {
      turn?.signal.throwIfAborted();
      if (await this.remove(row)) count += 1;
    }
    return count;
  }

  /** Removes the old site of a move immediately. @returns whether it is removed; false: the job retries @throws MoveError NOT_KEPT */
  async now(row: SiteMove): Promise<boolean> {
    if (row.state !== 'kept' && row.state !== 'clearing') throw new MoveError('NOT_KEPT');
    return this.remove(row);
  }

  private async remove(row: SiteMove): Promise<boolean> {
    if (!(await this.records.claimClearing(row.id, LIMIT_MS + MARGIN_MS))) return false;
    try {
      await this.removeBackups(row);
      const bound = await this.sites.remains(row, row.fromCode, row.fromId);
      if (bound) await this.sites.destroy(bound, LIMIT_MS);
    } catch (error) {
      const words: Words = error instanceof AppError ? error.told : new MoveError('FAILED').told;
      log.warn({ reason: errorMessage(error), move: row.id }, 'the old site of a move could not be removed yet');
      await this.records.releaseClearing(row.id, words);
      return false;
    }
    await this.records.cleared(row.id);
    return true;
  }

  /** Removes the backups on that server's disk together with the site. */
  private async removeBackups({ hostId, fromCode }: SiteMove): Promise<void> {
    const rows = await this.backups.onDisk(hostId, fromCode, BATCH);
    await this.removal.each(rows);
  }
}
