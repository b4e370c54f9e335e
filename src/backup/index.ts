export { ArchiveError } from './archive/archive-reader.js';
export type { Manifest } from './archive/manifest.js';
export { BackupMaker } from './backup-maker.js';
export { BackupModule } from './backup.module.js';
export { BackupRecords } from './backup-records.js';
export { BackupSchedule } from './backup-schedule.js';
export { BackupError } from './errors.js';
export { newRecoveryKeys, recipientOf } from './archive/recovery-key.js';
export { isUsed, restoreBackup } from './restore/restore-backup.js';
