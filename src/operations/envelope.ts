import { randomBytes } from 'node:crypto';

import { AppError, loggerFor, translate, type Locale } from '../common/index.js';

import { SuccessReply, Page, RawReply } from './replies.js';

const log = loggerFor('operations');

/** A body on its way out. */
export interface WireReply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** The envelope of a success. Source: docs/panel-api.md "Answers". */
export function successReply(reply: unknown, locale: Locale): WireReply {
  if (reply instanceof Page) return { status: 200, body: { total: reply.total, rows: reply.rows } };
  if (reply instanceof RawReply) return { status: 200, body: reply.body, headers: reply.headers };
  if (reply instanceof SuccessReply) {
    const text = translate(locale, reply.text, reply.params);
    return {
      status: 200,
      body: { ...reply.extras, success: true, qk: 1, code: text, msg: text, data: reply.extras },
      headers: reply.headers,
    };
  }
  throw new Error('A core operation answers with SuccessReply, Page or RawReply.');
}

/** The envelope of a failure: what was thrown on purpose says what it is, anything else is ours and shows an id only. */
export function failureReply(error: unknown, locale: Locale): WireReply {
  if (error instanceof AppError) {
    const { shape } = error;
    const text = translate(locale, shape.text, error.params);
    const headers = typeof error.params.seconds === 'number' ? { 'Retry-After': String(error.params.seconds) } : undefined;
    return {
      status: shape.status ?? 200,
      body: {
        success: false,
        qk: 4,
        code: text,
        msg: text,
        err: shape.err,
        data: null,
        ...(error.fields
          ? { fields: Object.fromEntries(Object.entries(error.fields).map(([name, key]) => [name, translate(locale, key)])) }
          : {}),
      },
      headers,
    };
  }
  const id = randomBytes(6).toString('hex');
  log.error({ err: error, errorId: id }, 'operation failed');
  const text = translate(locale, 'common.internal', { id });
  return { status: 500, body: { success: false, qk: 4, code: text, msg: text, err: 'E_INTERNAL', data: null, rid: id } };
}

/** The answer as the operation's clients know its `code`: a number where that was declared. Lists have none. */
export function codedReply(reply: WireReply, operation?: { readonly numericCode?: boolean }): WireReply {
  if (!operation?.numericCode || !('success' in reply.body)) return reply;
  return { ...reply, body: { ...reply.body, code: reply.body.success === true ? 1 : 0 } };
}

/** Whether a body says that nothing was done. */
export function refuses(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'success' in body && body.success === false;
}
