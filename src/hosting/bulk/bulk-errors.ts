import { AppError, type ErrorShape } from '../../common/index.js';

/** Why a bulk action fails, as a whole or for one host. */
export type BulkErrorCode = 'INVALID_FIELDS' | 'NOT_ALLOWED' | 'MOVED_MEANWHILE' | 'NEVER_EXPIRES' | 'STILL_PAUSED';

const ERROR_MAP: Record<BulkErrorCode, ErrorShape> = {
  INVALID_FIELDS: { err: 'E_ARGS', text: 'common.args' },
  NOT_ALLOWED: { err: 'E_FORBIDDEN', text: 'hosting.bulk_not_allowed' },
  MOVED_MEANWHILE: { err: 'E_CONFLICT', text: 'hosting.bulk_moved' },
  NEVER_EXPIRES: { err: 'E_STATE', text: 'hosting.bulk_never_expires' },
  STILL_PAUSED: { err: 'E_STATE', text: 'hosting.bulk_still_paused' },
};

/** See {@link BulkErrorCode}. */
export class BulkError extends AppError<BulkErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
