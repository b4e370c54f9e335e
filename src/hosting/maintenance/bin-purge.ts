import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { AccountDrivers, driverError, KeptSites } from '../accounts/index.js';
import { succeeded } from '../driver/index.js';
import type { BinnedSite } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountSweep } from './account-sweep.js';

const JOB = 'recycle-bin';
const BATCH = 100;
/** Time limits for removing one site: by the job, and in a request, which may not wait as long. */
const JOB_LIMIT_MS = 10 * 60_000;
const REQUEST_LIMIT_MS = 20_000;
/** How much longer than the work a claim lasts. */
const MARGIN_MS = 60_000;

/**
 * Permanently removes deleted sites: after their retention, or manually. The row is marked first, so that nobody restores a half-removed
 * site; then the files are removed, then the row. The next run resumes an interrupted removal.
 */
@Injectable()
export class BinPurge {
  constructor(
    private readonly kept: KeptSites,
    private readonly drivers: AccountDrivers,
    private readonly database: Database,
  ) {}

  /** May run in several processes at the same time: each site is removed by one. @returns number of sites removed by this process */
  @Job({ name: JOB, everyMinutes: 30, timeoutMinutes: 120 })
  async run(turn?: JobTurn): Promise<number> {
    const sweep = new AccountSweep(JOB);
    let done = 0;
    for (let last = 0; ;) {
      const rows = await this.kept.due(`core:${JOB}`, BATCH, last);
      for (const row of rows) {
        turn?.signal.throwIfAborted();
        await sweep.each([row], async () => void (await this.destroy(row, JOB_LIMIT_MS, () => (done += 1))));
      }
      if (rows.length < BATCH) return done;
      last = rows.at(-1)!.id;
    }
  }

  /**
   * Removes a site immediately, before the end of its retention.
   *
   * @returns `later` if the server has not finished: the job continues
   * @throws HostingError BIN_GONE, BIN_BUSY while it is being deleted, restored or removed; errors of the server
   */
  async now(id: number): Promise<'done' | 'later'> {
    const row = await this.kept.find(id);
    if (!row) throw new HostingError('BIN_GONE');
    let done = false;
    if (!(await this.destroy(row, REQUEST_LIMIT_MS, () => (done = true)))) throw new HostingError('BIN_BUSY');
    return done ? 'done' : 'later';
  }

  /** Removes the kept site of a permanently deleted account; if that fails now, the job retries. */
  async ofHost(siteName: string): Promise<void> {
    const row = await this.kept.ofSite(siteName);
    if (row?.state === 'kept') await new AccountSweep(JOB).each([row], async () => void (await this.now(row.id)));
  }

  /** @returns false if another process is removing it, or it no longer exists */
  private async destroy(row: BinnedSite, limitMs: number, then: () => void): Promise<boolean> {
    const bound = await this.drivers.ofKept(row);
    if (!(await this.kept.claimPurge(row.id, limitMs + MARGIN_MS))) return false;
    const result = await bound.purge(limitMs);
    if (succeeded(result) || result.outcome === 'not_found') {
      await this.database.transaction(async () => {
        await this.kept.purged(row);
        this.database.noteChange({ of: 'kept-site', id: row.id, only: ['username', 'nodeCode', 'siteName'] }, row, null);
      });
      then();
      return true;
    }
    await this.kept.releasePurge(row.id);
    if (result.outcome === 'unknown') return true;
    throw driverError(result);
  }
}
