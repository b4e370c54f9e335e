import { AppError, type ErrorShape } from '../common/index.js';

/** Why a renewal was rejected. */
export type RenewalErrorCode = 'HOST_MISSING' | 'NEVER_EXPIRES' | 'NOT_OFFERED' | 'REQUEST_DIFFERS' | 'TOO_EARLY';

const ERROR_MAP: Record<RenewalErrorCode, ErrorShape> = {
  HOST_MISSING: { err: 'E_NOTEXIST', text: 'renewal.host_missing' },
  NEVER_EXPIRES: { err: 'E_STATE', text: 'renewal.never_expires' },
  NOT_OFFERED: { err: 'E_ARGS', text: 'renewal.not_offered' },
  TOO_EARLY: { err: 'E_STATE', text: 'renewal.too_early' },
  REQUEST_DIFFERS: { err: 'E_CONFLICT', text: 'renewal.request_differs' },
};

/** A rejected renewal. */
export class RenewalError extends AppError<RenewalErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
