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
/** How long the job gives the destruction of one site; a person is not kept waiting that long. */
const JOB_LIMIT_MS = 10 * 60_000;
const HAND_LIMIT_MS = 20_000;
/** What a claim lasts beyond the work. */
const MARGIN_MS = 60_000;

/**
 * Destroys deleted sites: when their time is over, or by hand. The row says first that it is being done, so that nobody restores half a
 * site; the files go, then the row. Whatever is cut short goes on with the next run.
 */
@Injectable()
export class BinPurge {
  constructor(
    private readonly kept: KeptSites,
    private readonly drivers: AccountDrivers,
    private readonly database: Database,
  ) {}

  /** Any number of processes may run it at once: each site is destroyed by one. @returns how many were destroyed here */
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
   * Destroys one now, whenever its time is over.
   *
   * @returns `later` where the server has not come to the end of it: the job goes on
   * @throws HostingError BIN_GONE, BIN_BUSY while it is being deleted, restored or destroyed; what the server refuses
   */
  async now(id: number): Promise<'done' | 'later'> {
    const row = await this.kept.find(id);
    if (!row) throw new HostingError('BIN_GONE');
    let done = false;
    if (!(await this.destroy(row, HAND_LIMIT_MS, () => (done = true)))) throw new HostingError('BIN_BUSY');
    return done ? 'done' : 'later';
  }

  /** Destroys what is kept of an account that was deleted for good; what does not work now is left to the job. */
  async ofHost(siteName: string): Promise<void> {
    const row = await this.kept.ofSite(siteName);
    if (row?.state === 'kept') await new AccountSweep(JOB).each([row], async () => void (await this.now(row.id)));
  }

  /** @returns false where somebody else is at it, or it is not there any more */
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
