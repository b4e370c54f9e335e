import { randomBytes } from 'node:crypto';

import { AppError, loggerFor, translate, type ErrorShape, type Locale, type TextRef, type WireError } from '../../common/index.js';

const log = loggerFor('http');

/** An error in the language of whoever is told of it, before it is put into an envelope. */
export interface ErrorResponse {
  /** Left out where the error leaves it to the envelope. */
  readonly status?: ErrorShape['status'];
  readonly err: WireError;
  readonly text: string;
  /** Text by field of a form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the answer carries besides. */
  readonly extras?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The number to ask the administrator about: the log has it. */
  readonly id?: string;
}

/** A number under which the log has more than somebody is told. */
export const newErrorId = (): string => randomBytes(6).toString('hex');

/**
 * What was thrown on purpose says what it is; anything else is ours, goes into the log, and shows an id only.
 *
 * @param about what the log should say besides
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
