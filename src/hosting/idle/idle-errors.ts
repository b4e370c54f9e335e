import { AppError, type ErrorShape } from '../../common/index.js';

/** Why settings for unused hosts are rejected: they would have no effect. */
export type IdleErrorCode = 'UNTOLD_DOMAIN' | 'UNTOLD_FILES' | 'NO_MAIL';

const ERROR_MAP: Record<IdleErrorCode, ErrorShape> = {
  UNTOLD_DOMAIN: { err: 'E_STATE', text: 'hosting.idle_untold_domain' },
  UNTOLD_FILES: { err: 'E_STATE', text: 'hosting.idle_untold_files' },
  NO_MAIL: { err: 'E_STATE', text: 'hosting.idle_no_mail' },
};

/** A rejection of this feature. */
export class IdleError extends AppError<IdleErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
