import { setTimeout as rest } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, JobRuns, type JobTurn } from '../../jobs/index.js';
import { DriverRegistry } from '../driver/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { AccountSpace } from './account-space.js';
import { fileError } from './file-errors.js';

const log = loggerFor('hosting');
/** Days entries stay in the trash. */
export const TRASH_DAYS = 30;
/** Days an interrupted upload can be resumed. */
export const UPLOAD_DAYS = 3;
const JOB = 'site-files';
const BATCH = 50;

/**
 * Removes expired trash, uploads and unfinished work of all sites. Uses the time of a run about a day ago instead of the current one, so
 * that a wrong clock removes nothing before anyone could notice. Processes only servers with the files port, and pauses after every batch
 * for as long as it took, because there may be a hundred thousand sites and requests must not suffer.
 */
@Injectable()
export class FileMaintenance {
  private readonly nodes;
  private readonly next;

  constructor(
    database: Database,
    private readonly drivers: DriverRegistry,
    private readonly sites: SiteAccess,
    private readonly space: AccountSpace,
    private readonly clock: Clock,
    private readonly runs: JobRuns,
  ) {
    this.nodes = database.statement<{ code: string; driver: string }>(
      'SELECT {HostingNode.code} AS code, {HostingNode.driver} AS driver FROM {HostingNode} ORDER BY {HostingNode.id}',
    );
    this.next = database.statement<{ id: number }>(
      `SELECT {HostingAccount.id} AS id FROM {HostingAccount} WHERE {HostingAccount.nodeCode} = ? AND {HostingAccount.id} > ?
       ORDER BY {HostingAccount.id} LIMIT ${BATCH}`,
    );
  }

  /** @returns number of sites processed */
  @Job({ name: JOB, dailyAt: '03:50', timeoutMinutes: 120 })
  async run({ signal }: JobTurn): Promise<number> {
    const at = await this.runs.witnessed(`core:${JOB}`, this.clock.now());
    if (at === null) return 0;
    let count = 0;
    for (const { code, driver } of await this.nodes.all()) {
      if (this.drivers.find(driver)?.files) count += await this.clearOf(code, at.getTime(), signal);
    }
    return count;
  }

  /** Cleans the sites of a server. @returns number of sites */
  private async clearOf(nodeCode: string, now: number, signal: AbortSignal): Promise<number> {
    let count = 0;
    for (let last = 0; ;) {
      const began = performance.now();
      const rows = await this.next.all(nodeCode, last);
      for (const { id } of rows) {
        signal.throwIfAborted();
        // A failure of one site does not stop the others.
        await this.clear(id, now, signal).then(
          () => (count += 1),
          (error: unknown) => log.warn({ err: error, account: id }, 'expired files of a site could not be removed'),
        );
        last = id;
      }
      if (rows.length < BATCH) return count;
      await rest(performance.now() - began, undefined, { signal });
    }
  }

  private async clear(id: number, now: number, signal: AbortSignal): Promise<void> {
    const site = await this.sites.ofHost(id).catch(() => null);
    if (!site?.has('files')) return;
    const space = this.space.of(id);
    const turn = { id: 'care', signal, progress: () => undefined };
    await site.ask(
      'files',
      (files, account) => files.purge(account, { before: now - TRASH_DAYS * DAY_MS }, space, turn),
      fileError,
      signal,
    );
    await site.ask('files', (files, account) => files.tidy(account, now - UPLOAD_DAYS * DAY_MS, space, signal), fileError, signal);
  }
}
