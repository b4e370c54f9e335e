import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import type { SiteBackup } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { SiteBackupArchiver } from './backup-archiver.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';
import { SiteBackupRules } from './backup-rules.js';

/** Makes queued backups. */
@Injectable()
export class SiteBackupMaking {
  constructor(
    private readonly archiver: SiteBackupArchiver,
    private readonly rules: SiteBackupRules,
    private readonly records: SiteBackupRecords,
    private readonly removal: SiteBackupRemoval,
    private readonly notices: SiteBackupNotices,
  ) {}

  /** Makes the backup, and removes those above the limit. */
  async run(site: OpenSite, row: SiteBackup, turn: TaskTurn): Promise<void> {
    const { id } = site.account;
    if (!(await this.archiver.make(site, row, turn, (done, total) => turn.progress(done, total)))) return this.removal.leftOver(row);
    const limit = await this.rules.limitOf(id);
    await this.removal.each([...(await this.records.surplus(id, limit)), ...(await this.records.outdated(id))]);
    if (row.kind === 'scheduled') await this.notices.notifyRecovered(site.account, row);
    else await this.notices.notifyNearLimit(site.account, await this.records.count(id, ['manual']), limit);
  }
}
