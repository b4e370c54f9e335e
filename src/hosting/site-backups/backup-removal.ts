import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { AccountDrivers, driverError } from '../accounts/index.js';
import { callDriver, succeeded } from '../driver/index.js';
import type { SiteBackup } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { ServerLeftovers } from '../nodes/index.js';

import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupStorage } from './backup-storage.js';

const log = loggerFor('hosting');
/** How long who takes a server out of the panel waits for it, in milliseconds. */
const SERVER_MS = 15_000;

/** Takes backups away: the archive first, then the row. What does not work now is left to the job. */
@Injectable()
export class SiteBackupRemoval {
  constructor(
    private readonly database: Database,
    private readonly records: SiteBackupRecords,
    private readonly drivers: AccountDrivers,
    private readonly storage: SiteBackupStorage,
    leftovers: ServerLeftovers,
  ) {
    leftovers.add(({ code }) => this.fromServer(code));
  }

  /** Takes several away that nobody works on. */
  async each(rows: readonly SiteBackup[]): Promise<void> {
    for (const row of rows) {
      if (await this.database.transaction(() => this.records.beginRemoval(row.id))) await this.tryTo(row);
    }
  }

  /** Takes one away whose row says so already. @returns whether it is gone */
  async tryTo(row: SiteBackup): Promise<boolean> {
    try {
      await this.archiveOf(row);
    } catch (error) {
      log.warn({ err: error, backup: row.name }, 'the archive of a backup could not be removed yet');
      return false;
    }
    await this.records.removed(row.id);
    return true;
  }

  /** Clears away what one left that came to nothing. */
  async leftOver(row: SiteBackup): Promise<void> {
    await this.archiveOf(row).catch((error: unknown) =>
      log.warn({ err: error, backup: row.name }, 'what a backup left could not be removed'),
    );
  }

  /** Backups of sites that are gone for good, and those that could not be taken away at once. @returns how many were taken away */
  @Job({ name: 'site-backups-gone', everyMinutes: 10, timeoutMinutes: 120 })
  async clear(turn?: JobTurn): Promise<number> {
    await this.disown(turn?.signal);
    let count = 0;
    for (let last = 0, rows = await this.records.removing(last); rows.length > 0; rows = await this.records.removing(last)) {
      for (const row of rows) {
        turn?.signal.throwIfAborted();
        if (await this.tryTo(row)) count += 1;
      }
      last = rows.at(-1)!.id;
    }
    return count;
  }

  /**
   * Takes away what backups nobody owns any more have on the disk of one server, while it answers.
   *
   * @returns how many archives stay there
   */
  async fromServer(code: string): Promise<number> {
    await this.disown();
    const rows = await this.records.removingOn(code);
    const limit = AbortSignal.timeout(SERVER_MS);
    for (const [index, row] of rows.entries()) if (limit.aborted || !(await this.tryTo(row))) return rows.length - index;
    return 0;
  }

  /** Backups of sites that are gone for good begin to go. */
  private async disown(signal?: AbortSignal): Promise<void> {
    for (let last = 0, ids = await this.records.ownerless(last); ids.length > 0; ids = await this.records.ownerless(last)) {
      signal?.throwIfAborted();
      for (const id of ids) await this.records.disown(id);
      last = ids.at(-1)!;
    }
  }

  private async archiveOf(row: SiteBackup): Promise<void> {
    if (row.place === 's3') await this.storage.remove(row.name);
    // One for the storage that was never finished may have left something there and on its server.
    if (row.place === 's3' && row.size === 0) await this.storage.removeParts(row.name);
    if (row.place === 'disk' || row.size === 0) await this.onServer(row);
  }

  private async onServer({ hostId, nodeCode, siteName, name }: SiteBackup): Promise<void> {
    const bound = await this.drivers.ofKept({ hostId, nodeCode, siteName, username: '', siteId: '' }).catch((error: unknown) => {
      // A server that was taken out of the panel took its disk along.
      if (error instanceof HostingError && error.code === 'NODE_NOT_FOUND') return null;
      throw error;
    });
    const backups = bound?.driver.backups;
    if (!bound || !backups) return;
    const result = await callDriver((deadline) => backups.remove(bound.account, name, deadline));
    if (!succeeded(result) && result.outcome !== 'not_found') throw driverError(result);
  }
}
