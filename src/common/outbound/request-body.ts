import { OutboundFailure } from './outbound-failure.js';
import type { OutboundBody } from './outbound-request.js';

/** A body in its wire format. */
export interface EncodedBody {
  bytes: Uint8Array;
  /** Default content type if the caller's headers set none. */
  contentType: string;
}

/**
 * Encodes `body`; returns undefined for no body.
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
