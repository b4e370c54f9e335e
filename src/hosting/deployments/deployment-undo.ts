import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { Deployment, SiteBackup } from '../entities/index.js';
import { AccountSpace } from '../files/index.js';
import { HostingError } from '../hosting-errors.js';
import { stepTurn, SiteBackupArchiver, SiteBackupError, siteBackupError, SiteBackupRecords } from '../site-backups/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { DeploymentDatabase } from './deployment-database.js';
import { DeploymentFiles } from './deployment-files.js';
import { DeploymentServing } from './deployment-serving.js';

/** Restores a site to its state before an installation. Idempotent. */
@Injectable()
export class DeploymentUndo {
  constructor(
    private readonly backups: SiteBackupRecords,
    private readonly archiver: SiteBackupArchiver,
    private readonly files: DeploymentFiles,
    private readonly databases: DeploymentDatabase,
    private readonly serving: DeploymentServing,
    private readonly space: AccountSpace,
  ) {}

  /** @throws SiteBackupError MISSING when the backup is gone, and the errors of the port; ProgramError, HostingError */
  async run(site: OpenSite, row: Deployment, turn: TaskTurn): Promise<void> {
    const { hostId, backupId, before, phase } = row;
    const copy = backupId === null ? null : await this.backups.byId(backupId);
    if (!before || copy?.hostId !== hostId || copy.state !== 'done') throw new SiteBackupError('MISSING');
    await this.putBack(site, copy, turn).catch(async (error: unknown) => {
      if (!(error instanceof SiteBackupError && (error.code === 'DISK_FULL' || error.code === 'NO_SPACE'))) throw error;
      // The program's files take the space needed for the restore.
      await this.files.empty(site, turn);
      await this.putBack(site, copy, turn);
    });
    await this.serving.useRules(site, before.rewrites);
    await this.serving.showFolder(site, before.runFolder);
    // PHP and database are changed only by steps.
    if (phase !== 'steps') return;
    if (before.php !== '') await this.serving.usePhp(site, before.php);
    await this.databases.putBack(site, row, turn);
  }

  private async putBack(site: OpenSite, copy: SiteBackup, turn: TaskTurn): Promise<void> {
    const own = stepTurn(turn, 'undo', (done, total) => turn.progress(done, total));
    await site.ask(
      'backups',
      (port, account) => port.restore(account, this.archiver.kept(copy, site.account), this.space.of(copy.hostId), own),
      siteBackupError,
      turn.signal,
    );
  }
}

/** Returns whether an error may pass, so that a retry makes sense: an unreachable server, a full disk. */
export function mayPass(error: unknown): boolean {
  if (error instanceof SiteBackupError) return ['DISK_FULL', 'STORAGE_REFUSED', 'STORAGE_SILENT'].includes(error.code);
  return error instanceof HostingError ? error.code !== 'PORT_MISSING' : !(error instanceof AppError);
}
