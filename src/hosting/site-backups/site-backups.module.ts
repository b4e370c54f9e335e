import { Module } from '@nestjs/common';

import { SiteBackupArchiver } from './backup-archiver.js';
import { SiteBackupFailures } from './backup-failures.js';
import { SiteBackupMaking } from './backup-making.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupPlans } from './backup-plans.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';
import { SiteBackupRestoring } from './backup-restoring.js';
import { SiteBackupRows } from './backup-rows.js';
import { SiteBackupRules } from './backup-rules.js';
import { SiteBackupRunner } from './backup-runner.js';
import { SiteBackupSchedule } from './backup-schedule.js';
import { SiteBackupStorage } from './backup-storage.js';
import { SiteBackupWork } from './backup-work.js';
import { LostSiteBackups } from './lost-backups.js';
import { SiteBackupSettingOperations } from './site-backup-settings.operations.js';
import { siteBackupOperations } from './site-backup.operations.js';

/** Backups of sites. Separate from the rest of hosting, which works without a queue and notices. */
@Module({
  providers: [
    SiteBackupRecords,
    SiteBackupRules,
    SiteBackupRows,
    SiteBackupStorage,
    SiteBackupRemoval,
    SiteBackupNotices,
    SiteBackupWork,
    SiteBackupArchiver,
    SiteBackupMaking,
    SiteBackupRestoring,
    SiteBackupFailures,
    SiteBackupRunner,
    SiteBackupPlans,
    LostSiteBackups,
    SiteBackupSchedule,
    ...siteBackupOperations,
    SiteBackupSettingOperations,
  ],
  exports: [
    SiteBackupArchiver,
    SiteBackupRecords,
    SiteBackupRules,
    SiteBackupStorage,
    SiteBackupWork,
    SiteBackupSchedule,
    SiteBackupRemoval,
  ],
})
export class SiteBackupsModule {}
