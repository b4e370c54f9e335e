import { StorageError } from '../../../common/index.js';

import { BackupProblem } from './backups.js';

/** Converts the refusal of a storage; any other error is returned unchanged. */
export function storageProblem(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'NOT_FOUND') return new BackupProblem('BACKUP_GONE');
  return error.code === 'REFUSED' ? new BackupProblem('STORAGE_REFUSED', { answer: error.message }) : new BackupProblem('STORAGE_SILENT');
}
