import { AppError, type ErrorShape } from '../common/index.js';

/** Why a customer operation was rejected. */
export type CustomerErrorCode =
  | 'CUSTOMER_MISSING'
  | 'NOT_SIGNED_IN'
  | 'CAPTCHA_WRONG'
  | 'CREDENTIALS_EMPTY'
  | 'USERNAME_CHARACTERS'
  | 'CREDENTIALS_WRONG'
  | 'LOCKED'
  | 'USERNAME_RULE'
  | 'USERNAME_TAKEN'
  | 'PASSWORD_SHORT'
  | 'PASSWORD_RULE'
  | 'PASSWORDS_DIFFER'
  | 'PASSWORD_WRONG'
  | 'PASSWORD_SAME'
  | 'EMAIL_RULE'
  | 'QQ_RULE'
  | 'MAIL_TAKEN'
  | 'MAIL_NONE'
  | 'NO_MAIL'
  | 'LINK_OVER'
  | 'REGISTRATION_CLOSED'
  | 'PAGES_OFF'
  | 'HOST_NOT_YOURS'
  | 'FACTOR_ON'
  | 'FACTOR_OFF'
  | 'FACTOR_OVER'
  | 'CODE_WRONG'
  | 'SESSION_MISSING'
  | 'STATUS_SAME'
  | 'OWNS';

const ERROR_MAP: Record<CustomerErrorCode, ErrorShape> = {
  CUSTOMER_MISSING: { err: 'E_NOTEXIST', text: 'customers.missing' },
  NOT_SIGNED_IN: { err: 'E_FORBIDDEN', text: 'customers.not_signed_in' },
  CAPTCHA_WRONG: { err: 'E_ARGS', text: 'customers.captcha_wrong' },
  CREDENTIALS_EMPTY: { err: 'E_ARGS', text: 'customers.credentials_empty' },
  USERNAME_CHARACTERS: { err: 'E_ARGS', text: 'customers.username_characters' },
  CREDENTIALS_WRONG: { err: 'E_ARGS', text: 'customers.credentials_wrong' },
  LOCKED: { err: 'E_FORBIDDEN', text: 'customers.locked' },
  USERNAME_RULE: { err: 'E_ARGS', text: 'customers.username_rule' },
  USERNAME_TAKEN: { err: 'E_EXISTS', text: 'customers.username_taken' },
  PASSWORD_SHORT: { err: 'E_ARGS', text: 'customers.password_short' },
  PASSWORD_RULE: { err: 'E_ARGS', text: 'customers.password_rule' },
  PASSWORDS_DIFFER: { err: 'E_ARGS', text: 'customers.passwords_differ' },
  PASSWORD_WRONG: { err: 'E_ARGS', text: 'customers.password_wrong' },
  PASSWORD_SAME: { err: 'E_ARGS', text: 'customers.password_same' },
  EMAIL_RULE: { err: 'E_ARGS', text: 'customers.email_rule' },
  QQ_RULE: { err: 'E_ARGS', text: 'customers.qq_rule' },
  MAIL_TAKEN: { err: 'E_EXISTS', text: 'customers.mail_taken' },
  MAIL_NONE: { err: 'E_STATE', text: 'customers.mail_none' },
  NO_MAIL: { err: 'E_DISABLED', text: 'customers.no_mail' },
  LINK_OVER: { err: 'E_STATE', text: 'customers.link_over' },
  REGISTRATION_CLOSED: { err: 'E_DISABLED', text: 'customers.registration_closed' },
  PAGES_OFF: { err: 'E_DISABLED', text: 'customers.pages_off' },
  HOST_NOT_YOURS: { err: 'E_NOTEXIST', text: 'customers.host_not_yours' },
  FACTOR_ON: { err: 'E_STATE', text: 'customers.factor_on' },
  FACTOR_OFF: { err: 'E_STATE', text: 'customers.factor_off' },
  FACTOR_OVER: { err: 'E_STATE', text: 'customers.factor_over' },
  CODE_WRONG: { err: 'E_ARGS', text: 'customers.code_wrong' },
  SESSION_MISSING: { err: 'E_NOTEXIST', text: 'customers.session_missing' },
  STATUS_SAME: { err: 'E_STATE', text: 'customers.status_same' },
  OWNS: { err: 'E_STATE', text: 'customers.owns' },
};

/** A rejected customer operation. */
export class CustomerError extends AppError<CustomerErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
