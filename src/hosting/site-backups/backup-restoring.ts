import { Injectable } from '@nestjs/common';

import { wordsOf } from '../../common/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { DriverTurn } from '../driver/index.js';
import type { SiteBackup } from '../entities/index.js';
import { AccountSpace } from '../files/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { stepTurn, SiteBackupArchiver } from './backup-archiver.js';
import { siteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';
import { SiteBackupRules } from './backup-rules.js';

/** Restores a backup: makes a safety copy first, then replaces the site's files with those of the archive. */
@Injectable()
export class SiteBackupRestoring {
  constructor(
    private readonly archiver: SiteBackupArchiver,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly removal: SiteBackupRemoval,
    private readonly space: AccountSpace,
  ) {}

  /** Restores a backup. @throws SiteBackupError OVER_SPACE */
  async run(site: OpenSite, row: SiteBackup, turn: TaskTurn): Promise<void> {
    const { account } = site;
    this.rules.requireSpace(account, row);
    // Unpacking is the second half of the progress.
    await this.keepSafe(site, row, turn, (done, total) => turn.progress(done, total * 2));
    const own = stepTurn(turn, 'restore', (done, total) => turn.progress(total + done, total * 2));
    await site.ask(
      'backups',
      (backups, known) => backups.restore(known, this.archiver.kept(row, account), this.space.of(account.id), own),
      siteBackupError,
      turn.signal,
    );
    await this.records.restored(row.id);
    await this.removal.each(await this.records.outdated(account.id));
  }

  /**
   * Makes a safety copy of the current site, once per restore: a retry after a crash must not copy files that the first attempt restored.
   */
  private async keepSafe(site: OpenSite, row: SiteBackup, turn: TaskTurn, report: DriverTurn['progress']): Promise<void> {
    const present = await this.records.safetyOf(site.account.id, turn.id);
    if (present?.state === 'done') return;
    const order = { kind: 'safety', place: row.place, by: row.by, taskId: turn.id } as const;
    const safety = present ?? (await this.records.begin(site.account, order, false));
    try {
      await this.archiver.make(site, safety, turn, report);
    } catch (error) {
      // A retry continues with the unfinished copy.
      if (!turn.signal.aborted) await this.records.failed(safety, wordsOf(error));
      throw error;
    }
  }
}
