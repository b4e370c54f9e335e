import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of backup requests. */
export type BackupErrorCode =
  | 'NO_KEY'
  | 'MISSING'
  | 'RUNNING'
  | 'FILE_GONE'
  | 'UNFINISHED'
  | 'DISK_FULL'
  | 'FOLDER'
  | 'NO_FOLDER'
  | 'STALLED'
  | 'HELD'
  | 'NOT_HELD'
  | 'RECOVERY_KEY'
  | 'RESTORE_READY'
  | 'RESTORE_NONE'
  | 'RESTORE_KILLED';

const ERROR_MAP: Record<BackupErrorCode, ErrorShape> = {
  NO_KEY: { err: 'E_STATE', text: 'backup.no_key' },
  MISSING: { err: 'E_NOTEXIST', text: 'backup.missing' },
  RUNNING: { err: 'E_CONFLICT', text: 'backup.running' },
  FILE_GONE: { err: 'E_NOTEXIST', text: 'backup.file_gone' },
  UNFINISHED: { err: 'E_STATE', text: 'backup.unfinished' },
  DISK_FULL: { err: 'E_LIMIT', text: 'backup.disk_full' },
  FOLDER: { err: 'E_STATE', text: 'backup.folder_unwritable' },
  NO_FOLDER: { err: 'E_STATE', text: 'backup.no_folder' },
  STALLED: { err: 'E_STATE', text: 'backup.stalled' },
  HELD: { err: 'E_STATE', text: 'backup.held' },
  NOT_HELD: { err: 'E_STATE', text: 'backup.not_held' },
  RECOVERY_KEY: { err: 'E_ARGS', text: 'backup.no_recovery_key' },
  RESTORE_READY: { err: 'E_STATE', text: 'backup.restore_ready' },
  RESTORE_NONE: { err: 'E_STATE', text: 'backup.restore_none' },
  RESTORE_KILLED: { err: 'E_STATE', text: 'backup.restore_killed' },
};

/** A rejected request, or a backup that failed. */
export class BackupError extends AppError<BackupErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
