import { AppError, type ErrorShape } from '../../common/index.js';

/** Why a mail did not leave. */
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

/** Those that the same mail meets again however often it is tried, until somebody changes something. */
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

/** A mail that did not leave, told so that whoever runs the panel can do something about it. */
export class MailFailure extends AppError<MailFailureCode> {
  /** @param reply what the mail server said, if it said something */
  constructor(code: MailFailureCode, params: { server: string; reply?: string }, cause?: unknown) {
    super(code, { server: params.server, reply: (params.reply ?? '').replace(/\s+/g, ' ').slice(0, MAX_REPLY) }, undefined, { cause });
  }

  get shape(): ErrorShape {
    return { err: this.code === 'NOT_SET_UP' ? 'E_STATE' : 'E_UNREACH', text: `notify.mail_failure.${this.code.toLowerCase()}` };
  }

  /** Whether another try would end the same way. */
  get isLasting(): boolean {
    return LASTING.includes(this.code);
  }
}

/** What nodemailer says of a failure; see its `errors`. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message?: string;
  readonly cause?: { readonly code?: string };
}

/** What an error of nodemailer means. @param server host and port, for the text */
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

/** By RFC 5321: 4yz may work later, 5yz will not. */
function codeOfReply(code: string, command: string, reply: number): MailFailureCode {
  if (reply === 530 || (reply === 550 && command === 'CONN')) return reply === 530 ? 'LOGIN_NEEDED' : 'MESSAGE_REFUSED';
  if (code === 'EAUTH') return reply >= 500 ? 'WRONG_PASSWORD' : 'LATER';
  if (code === 'ETLS' || command === 'STARTTLS') return 'NO_TLS';
  if (reply < 500) return 'LATER';
  if (command === 'MAIL FROM') return 'SENDER_REFUSED';
  if (command === 'RCPT TO') return 'RECEIVER_REFUSED';
  return 'MESSAGE_REFUSED';
}
