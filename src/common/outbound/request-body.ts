import { OutboundFailure } from './outbound-failure.js';
import type { OutboundBody } from './outbound-request.js';

/** A body as it goes over the wire. */
export interface EncodedBody {
  bytes: Uint8Array;
  /** What the body is when the caller's headers do not say. */
  contentType: string;
}

/**
 * Makes the bytes of `body`; undefined where there is none.
 *
 * @throws OutboundFailure `FAILED` for an object JSON cannot express (a cycle, a bigint).
 */
export function encodeBody(body: OutboundBody | null | undefined): EncodedBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: 'application/x-www-form-urlencoded' };
  if (body instanceof Uint8Array) return { bytes: body, contentType: 'application/octet-stream' };
  if (body instanceof URLSearchParams) return encodeBody(body.toString());
  try {
    return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json' };
  } catch (error) {
    throw new OutboundFailure('FAILED', 'body cannot be written as JSON', { cause: error });
  }
}
