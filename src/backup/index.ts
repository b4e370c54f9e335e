import './texts.js';

export { ArchiveError } from './archive/archive-reader.js';
export { BackupMaker } from './backup-maker.js';
export { BackupModule } from './backup.module.js';
export { BackupRecords } from './backup-records.js';
export { BackupSchedule } from './backup-schedule.js';
export { notInBackups } from './database/not-in-backups.js';
export { BackupError } from './errors.js';
export { newRecoveryKeys, recipientOf, recoveryKeyIn } from './archive/recovery-key.js';
export { carryOutPrepared } from './restore/carry-out.js';
export { noteRestored } from './restore/note-restored.js';
export { isUsed, refusePartialRestore, restoreBackup, undoRestore } from './restore/restore-backup.js';
