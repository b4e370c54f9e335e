import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import type { SiteBackup, SiteBackupKind } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { workProgress } from '../work-progress.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';
import { SiteBackupRules } from './backup-rules.js';
import { SiteBackupStorage } from './backup-storage.js';

/** Name of the background task that makes and restores backups of sites. */
export const SITE_BACKUP_TASK = 'site-backup';
/** Manual requests come before scheduled ones, because a person is waiting. */
const PRIORITY = { person: 10, schedule: 50 };

/** Payload of the task of a backup. */
export interface SiteBackupOrder {
  /** Id of the backup. */
  readonly backup: number;
}

/** Queues backups and restores of sites as background tasks, one at a time per site. */
@Injectable()
export class SiteBackupWork {
  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly storage: SiteBackupStorage,
    private readonly removal: SiteBackupRemoval,
  ) {}

  /**
   * Queues a backup.
   *
   * @param by the requester, see {@link SiteBackup.by}
   * @throws SiteBackupError NOT_OFFERED, LIMIT, BUSY, NO_BUCKET; HostingError PORT_MISSING
   */
  async make(site: OpenSite, kind: Exclude<SiteBackupKind, 'safety'>, by: string): Promise<SiteBackup> {
    site.port('backups');
    const { account } = site;
    const { place } = this.rules;
    if (place === 's3' && this.storage.shown === null) throw new SiteBackupError('NO_BUCKET');
    return this.database.transaction(async () => {
      const row = await this.records.begin(account, { kind, place, by }, true);
      await this.rules.requireSlot(account, kind);
      await this.order(row, kind === 'scheduled' ? PRIORITY.schedule : PRIORITY.person, by);
      return row;
    });
  }

  /**
   * Queues the restore of a backup.
   *
   * @throws SiteBackupError MISSING, BUSY, UNFINISHED, OVER_SPACE; HostingError PORT_MISSING
   */
  async restore(site: OpenSite, id: number, by: string): Promise<SiteBackup> {
    site.port('backups');
    const { account } = site;
    this.rules.requireSpace(account, await this.records.find(account.id, id));
    return this.database.transaction(async () => {
      const row = await this.records.beginRestore(account.id, id);
      await this.order(row, PRIORITY.person, by);
      return row;
    });
  }

  /** Cancels the running operation on a host's backups. @throws SiteBackupError NOTHING_RUNS */
  async stop(hostId: number): Promise<SiteBackup> {
    const row = await this.records.underWay(hostId);
    if (!row?.taskId || !(await this.queue.cancel(row.taskId))) throw new SiteBackupError('NOTHING_RUNS');
    // A running task handles its own cancellation; a waiting one never runs, so its row is updated here.
    if ((await this.queue.find(row.taskId))?.state === 'cancelled') {
      await this.records.failed(row, new SiteBackupError('CANCELLED').told);
      // An earlier attempt may have created or sent an archive.
      if (row.state === 'making') await this.removal.leftOver(row);
    }
    return row;
  }

  /** Removes a backup. @returns whether it is gone; false: the job retries @throws SiteBackupError MISSING, BUSY */
  async remove(hostId: number, id: number): Promise<{ row: SiteBackup; gone: boolean }> {
    const row = await this.records.find(hostId, id);
    if (!(await this.database.transaction(() => this.records.beginRemoval(id)))) throw new SiteBackupError('BUSY');
    return { row, gone: await this.removal.tryTo(row) };
  }

  /** Returns the progress of the work on a backup, in percent; null if unknown. */
  progress(row: SiteBackup): Promise<number | null> {
    return workProgress(this.queue, row);
  }

  private async order(row: SiteBackup, priority: number, by: string): Promise<void> {
    const taskId = await this.queue.add(SITE_BACKUP_TASK, { backup: row.id } satisfies SiteBackupOrder, { priority, by });
    await this.records.assign(row.id, taskId);
  }
}
