import { assertUnreachable, DEFAULT_LOCALE, translate, type TextParams } from '../../common/index.js';
import type { HostingError } from '../hosting-errors.js';

/** Body of an answer; sent with HTTP 200 always. */
export interface ExternalReply {
  readonly success: boolean;
  /** 200 done, 100 refused, 300 the client is too old. */
  readonly code: 100 | 200 | 300;
  readonly msg: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A success. @param text key of this feature's texts, without its prefix */
export function done(text: string, data?: ExternalReply['data']): ExternalReply {
  const reply = { success: true, code: 200, msg: translate(DEFAULT_LOCALE, `hosting.${text}`) } as const;
  return data ? { ...reply, data } : reply;
}

/** A refusal. @param text as for {@link done} */
export function refused(text: string, params?: TextParams, data?: ExternalReply['data']): ExternalReply {
  const reply = failure(`hosting.${text}`, params);
  return data ? { ...reply, data } : reply;
}

/** A refusal with any text. @param text whole key */
export function failure(text: string, params?: TextParams): ExternalReply {
  return { success: false, code: 100, msg: translate(DEFAULT_LOCALE, text, params) };
}

/** What the server said, or what is the matter, as the part of a sentence `…失败！因为{text}`. */
export function causeOf(error: HostingError): string {
  if ((error.code === 'NODE_REFUSED' || error.code === 'CREATION_REFUSED') && error.params.text) return String(error.params.text);
  return translate(DEFAULT_LOCALE, ...textOf(error));
}

/** Text of a refusal as shop modules know it. */
export function textOf(error: HostingError): [text: string, params: TextParams] {
  switch (error.code) {
    case 'CREATION_REFUSED':
      return ['hosting.api_create_failed', error.params];
    case 'NODE_NOT_FOUND':
    case 'NODE_DISABLED':
      return ['hosting.api_node', {}];
    case 'INVALID_INPUT':
      return [Object.values(error.fields ?? {})[0] ?? error.shape.text, {}];
    case 'ACCOUNT_EXISTS':
    case 'REQUEST_REUSED':
    case 'CREDENTIALS_TOO_SHORT':
    case 'ACCOUNT_NOT_FOUND':
    case 'ACCOUNT_BUSY':
    case 'ACCOUNT_STATE':
    case 'ACCOUNT_PAUSED':
    case 'DRIVER_MISSING':
    case 'NODE_REFUSED':
    case 'SITE_MISSING':
    case 'NODE_UNREACHABLE':
    case 'NODE_UNCERTAIN':
      return [error.shape.text, error.params];
    default:
      return assertUnreachable(error.code);
  }
}
