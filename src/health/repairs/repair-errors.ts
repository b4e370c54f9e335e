import { AppError, type ErrorShape } from '../../common/index.js';

/** Error codes of a repair request. */
export type RepairErrorCode = 'NONE' | 'UNKNOWN' | 'NOT_LOOKED' | 'RUNNING' | 'HELD';

const ERROR_MAP: Record<RepairErrorCode, ErrorShape> = {
  NONE: { err: 'E_ARGS', text: 'health.repair_none' },
  UNKNOWN: { err: 'E_ARGS', text: 'health.repair_unknown' },
  NOT_LOOKED: { err: 'E_STATE', text: 'health.repair_not_looked' },
  RUNNING: { err: 'E_CONFLICT', text: 'health.repair_running' },
  HELD: { err: 'E_STATE', text: 'health.repair_held' },
};

/** Error of a repair request. */
export class RepairError extends AppError<RepairErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
