import { AppError, type ErrorShape } from '../../common/index.js';

/** Why a site cannot be moved, or a move cannot continue. */
export type MoveErrorCode =
  | 'MISSING'
  | 'BUSY'
  | 'SAME_SERVER'
  | 'UNFIT'
  | 'STILL_KEPT'
  | 'NOT_KEPT'
  | 'NOTHING_RUNS'
  | 'TOO_LATE'
  | 'HOST_CHANGED'
  | 'HOST_WORKS'
  | 'NEVER_STILL'
  | 'FILES_LOST'
  | 'DATABASE_LOST'
  | 'CANCELLED'
  | 'FAILED'
  | 'EMPTYING'
  | 'NOT_EMPTYING'
  | 'NO_HOSTS';

const ERROR_MAP: Record<MoveErrorCode, ErrorShape> = {
  MISSING: { err: 'E_NOTEXIST', text: 'moves.missing' },
  BUSY: { err: 'E_CONFLICT', text: 'moves.busy' },
  SAME_SERVER: { err: 'E_ARGS', text: 'moves.same_server' },
  UNFIT: { err: 'E_STATE', text: 'moves.unfit' },
  STILL_KEPT: { err: 'E_STATE', text: 'moves.still_kept' },
  NOT_KEPT: { err: 'E_STATE', text: 'moves.not_kept' },
  NOTHING_RUNS: { err: 'E_STATE', text: 'moves.nothing_runs' },
  TOO_LATE: { err: 'E_STATE', text: 'moves.too_late' },
  HOST_CHANGED: { err: 'E_STATE', text: 'moves.host_changed' },
  HOST_WORKS: { err: 'E_BUSY', text: 'moves.host_works' },
  NEVER_STILL: { err: 'E_STATE', text: 'moves.never_still' },
  FILES_LOST: { err: 'E_NODE', text: 'moves.files_lost' },
  DATABASE_LOST: { err: 'E_NODE', text: 'moves.database_lost' },
  CANCELLED: { err: 'E_STATE', text: 'moves.cancelled' },
  FAILED: { err: 'E_INTERNAL', text: 'moves.failed' },
  EMPTYING: { err: 'E_CONFLICT', text: 'moves.emptying' },
  NOT_EMPTYING: { err: 'E_STATE', text: 'moves.not_emptying' },
  NO_HOSTS: { err: 'E_STATE', text: 'moves.no_hosts' },
};

/** A rejected or failed move of a site or emptying of a server. `params` fill the text: `reason` why it does not fit. */
export class MoveError extends AppError<MoveErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
