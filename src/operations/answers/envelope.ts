import { translate, type Locale } from '../../common/index.js';
import { panelEnvelope, type WireReply } from '../../http/index.js';

import { SuccessReply, ListReply, RawReply } from './replies.js';

/** Wraps a success in the panel's envelope. Source: docs/panel-api.md "Answers". */
export function successReply(reply: unknown, locale: Locale): WireReply {
  if (reply instanceof ListReply) return { status: 200, body: { total: reply.total, rows: reply.rows } };
  if (reply instanceof RawReply) return { status: 200, body: reply.body, headers: reply.headers };
  if (reply instanceof SuccessReply) {
    const text = translate(locale, reply.text, reply.params);
    return {
      status: 200,
      body: panelEnvelope.success(text, reply.extras),
      headers: reply.headers,
    };
  }
  throw new Error('A core operation must return a SuccessReply, ListReply or RawReply.');
}

/** Sets the answer's `code` to the number that the operation's clients expect, if it declares one. Lists have no code. */
export function codedReply(reply: WireReply, operation: { readonly numericCode?: boolean }): WireReply {
  if (!operation.numericCode || !('success' in reply.body)) return reply;
  return { ...reply, body: { ...reply.body, code: reply.body.success === true ? 1 : 0 } };
}

/** Whether a body reports a failure. */
export function isFailure(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'success' in body && body.success === false;
}
