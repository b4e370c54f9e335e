import { Module } from '@nestjs/common';

import { BackupMaker } from './backup-maker.js';
import { BackupNotices } from './backup-notices.js';
import { BackupOperations } from './backup.operations.js';
import { BackupPages } from './backup.pages.js';
import { BackupRecords } from './backup-records.js';
import { BackupSchedule } from './backup-schedule.js';
import { RestoredBanner } from './restored-banner.js';
import { RestoredOperations } from './restored.operations.js';
import { RestoredState } from './restored-state.js';

/** Backups of the whole installation, and what a restored one waits for. */
@Module({
  providers: [
    BackupRecords,
    BackupMaker,
    BackupSchedule,
    BackupNotices,
    BackupOperations,
    RestoredState,
    RestoredOperations,
    RestoredBanner,
  ],
  controllers: [BackupPages],
  exports: [BackupRecords],
})
export class BackupModule {}
