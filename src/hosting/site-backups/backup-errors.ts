import { AppError, type ErrorShape } from '../../common/index.js';
import { portError } from '../accounts/index.js';
import type { BackupRefusalCode, PortProblem } from '../driver/index.js';

/** Codes of errors about backups of a site: from its server, and from the panel's own checks. */
export type SiteBackupErrorCode =
  | BackupRefusalCode
  | 'MISSING'
  | 'NOT_OFFERED'
  | 'LIMIT'
  | 'BUSY'
  | 'UNFINISHED'
  | 'NOTHING_RUNS'
  | 'OVER_SPACE'
  | 'NO_BUCKET'
  | 'NO_SERVER'
  | 'INTERRUPTED'
  | 'CANCELLED'
  | 'FAILED';

const ERROR_MAP: Record<SiteBackupErrorCode, ErrorShape> = {
  BACKUP_GONE: { err: 'E_NOTEXIST', text: 'sitebackup.archive_gone' },
  BACKUP_DAMAGED: { err: 'E_STATE', text: 'sitebackup.archive_damaged' },
  BACKUP_LARGE: { err: 'E_LIMIT', text: 'sitebackup.too_large' },
  STORAGE_REFUSED: { err: 'E_NODE', text: 'sitebackup.storage_refused' },
  STORAGE_SILENT: { err: 'E_NODE', text: 'sitebackup.storage_silent' },
  DISK_FULL: { err: 'E_NODE', text: 'sitebackup.disk_full' },
  TOO_MANY: { err: 'E_LIMIT', text: 'sitebackup.too_many' },
  NO_SPACE: { err: 'E_LIMIT', text: 'sitebackup.no_space' },
  MISSING: { err: 'E_NOTEXIST', text: 'sitebackup.missing' },
  NOT_OFFERED: { err: 'E_LIMIT', text: 'sitebackup.not_offered' },
  LIMIT: { err: 'E_LIMIT', text: 'sitebackup.limit' },
  BUSY: { err: 'E_CONFLICT', text: 'sitebackup.busy' },
  UNFINISHED: { err: 'E_STATE', text: 'sitebackup.unfinished' },
  NOTHING_RUNS: { err: 'E_STATE', text: 'sitebackup.nothing_runs' },
  OVER_SPACE: { err: 'E_LIMIT', text: 'sitebackup.over_space' },
  NO_BUCKET: { err: 'E_STATE', text: 'sitebackup.no_bucket' },
  NO_SERVER: { err: 'E_STATE', text: 'sitebackup.no_server' },
  INTERRUPTED: { err: 'E_STATE', text: 'sitebackup.interrupted' },
  CANCELLED: { err: 'E_STATE', text: 'sitebackup.cancelled' },
  FAILED: { err: 'E_INTERNAL', text: 'sitebackup.failed' },
};

/** A rejected operation on the backups of a site. */
export class SiteBackupError extends AppError<SiteBackupErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Turns a problem of the backups port into an error for people; see {@link portError}. */
export const siteBackupError = (problem: PortProblem): Error =>
  portError(problem, ERROR_MAP, (code, params) => new SiteBackupError(code, params));
