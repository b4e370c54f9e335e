import { AppError, type ErrorShape } from '../common/index.js';

/** Why a change of who may do what is refused. */
export type AccessErrorCode = 'ONESELF' | 'SERVER_UNKNOWN' | 'NO_SECOND_FACTOR';

const ERROR_MAP: Record<AccessErrorCode, ErrorShape> = {
  SERVER_UNKNOWN: { err: 'E_ARGS', text: 'access.server_unknown' },
  NO_SECOND_FACTOR: { err: 'E_STATE', text: 'access.no_f2' },
  ONESELF: { err: 'E_STATE', text: 'access.oneself' },
};

/** A change of who may do what that is refused. */
export class AccessError extends AppError<AccessErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
