import { AppError, type ErrorShape } from '../../common/index.js';

/** Error codes of a mail that was not sent. */
export type MailFailureCode =
  | 'NOT_SET_UP'
  | 'NAME_NOT_FOUND'
  | 'CONNECTION_REFUSED'
  | 'UNREACHABLE'
  | 'TIMED_OUT'
  | 'CONNECTION_LOST'
  | 'CERTIFICATE_NAME'
  | 'CERTIFICATE_DATE'
  | 'CERTIFICATE_UNKNOWN'
  | 'NO_TLS'
  | 'WRONG_PASSWORD'
  | 'LOGIN_NEEDED'
  | 'SENDER_REFUSED'
  | 'RECEIVER_REFUSED'
  | 'LATER'
  | 'MESSAGE_REFUSED'
  | 'NO_MAIL_SERVER'
  | 'BOUNCED';

/** Permanent failures, which a retry without changes would repeat. */
const LASTING: readonly MailFailureCode[] = [
  'NOT_SET_UP',
  'CERTIFICATE_NAME',
  'CERTIFICATE_DATE',
  'CERTIFICATE_UNKNOWN',
  'NO_TLS',
  'WRONG_PASSWORD',
  'LOGIN_NEEDED',
  'SENDER_REFUSED',
  'RECEIVER_REFUSED',
  'MESSAGE_REFUSED',
  'BOUNCED',
];

const MAX_REPLY = 300;

/** A failed mail, described so that the administrator can fix the cause. */
export class MailFailure extends AppError<MailFailureCode> {
  /** @param reply response of the mail server, if any */
  constructor(code: MailFailureCode, params: { server: string; reply?: string }, cause?: unknown) {
    super(code, { server: params.server, reply: (params.reply ?? '').replace(/\s+/g, ' ').slice(0, MAX_REPLY) }, undefined, { cause });
  }

  get shape(): ErrorShape {
    return { err: this.code === 'NOT_SET_UP' ? 'E_STATE' : 'E_UNREACH', text: `notify.mail_failure.${this.code.toLowerCase()}` };
  }

  /** Whether a retry would fail in the same way. */
  get isLasting(): boolean {
    return LASTING.includes(this.code);
  }
}

/** Fields of nodemailer's errors; see its `errors`. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message?: string;
  readonly cause?: { readonly code?: string };
}

/** Converts an error of nodemailer. @param server host and port, for the message */
export function mailFailureOf(error: unknown, server: string): MailFailure {
  if (error instanceof MailFailure) return error;
  const { response, responseCode, message } = error as SmtpError;
  return new MailFailure(codeOf(error as SmtpError), { server, reply: response ?? (responseCode ? message : undefined) }, error);
}

function codeOf({ code = '', command = '', responseCode, message = '', cause }: SmtpError): MailFailureCode {
  const says = (pattern: RegExp): boolean => pattern.test(`${code} ${cause?.code ?? ''} ${message}`);
  if (responseCode !== undefined) return codeOfReply(code, command, responseCode);
  if (says(/EDNS|ENOTFOUND|EAI_AGAIN/)) return 'NAME_NOT_FOUND';
  if (says(/altname/i)) return 'CERTIFICATE_NAME';
  if (says(/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has expired|is not yet valid)/i)) return 'CERTIFICATE_DATE';
  if (says(/certificate|CERT_|self.signed|issuer/i)) return 'CERTIFICATE_UNKNOWN';
  if (says(/wrong version number|ETLS|STARTTLS|packet length too long|SSL routines|EPROTO\b/i)) return 'NO_TLS';
  if (says(/ECONNREFUSED/)) return 'CONNECTION_REFUSED';
  if (says(/ETIMEDOUT|ETIMEOUT|timed? ?out/i)) return 'TIMED_OUT';
  if (says(/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES/)) return 'UNREACHABLE';
  if (says(/ENOAUTH|EAUTH/)) return 'WRONG_PASSWORD';
  if (says(/EPROTOCOL|Invalid greeting/i)) return 'NO_MAIL_SERVER';
  return 'CONNECTION_LOST';
}

/** RFC 5321: 4yz replies are temporary, 5yz replies permanent. */
function codeOfReply(code: string, command: string, reply: number): MailFailureCode {
  if (reply === 530 || (reply === 550 && command === 'CONN')) return reply === 530 ? 'LOGIN_NEEDED' : 'MESSAGE_REFUSED';
  if (code === 'EAUTH') return reply >= 500 ? 'WRONG_PASSWORD' : 'LATER';
  if (code === 'ETLS' || command === 'STARTTLS') return 'NO_TLS';
  if (reply < 500) return 'LATER';
  if (command === 'MAIL FROM') return 'SENDER_REFUSED';
  if (command === 'RCPT TO') return 'RECEIVER_REFUSED';
  return 'MESSAGE_REFUSED';
}
