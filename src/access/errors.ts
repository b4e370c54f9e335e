import { AppError, type ErrorShape } from '../common/index.js';

/** Why a change of administrators, roles or keys was rejected. */
export type AccessErrorCode = 'ONESELF' | 'SERVER_UNKNOWN' | 'NO_SECOND_FACTOR';

const ERROR_MAP: Record<AccessErrorCode, ErrorShape> = {
  SERVER_UNKNOWN: { err: 'E_ARGS', text: 'access.server_unknown' },
  NO_SECOND_FACTOR: { err: 'E_STATE', text: 'access.no_f2' },
  ONESELF: { err: 'E_STATE', text: 'access.oneself' },
};

/** A rejected change of administrators, roles or keys. */
export class AccessError extends AppError<AccessErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
