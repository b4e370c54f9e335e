import { assertUnreachable, DEFAULT_LOCALE, translate, type TextParams, type TextRef } from '../../common/index.js';
import type { HostingError } from '../hosting-errors.js';

/** Body of a response; always sent with HTTP 200. */
export interface ExternalReply {
  readonly success: boolean;
  /** 200 success, 100 rejected, 300 the client is too old. */
  readonly code: 100 | 200 | 300;
  readonly msg: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Outcome of a call; the operation log shows its text in the reader's language. */
export interface Outcome extends Pick<ExternalReply, 'success' | 'code' | 'data'> {
  readonly text: TextRef;
}

/** Creates a success. @param text key of this feature's texts, without its prefix */
export function done(text: string, data?: Outcome['data']): Outcome {
  return { success: true, code: 200, text: { key: `hosting.${text}` }, data };
}

/** Creates a rejection. @param text as for {@link done} */
export function refused(text: string, params?: TextParams, data?: Outcome['data']): Outcome {
  return failure(`hosting.${text}`, params, data);
}

/** Creates a rejection with any text. @param text full key */
export function failure(text: string, params?: TextParams, data?: Outcome['data']): Outcome {
  return { success: false, code: 100, text: { key: text, params }, data };
}

/** Formats the response in Chinese: deployed clients show it to people unchanged. */
export function replyOf({ success, code, text, data }: Outcome): ExternalReply {
  const reply = { success, code, msg: translate(DEFAULT_LOCALE, text.key, text.params) };
  return data ? { ...reply, data } : reply;
}

/** Returns the server's message, or the error's text, for the sentence `…失败！因为{text}`. */
export function causeOf(error: HostingError): TextParams[string] {
  if ((error.code === 'NODE_REFUSED' || error.code === 'CREATION_REFUSED') && error.params.text) return error.params.text;
  const [key, params] = textOf(error);
  return { key, params };
}

/** Returns the error text that shop modules expect. */
export function textOf(error: HostingError): [text: string, params: TextParams] {
  switch (error.code) {
    case 'CREATION_REFUSED':
      return ['hosting.api_create_failed', error.params];
    case 'NODE_NOT_FOUND':
    case 'NODE_DISABLED':
      return ['hosting.api_node', {}];
    case 'INVALID_INPUT':
      return firstField(error) ?? [error.shape.text, {}];
    case 'NODE_FULL':
    case 'GROUP_NOT_FOUND':
    case 'GROUP_AWAY':
    case 'GROUP_FULL':
    case 'ACCOUNT_EXISTS':
    case 'REQUEST_REUSED':
    case 'CREDENTIALS_TOO_SHORT':
    case 'ACCOUNT_NOT_FOUND':
    case 'ACCOUNT_BUSY':
    case 'ACCOUNT_STATE':
    case 'ACCOUNT_PAUSED':
    case 'DRIVER_MISSING':
    case 'NODE_REFUSED':
    case 'PANEL_DISK':
    case 'PANEL_FULL':
    case 'SITE_MISSING':
    case 'NODE_UNREACHABLE':
    case 'NODE_UNCERTAIN':
    case 'NODE_SILENT':
    case 'NODE_LATE':
    case 'NODE_SHUT':
    case 'PORT_MISSING':
    case 'DATABASE_NONE':
    case 'SITE_EXPIRED':
    case 'SITE_MOVING':
    case 'SITE_PAUSED':
    case 'DELETIONS_HELD':
    case 'CLOCK_JUMPED':
    case 'CLOCK_CONFIRMED':
    case 'BIN_GONE':
    case 'BIN_BUSY':
    case 'BIN_LOST':
    case 'SITE_KNOWN':
      return [error.shape.text, error.params];
    default:
      return assertUnreachable(error.code);
  }
}

/** Returns the error of the first invalid field. */
function firstField({ fields = {} }: HostingError): [text: string, params: TextParams] | null {
  const [text] = Object.values(fields);
  if (text === undefined) return null;
  return typeof text === 'string' ? [text, {}] : [text.key, text.params ?? {}];
}
