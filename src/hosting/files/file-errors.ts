import { AppError, type ErrorShape } from '../../common/index.js';
import { portError } from '../accounts/index.js';
import type { FileProblemCode, PortProblem } from '../driver/index.js';

/** Codes of {@link FileError}: from the server, and from the panel's own checks. */
export type FileErrorCode =
  FileProblemCode | 'NOT_TEXT' | 'ONE_FOLDER' | 'NOTHING_CHOSEN' | 'SAME_FOLDER' | 'NO_PIECE' | 'PASSWORD' | 'TASK_MISSING' | 'TASK_FAILED';

const ERROR_MAP: Record<FileErrorCode, ErrorShape> = {
  PATH: { err: 'E_ARGS', text: 'sitefiles.path' },
  NAME: { err: 'E_ARGS', text: 'sitefiles.name' },
  PROTECTED: { err: 'E_FORBIDDEN', text: 'sitefiles.protected' },
  MISSING: { err: 'E_NOTEXIST', text: 'sitefiles.missing' },
  TAKEN: { err: 'E_EXISTS', text: 'sitefiles.taken' },
  NOT_FILE: { err: 'E_ARGS', text: 'sitefiles.not_file' },
  NOT_FOLDER: { err: 'E_ARGS', text: 'sitefiles.not_folder' },
  SPECIAL: { err: 'E_FORBIDDEN', text: 'sitefiles.special' },
  INSIDE_ITSELF: { err: 'E_ARGS', text: 'sitefiles.inside_itself' },
  CHANGED: { err: 'E_CONFLICT', text: 'sitefiles.changed' },
  PIECE: { err: 'E_ARGS', text: 'sitefiles.piece' },
  BUSY: { err: 'E_BUSY', text: 'sitefiles.busy' },
  TOO_LARGE: { err: 'E_LIMIT', text: 'sitefiles.too_large' },
  TOO_MANY: { err: 'E_LIMIT', text: 'sitefiles.too_many' },
  NO_SPACE: { err: 'E_LIMIT', text: 'sitefiles.no_space' },
  DISK_FULL: { err: 'E_NODE', text: 'sitefiles.disk_full' },
  ARCHIVE_KIND: { err: 'E_ARGS', text: 'sitefiles.archive_kind' },
  ARCHIVE_BROKEN: { err: 'E_ARGS', text: 'sitefiles.archive_broken' },
  ARCHIVE_LOCKED: { err: 'E_ARGS', text: 'sitefiles.archive_locked' },
  ARCHIVE_UNSAFE: { err: 'E_FORBIDDEN', text: 'sitefiles.archive_unsafe' },
  ARCHIVE_BOMB: { err: 'E_LIMIT', text: 'sitefiles.archive_bomb' },
  NOT_TEXT: { err: 'E_ARGS', text: 'sitefiles.not_text' },
  ONE_FOLDER: { err: 'E_ARGS', text: 'sitefiles.one_folder' },
  NOTHING_CHOSEN: { err: 'E_ARGS', text: 'sitefiles.nothing_chosen' },
  SAME_FOLDER: { err: 'E_ARGS', text: 'sitefiles.same_folder' },
  NO_PIECE: { err: 'E_ARGS', text: 'sitefiles.no_piece' },
  PASSWORD: { err: 'E_DISABLED', text: 'sitefiles.password' },
  TASK_MISSING: { err: 'E_NOTEXIST', text: 'sitefiles.task_missing' },
  TASK_FAILED: { err: 'E_INTERNAL', text: 'sitefiles.task_failed' },
};

/** A rejected file operation. `params` fill the text: `name` of the file concerned. */
export class FileError extends AppError<FileErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }

  /** Current version of a file that was changed in the meantime; sending it overwrites the file. */
  override get extras(): Readonly<Record<string, unknown>> {
    return this.code === 'CHANGED' ? { row_version: this.params.version } : {};
  }
}

/** Turns a problem of the files port into a {@link FileError}; see {@link portError}. */
export const fileError = (problem: PortProblem): Error =>
  portError(problem, ERROR_MAP, (code, params) => new FileError(code, { name: '', ...params }));
