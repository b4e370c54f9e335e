import './texts.js';

export { stepTurn, SiteBackupArchiver } from './backup-archiver.js';
export { SiteBackupError, siteBackupError } from './backup-errors.js';
export { SiteBackupRecords } from './backup-records.js';
export { SiteBackupRemoval } from './backup-removal.js';
export { SiteBackupRules } from './backup-rules.js';
export { SiteBackupSchedule } from './backup-schedule.js';
export { SiteBackupDownloadController } from './site-backup-download.controller.js';
export { SiteBackupPages } from './site-backup.pages.js';
export { SiteBackupsModule } from './site-backups.module.js';
