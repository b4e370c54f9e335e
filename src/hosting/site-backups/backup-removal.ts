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
/** How long the removal of a server waits for the archives on it, in milliseconds. */
const SERVER_MS = 15_000;

/** Removes backups: the archive first, then the row. Failures are retried by the job. */
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

  /** Removes several backups that no task works on. */
  async each(rows: readonly SiteBackup[]): Promise<void> {
    for (const row of rows) {
      if (await this.database.transaction(() => this.records.beginRemoval(row.id))) await this.tryTo(row);
    }
  }

  /** Removes the archive and row of a backup marked for removal. @returns whether it is gone */
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

  /** Removes the remains of a failed backup. */
  async leftOver(row: SiteBackup): Promise<void> {
    await this.archiveOf(row).catch((error: unknown) =>
      log.warn({ err: error, backup: row.name }, 'the remains of a failed backup could not be removed'),
    );
  }

  /** Removes backups of permanently removed sites, and retries failed removals. @returns number of backups removed */
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
   * Removes the archives of ownerless backups from the disk of one server, while it answers.
   *
   * @returns number of archives left there
   */
  async fromServer(code: string): Promise<number> {
    await this.disown();
    const rows = await this.records.removingOn(code);
    const limit = AbortSignal.timeout(SERVER_MS);
    for (const [index, row] of rows.entries()) if (limit.aborted || !(await this.tryTo(row))) return rows.length - index;
    return 0;
  }

  /** Marks the backups of permanently removed sites for removal. */
  private async disown(signal?: AbortSignal): Promise<void> {
    for (let last = 0, ids = await this.records.ownerless(last); ids.length > 0; ids = await this.records.ownerless(last)) {
      signal?.throwIfAborted();
      for (const id of ids) await this.records.markOwnerless(id);
      last = ids.at(-1)!;
    }
  }

  private async archiveOf(row: SiteBackup): Promise<void> {
    if (row.place === 's3') await this.storage.remove(row.name);
    // An unfinished backup for the storage may have left parts both there and on its server.
    if (row.place === 's3' && row.size === 0) await this.storage.removeParts(row.name);
    if (row.place === 'disk' || row.size === 0) await this.onServer(row);
  }

  private async onServer({ hostId, nodeCode, siteName, name }: SiteBackup): Promise<void> {
    const bound = await this.drivers.ofKept({ hostId, nodeCode, siteName, username: '', siteId: '' }).catch((error: unknown) => {
      // Archives on the disk of a removed server are lost.
      if (error instanceof HostingError && error.code === 'NODE_NOT_FOUND') return null;
      throw error;
    });
    const backups = bound?.driver.backups;
    if (!bound || !backups) return;
    const result = await callDriver((deadline) => backups.remove(bound.account, name, deadline));
    if (!succeeded(result) && result.outcome !== 'not_found') throw driverError(result);
  }
}
