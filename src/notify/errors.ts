import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of requests about notices. */
export type NotifyErrorCode =
  | 'NOTICE_MISSING'
  | 'NOTHING_CHOSEN'
  | 'IDS_WRONG'
  | 'SERVER_NEEDED'
  | 'SERVER_UNKNOWN'
  | 'NAMES_NEEDED'
  | 'NAMES_MANY'
  | 'RECEIVERS_UNKNOWN'
  | 'NO_RECEIVERS'
  | 'ANNOUNCEMENT_MISSING'
  | 'ANNOUNCEMENT_TIMES'
  | 'DELIVERY_MISSING'
  | 'NO_MAIL'
  | 'MAIL_PASSWORD_AGAIN'
  | 'TEMPLATE_MISSING'
  | 'TEMPLATE_EMPTY'
  | 'TEMPLATE_BROKEN';

const ERROR_MAP: Record<NotifyErrorCode, ErrorShape> = {
  NOTICE_MISSING: { err: 'E_NOTEXIST', text: 'notify.notice_missing' },
  NOTHING_CHOSEN: { err: 'E_ARGS', text: 'notify.nothing_chosen' },
  IDS_WRONG: { err: 'E_ARGS', text: 'notify.ids_wrong' },
  SERVER_NEEDED: { err: 'E_ARGS', text: 'notify.server_needed' },
  SERVER_UNKNOWN: { err: 'E_NOTEXIST', text: 'notify.server_unknown' },
  MAIL_PASSWORD_AGAIN: { err: 'E_ARGS', text: 'notify.mail_password_again' },
  NAMES_NEEDED: { err: 'E_ARGS', text: 'notify.names_needed' },
  NAMES_MANY: { err: 'E_LIMIT', text: 'notify.names_many' },
  RECEIVERS_UNKNOWN: { err: 'E_NOTEXIST', text: 'notify.receivers_unknown' },
  NO_RECEIVERS: { err: 'E_NOTEXIST', text: 'notify.no_receivers' },
  ANNOUNCEMENT_MISSING: { err: 'E_NOTEXIST', text: 'notify.announcement_missing' },
  ANNOUNCEMENT_TIMES: { err: 'E_ARGS', text: 'notify.announcement_times' },
  DELIVERY_MISSING: { err: 'E_STATE', text: 'notify.delivery_missing' },
  TEMPLATE_MISSING: { err: 'E_NOTEXIST', text: 'notify.template_missing' },
  TEMPLATE_EMPTY: { err: 'E_ARGS', text: 'notify.template_empty' },
  TEMPLATE_BROKEN: { err: 'E_ARGS', text: 'notify.template_broken' },
  NO_MAIL: { err: 'E_STATE', text: 'notify.no_mail' },
};

/** Error of such a request. */
export class NotifyError extends AppError<NotifyErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
