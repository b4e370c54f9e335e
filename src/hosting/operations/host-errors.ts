import { AppError, type ErrorShape, type TextParams } from '../../common/index.js';

/** Codes of rejected operations of administrators on hosts, in addition to those of the host itself. */
export type HostOperationErrorCode =
  | 'INVALID_FIELDS'
  | 'NOT_PAUSED_BY_ADMIN'
  | 'NOT_PAUSED_BY_SCAN'
  | 'NOTHING_GIVEN'
  | 'NEVER_EXPIRES'
  | 'MOVED_MEANWHILE'
  | 'CUSTOMER_MISSING'
  | 'PASSWORD_WRONG';

const ERROR_MAP: Record<HostOperationErrorCode, ErrorShape> = {
  INVALID_FIELDS: { err: 'E_ARGS', text: 'common.args' },
  NOT_PAUSED_BY_ADMIN: { err: 'E_STATE', text: 'hosting.not_paused_by_admin' },
  NOT_PAUSED_BY_SCAN: { err: 'E_STATE', text: 'hosting.not_paused_by_scan' },
  NOTHING_GIVEN: { err: 'E_ARGS', text: 'hosting.nothing_given' },
  CUSTOMER_MISSING: { err: 'E_NOTEXIST', text: 'hosting.customer_missing' },
  PASSWORD_WRONG: { err: 'E_ARGS', text: 'hosting.password_wrong' },
  NEVER_EXPIRES: { err: 'E_STATE', text: 'hosting.bulk_never_expires' },
  MOVED_MEANWHILE: { err: 'E_CONFLICT', text: 'hosting.bulk_moved' },
};

/** A rejected operation on a host. */
export class HostOperationError extends AppError<HostOperationErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/**
 * A change of several properties that failed midway. `params` describe what was done (`done`), what was not (`failed`) and why (`reason`).
 * Completed steps are not rolled back.
 */
export class PartlyDone extends AppError<'PARTLY_DONE'> {
  constructor(
    private readonly reason: AppError,
    params: Record<'done' | 'failed' | 'reason', TextParams[string]>,
    fields: Readonly<Record<string, string>>,
  ) {
    super('PARTLY_DONE', params, fields, { cause: reason });
  }

  get shape(): ErrorShape {
    return { err: this.reason.shape.err, text: 'hosting.partly_done' };
  }
}
