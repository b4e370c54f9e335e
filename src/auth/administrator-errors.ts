import { AppError, type ErrorShape } from '../common/index.js';

/** Why a change of administrators, roles or API keys was rejected. */
export type AdministratorErrorCode =
  | 'ROLE_MISSING'
  | 'ROLE_RULE'
  | 'ROLE_NAME_TAKEN'
  | 'ROLE_IN_USE'
  | 'MORE_THAN_OWN'
  | 'KEY_MISSING'
  | 'KEY_RULE'
  | 'KEY_NAME_TAKEN'
  | 'ADMINISTRATOR_MISSING'
  | 'ADMINISTRATOR_NAME_TAKEN'
  | 'LAST_ADMINISTRATOR'
  | 'NAME_RULE'
  | 'PASSWORD_RULE'
  | 'PUBLISHED_PASSWORD';

const ERROR_MAP: Record<AdministratorErrorCode, ErrorShape> = {
  ROLE_MISSING: { err: 'E_NOTEXIST', text: 'auth.role_missing' },
  ROLE_RULE: { err: 'E_ARGS', text: 'auth.role_rule' },
  ROLE_NAME_TAKEN: { err: 'E_EXISTS', text: 'auth.role_name_taken' },
  ROLE_IN_USE: { err: 'E_INUSE', text: 'auth.role_in_use' },
  KEY_MISSING: { err: 'E_NOTEXIST', text: 'auth.key_missing' },
  KEY_RULE: { err: 'E_ARGS', text: 'auth.key_rule' },
  KEY_NAME_TAKEN: { err: 'E_EXISTS', text: 'auth.key_name_taken' },
  MORE_THAN_OWN: { err: 'E_FORBIDDEN', text: 'auth.more_than_own' },
  ADMINISTRATOR_MISSING: { err: 'E_NOTEXIST', text: 'auth.administrator_missing' },
  ADMINISTRATOR_NAME_TAKEN: { err: 'E_EXISTS', text: 'auth.administrator_name_taken' },
  LAST_ADMINISTRATOR: { err: 'E_STATE', text: 'auth.last_administrator' },
  NAME_RULE: { err: 'E_ARGS', text: 'auth.administrator_name_rule' },
  PASSWORD_RULE: { err: 'E_ARGS', text: 'auth.administrator_password_rule' },
  PUBLISHED_PASSWORD: { err: 'E_ARGS', text: 'auth.administrator_published_password' },
};

/** A rejected change of administrators, roles or API keys. */
export class AdministratorError extends AppError<AdministratorErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
