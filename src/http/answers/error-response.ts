import { randomBytes } from 'node:crypto';

import { AppError, loggerFor, translate, type ErrorShape, type Locale, type TextRef, type WireError } from '../../common/index.js';

const log = loggerFor('http');

/** An error translated for the client, before it is put into an envelope. */
export interface ErrorResponse {
  /** Omitted when the envelope decides. */
  readonly status?: ErrorShape['status'];
  readonly err: WireError;
  readonly text: string;
  /** Messages by form field. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Additional fields of the answer. */
  readonly extras?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Id under which the error is logged, for inquiries to the administrator. */
  readonly id?: string;
}

/** Creates an id that links a short error message to its details in the log. */
export const newErrorId = (): string => randomBytes(6).toString('hex');

/**
 * Converts an error for the client. An AppError describes itself; any other error is logged and the client sees only its id.
 *
 * @param about additional fields for the log entry
 */
export function toErrorResponse(error: unknown, locale: Locale, about: Readonly<Record<string, unknown>> = {}): ErrorResponse {
  if (!(error instanceof AppError)) {
    const id = newErrorId();
    log.error({ err: error, errorId: id, ...about }, 'a request failed');
    return { status: 500, err: 'E_INTERNAL', text: translate(locale, 'common.internal', { id }), id };
  }
  const { shape, params, fields, extras } = error;
  const say = (text: string | TextRef): string =>
    typeof text === 'string' ? translate(locale, text, params) : translate(locale, text.key, text.params);
  return {
    status: shape.status,
    err: shape.err,
    text: translate(locale, shape.text, params),
    ...(fields ? { fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, say(text)])) } : {}),
    extras,
    ...(typeof params.seconds === 'number' ? { headers: { 'Retry-After': String(params.seconds) } } : {}),
  };
}
