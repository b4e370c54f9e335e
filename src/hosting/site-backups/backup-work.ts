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

/** Name of the background task that makes backups of sites and puts them back. */
export const SITE_BACKUP_TASK = 'site-backup';
/** Somebody waits for what he asked for; the schedule does not. */
const PRIORITY = { person: 10, schedule: 50 };

/** Payload of the task of a backup. */
export interface SiteBackupOrder {
  /** Id of the backup. */
  readonly backup: number;
}

/** Orders backups of sites to be made and put back: done in the background, one thing at a time for each site. */
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
   * Has a backup made soon.
   *
   * @param by who wants it, see {@link SiteBackup.by}
   * @throws SiteBackupError NOT_OFFERED, LIMIT, BUSY, NO_BUCKET; HostingError PORT_MISSING
   */
  async make(site: OpenSite, kind: Exclude<SiteBackupKind, 'safety'>, by: string): Promise<SiteBackup> {
    site.port('backups');
    const { account } = site;
    const { place } = this.rules;
    if (place === 's3' && this.storage.shown === null) throw new SiteBackupError('NO_BUCKET');
    return this.database.transaction(async () => {
      const row = await this.records.begin(account, { kind, place, by }, true);
      await this.rules.requirePlace(account, kind);
      await this.order(row, kind === 'scheduled' ? PRIORITY.schedule : PRIORITY.person, by);
      return row;
    });
  }

  /**
   * Has a backup put back soon.
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

  /** Stops what is being done with the backups of a host. @throws SiteBackupError NOTHING_RUNS */
  async stop(hostId: number): Promise<SiteBackup> {
    const row = await this.records.underWay(hostId);
    if (!row?.taskId || !(await this.queue.cancel(row.taskId))) throw new SiteBackupError('NOTHING_RUNS');
    // One that runs ends by itself; of one that waited nobody else would tell.
    if ((await this.queue.find(row.taskId))?.state === 'cancelled') {
      await this.records.failed(row, new SiteBackupError('CANCELLED').told);
      // What an attempt before had made and sent.
      if (row.state === 'making') await this.removal.leftOver(row);
    }
    return row;
  }

  /** Takes a backup away. @returns whether it is gone; false: soon @throws SiteBackupError MISSING, BUSY */
  async remove(hostId: number, id: number): Promise<{ row: SiteBackup; gone: boolean }> {
    const row = await this.records.find(hostId, id);
    if (!(await this.database.transaction(() => this.records.beginRemoval(id)))) throw new SiteBackupError('BUSY');
    return { row, gone: await this.removal.tryTo(row) };
  }

  /** How far the work on one is, in percent; null where nothing is known. */
  progress(row: SiteBackup): Promise<number | null> {
    return workProgress(this.queue, row);
  }

  private async order(row: SiteBackup, priority: number, by: string): Promise<void> {
    const taskId = await this.queue.add(SITE_BACKUP_TASK, { backup: row.id } satisfies SiteBackupOrder, { priority, by });
    await this.records.assign(row.id, taskId);
  }
}
