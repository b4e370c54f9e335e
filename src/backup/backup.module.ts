import { Module } from '@nestjs/common';

import { BackupComparison } from './backup-comparison.js';
import { BackupMaker } from './backup-maker.js';
import { BackupNotices } from './backup-notices.js';
import { BackupOperations } from './backup.operations.js';
import { BackupPages } from './backup.pages.js';
import { BackupRecords } from './backup-records.js';
import { BackupSchedule } from './backup-schedule.js';
import { RestoreOperations } from './restore.operations.js';
import { RestorePages } from './restore.pages.js';
import { RestoreWork } from './restore-work.js';
import { RestoredBanner } from './restored-banner.js';
import { RestoredOperations } from './restored.operations.js';
import { RestoredState } from './restored-state.js';

/** Backups of the whole installation, and the held state after a restore. */
@Module({
  providers: [
    BackupRecords,
    BackupComparison,
    BackupMaker,
    BackupSchedule,
    BackupNotices,
    BackupOperations,
    RestoreOperations,
    RestoreWork,
    RestoredState,
    RestoredOperations,
    RestoredBanner,
  ],
  controllers: [BackupPages, RestorePages],
  exports: [BackupRecords],
})
export class BackupModule {}
