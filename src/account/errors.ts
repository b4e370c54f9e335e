import { AppError, type ErrorShape } from '../common/index.js';

/** Why a change of one's own account was rejected. */
export type AccountErrorCode =
  | 'SESSION_MISSING'
  | 'CREDENTIALS_RULE'
  | 'NOTHING_TO_CHANGE'
  | 'NAME_CHARACTERS'
  | 'PUBLISHED_PASSWORD'
  | 'OLD_CREDENTIALS_WRONG'
  | 'NAME_TAKEN'
  | 'OLD_PASSWORD_WRONG'
  | 'PASSWORD_RULE'
  | 'PASSWORDS_RULE'
  | 'NO_PASSWORD'
  | 'DATABASE_PASSWORD'
  | 'PASSWORD_SYNCED'
  | 'ONE_CLICK_WRONG'
  | 'SEARCH_WRONG'
  | 'SEARCH_FIELD_UNKNOWN'
  | 'LOG_LINE_MISSING'
  | 'LOG_LINES_NONE'
  | 'LOG_LINES_MANY'
  | 'SECOND_FACTOR_ON'
  | 'SECOND_FACTOR_OFF'
  | 'SECOND_FACTOR_OVER'
  | 'NO_SECOND_FACTOR'
  | 'CODE_WRONG'
  | 'HOST_SECOND_FACTOR_OFF'
  | 'LOG_LINE_STAYS'
  | 'RESET_NO_MAIL'
  | 'RESET_LINK_OVER'
  | 'LIMIT_WHICH'
  | 'LIMIT_MISSING'
  | 'LOG_DAYS';

const ERROR_MAP: Record<AccountErrorCode, ErrorShape> = {
  SESSION_MISSING: { err: 'E_NOTEXIST', text: 'account.session_missing' },
  CREDENTIALS_RULE: { err: 'E_ARGS', text: 'account.admin_name_rule' },
  NOTHING_TO_CHANGE: { err: 'E_ARGS', text: 'account.nothing_to_change' },
  NAME_CHARACTERS: { err: 'E_ARGS', text: 'account.name_characters' },
  PUBLISHED_PASSWORD: { err: 'E_ARGS', text: 'account.published_password' },
  OLD_CREDENTIALS_WRONG: { err: 'E_ARGS', text: 'account.old_credentials_wrong' },
  NAME_TAKEN: { err: 'E_EXISTS', text: 'account.name_taken' },
  OLD_PASSWORD_WRONG: { err: 'E_ARGS', text: 'account.old_password_wrong' },
  PASSWORD_RULE: { err: 'E_ARGS', text: 'account.password_rule' },
  PASSWORDS_RULE: { err: 'E_ARGS', text: 'account.passwords_rule' },
  NO_PASSWORD: { err: 'E_ARGS', text: 'account.no_password' },
  DATABASE_PASSWORD: { err: 'E_ARGS', text: 'account.database_password' },
  PASSWORD_SYNCED: { err: 'E_DISABLED', text: 'account.password_synced' },
  ONE_CLICK_WRONG: { err: 'E_ARGS', text: 'account.one_click_wrong' },
  SEARCH_WRONG: { err: 'E_ARGS', text: 'account.search_wrong' },
  SEARCH_FIELD_UNKNOWN: { err: 'E_ARGS', text: 'account.search_field_unknown' },
  LOG_LINE_MISSING: { err: 'E_NOTEXIST', text: 'account.log_line_missing' },
  LOG_LINES_NONE: { err: 'E_ARGS', text: 'account.log_lines_none' },
  SECOND_FACTOR_ON: { err: 'E_STATE', text: 'account.f2_is_on' },
  SECOND_FACTOR_OFF: { err: 'E_STATE', text: 'account.f2_is_off' },
  SECOND_FACTOR_OVER: { err: 'E_STATE', text: 'account.f2_over' },
  NO_SECOND_FACTOR: { err: 'E_STATE', text: 'account.f2_none' },
  HOST_SECOND_FACTOR_OFF: { err: 'E_STATE', text: 'account.f2_host_none' },
  LOG_LINE_STAYS: { err: 'E_STATE', text: 'account.log_line_stays' },
  LOG_DAYS: { err: 'E_ARGS', text: 'account.log_days_rule' },
  LIMIT_WHICH: { err: 'E_ARGS', text: 'account.limit_which' },
  LIMIT_MISSING: { err: 'E_NOTEXIST', text: 'account.limit_missing' },
  RESET_NO_MAIL: { err: 'E_DISABLED', text: 'account.reset_no_mail' },
  RESET_LINK_OVER: { err: 'E_STATE', text: 'account.reset_link_over' },
  CODE_WRONG: { err: 'E_ARGS', text: 'account.code_wrong' },
  LOG_LINES_MANY: { err: 'E_ARGS', text: 'account.log_lines_many' },
};

/** A rejected change of one's own account. */
export class AccountError extends AppError<AccountErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
