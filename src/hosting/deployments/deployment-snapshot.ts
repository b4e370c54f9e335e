import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import type { Deployment, SiteBackup, SiteBefore } from '../entities/index.js';
import { SiteBackupArchiver, SiteBackupError, SiteBackupRecords, SiteBackupRemoval, SiteBackupRules } from '../site-backups/index.js';
import { phpOf } from '../site-programs/index.js';
import { WebSettingRepository } from '../web-settings/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { DeploymentDatabase } from './deployment-database.js';
import type { ProgramPlan } from './program-plan.js';

/** Saves the state of a site before an installation: its files, its database if used, and its web settings. */
@Injectable()
export class DeploymentSnapshot {
  constructor(
    private readonly archiver: SiteBackupArchiver,
    private readonly records: SiteBackupRecords,
    private readonly removal: SiteBackupRemoval,
    private readonly rules: SiteBackupRules,
    private readonly databases: DeploymentDatabase,
    private readonly settings: WebSettingRepository,
  ) {}

  /**
   * Makes the backups, and protects the file backup from being restored or deleted meanwhile. A retry after a crash resumes the backup
   * already begun.
   *
   * @throws SiteBackupError BUSY, and the errors of the port; ProgramError SAFETY_PLACE
   */
  async make(site: OpenSite, row: Deployment, plan: ProgramPlan, turn: TaskTurn): Promise<{ backup: number; before: SiteBefore }> {
    const files = await this.files(site, row, turn);
    const database = await this.databases.keepSafe(site, plan, turn);
    const present = await this.settings.of(site.account.id);
    const php = site.has('php') ? (await phpOf(site)).current : '';
    return { backup: files.id, before: { runFolder: present.runFolder, rewrites: present.rewrites, php, ...database } };
  }

  /** Removes what a failed snapshot has begun. */
  async abandon({ hostId, taskId }: Deployment, words: Parameters<SiteBackupRecords['failed']>[1]): Promise<void> {
    const safety = taskId === null ? null : await this.records.safetyOf(hostId, taskId);
    if (safety?.state !== 'making') return this.release(hostId);
    await this.records.failed(safety, words);
    await this.removal.leftOver(safety);
  }

  /** Releases the backups of a site, so that they can be restored and deleted again. */
  async release(hostId: number): Promise<void> {
    await this.records.letGo(hostId);
    await this.removal.each(await this.records.outdated(hostId));
  }

  private async files(site: OpenSite, row: Deployment, turn: TaskTurn): Promise<SiteBackup> {
    const { account } = site;
    const present = await this.records.safetyOf(account.id, turn.id);
    if (present?.state !== 'done') {
      const order = { kind: 'safety', place: this.rules.place, by: row.by, taskId: turn.id } as const;
      const safety = present ?? (await this.records.begin(account, order, true));
      if (!(await this.archiver.make(site, safety, turn, (done, total) => turn.progress(done, total))))
        throw new SiteBackupError('MISSING');
    }
    const made = await this.records.safetyOf(account.id, turn.id);
    if (!made || !(await this.records.hold(made))) throw new SiteBackupError('BUSY');
    return made;
  }
}
