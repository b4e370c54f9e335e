import { AppError, type ErrorShape } from '../../common/index.js';
import { driverError } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';
import type { CommandProblemCode, DatabaseRefusalCode, PhpProblemCode, PortProblem } from '../driver/index.js';

/** Codes of {@link ProgramError}: from the server, and from the panel's own checks. */
export type ProgramErrorCode =
  | PhpProblemCode
  | Exclude<DatabaseRefusalCode, 'DATABASE_NONE'>
  | CommandProblemCode
  | 'ADDRESSES_MANY'
  | 'COMMAND_LINE'
  | 'COMMAND_FOLDER'
  | 'TOO_LARGE'
  | 'NOT_SQL'
  | 'PASSWORD_UNKNOWN'
  | 'BACKUP_LIMIT'
  | 'BACKUPS_NONE'
  | 'SAFETY_PLACE'
  | 'OVER_SPACE'
  | 'NO_CLEARING'
  | 'NO_SAVING'
  | 'DEED_BUSY'
  | 'DEED_MISSING'
  | 'DEED_FAILED';

const ERROR_MAP: Record<ProgramErrorCode, ErrorShape> = {
  PHP_MISSING: { err: 'E_ARGS', text: 'siteprograms.php_missing' },
  PHP_FIXED: { err: 'E_DISABLED', text: 'siteprograms.php_fixed' },
  DATABASE_BACKUP_GONE: { err: 'E_NOTEXIST', text: 'siteprograms.backup_gone' },
  DATABASE_SQL: { err: 'E_ARGS', text: 'siteprograms.sql' },
  DATABASE_ACCESS: { err: 'E_ARGS', text: 'siteprograms.addresses' },
  ADDRESSES_MANY: { err: 'E_ARGS', text: 'siteprograms.addresses_many' },
  DATABASE_PROGRAM: { err: 'E_DISABLED', text: 'siteprograms.no_program' },
  DISK_FULL: { err: 'E_NODE', text: 'siteprograms.disk_full' },
  NO_SPACE: { err: 'E_LIMIT', text: 'siteprograms.no_space' },
  MISSING: { err: 'E_NOTEXIST', text: 'siteprograms.file_missing' },
  SPECIAL: { err: 'E_FORBIDDEN', text: 'siteprograms.file_special' },
  PATH: { err: 'E_ARGS', text: 'siteprograms.file_path' },
  TOO_LARGE: { err: 'E_LIMIT', text: 'siteprograms.file_large' },
  NOT_SQL: { err: 'E_ARGS', text: 'siteprograms.not_sql' },
  PASSWORD_UNKNOWN: { err: 'E_STATE', text: 'siteprograms.password_unknown' },
  BACKUP_LIMIT: { err: 'E_LIMIT', text: 'siteprograms.backup_limit' },
  BACKUPS_NONE: { err: 'E_LIMIT', text: 'siteprograms.backups_none' },
  SAFETY_PLACE: { err: 'E_LIMIT', text: 'siteprograms.safety_place' },
  OVER_SPACE: { err: 'E_LIMIT', text: 'siteprograms.over_space' },
  NO_SAVING: { err: 'E_DISABLED', text: 'siteprograms.no_saving' },
  TAKEN: { err: 'E_EXISTS', text: 'siteprograms.file_taken' },
  NAME: { err: 'E_ARGS', text: 'siteprograms.file_name' },
  PROTECTED: { err: 'E_ARGS', text: 'siteprograms.file_name' },
  NOT_FOLDER: { err: 'E_NOTEXIST', text: 'siteprograms.no_folder' },
  NO_CLEARING: { err: 'E_DISABLED', text: 'siteprograms.no_clearing' },
  COMMAND_MISSING: { err: 'E_NOTEXIST', text: 'siteprograms.command_missing' },
  COMMAND_RUNNING: { err: 'E_BUSY', text: 'siteprograms.command_running' },
  COMMAND_LIMIT: { err: 'E_LIMIT', text: 'siteprograms.command_limit' },
  COMMAND_SCHEDULE: { err: 'E_ARGS', text: 'siteprograms.schedule_form' },
  COMMAND_LINE: { err: 'E_ARGS', text: 'siteprograms.line' },
  COMMAND_FOLDER: { err: 'E_ARGS', text: 'siteprograms.folder' },
  DEED_BUSY: { err: 'E_BUSY', text: 'siteprograms.deed_busy' },
  DEED_MISSING: { err: 'E_NOTEXIST', text: 'siteprograms.deed_missing' },
  DEED_FAILED: { err: 'E_INTERNAL', text: 'siteprograms.deed_failed' },
};

/** A rejected operation on a program of a site. */
export class ProgramError extends AppError<ProgramErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Converts a problem of a program port to an error; problems any server may report become the general errors. */
export function programError(problem: PortProblem): Error {
  const { code, params = {} } = problem;
  if (code === 'SUSPENDED') return new HostingError('SITE_PAUSED');
  if (code === 'DATABASE_NONE') return new HostingError('DATABASE_NONE');
  return Object.hasOwn(ERROR_MAP, code)
    ? new ProgramError(code as ProgramErrorCode, params)
    : driverError({ outcome: 'refused', message: code, problem });
}
