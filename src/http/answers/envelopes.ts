import type { Locale } from '../../common/index.js';

import { type ErrorResponse, toErrorResponse } from './error-response.js';

/** Status, body and headers of an answer. */
export interface WireReply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** The panel's envelope: failures have status 200 unless the error names another. Source: docs/panel-api.md "Answers". */
export const panelEnvelope = {
  success: (text: string, extras: Readonly<Record<string, unknown>>): object => ({
    ...extras,
    success: true,
    qk: 1,
    code: text,
    msg: text,
    data: extras,
  }),
  failure: ({ status = 200, err, text, fields, extras, headers, id }: ErrorResponse): WireReply => ({
    status,
    body: {
      ...extras,
      success: false,
      qk: 4,
      code: text,
      msg: text,
      err,
      data: null,
      ...(fields ? { fields } : {}),
      ...(id === undefined ? {} : { rid: id }),
    },
    headers,
  }),
} as const;

/** Returns the panel's reply to a failure: {@link toErrorResponse} in the panel's envelope. */
export function failureReply(error: unknown, locale: Locale): WireReply {
  return panelEnvelope.failure(toErrorResponse(error, locale));
}

/** The store's envelope: `code` is 0 or the HTTP status. Source: docs/store-api.md "Answers". */
export const storeEnvelope = {
  success: (text: string, data: unknown): object => ({ code: 0, msg: text, data }),
  failure: ({ status = 400, text, headers }: ErrorResponse): WireReply => ({
    status,
    body: { code: status, msg: text, data: null },
    headers,
  }),
} as const;
