import { AppError, type ErrorShape } from '../../common/index.js';

/** Reasons why a site cannot be adopted. */
export type AdoptionErrorCode = 'NOT_ON_THIS_SERVER' | 'SITE_GONE' | 'INVALID_FIELDS' | 'NONE_ADOPTED';

const ERROR_MAP: Record<AdoptionErrorCode, ErrorShape> = {
  NOT_ON_THIS_SERVER: { err: 'E_DISABLED', text: 'hosting.adopt_disabled' },
  SITE_GONE: { err: 'E_NOTEXIST', text: 'hosting.adopt_gone' },
  INVALID_FIELDS: { err: 'E_ARGS', text: 'common.args' },
  NONE_ADOPTED: { err: 'E_STATE', text: 'hosting.adopted_none' },
};

/** See {@link AdoptionErrorCode}. */
export class AdoptionError extends AppError<AdoptionErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** The only site of a call could not be adopted, because of another error. */
export class NotAdopted extends AppError {
  constructor(
    private readonly reason: AppError,
    fields: AppError['fields'],
  ) {
    super(reason.code, reason.params, fields, { cause: reason });
  }

  get shape(): ErrorShape {
    return this.reason.shape;
  }
}
