import { NodeApiError } from '../node-api-error.js';
import type { StreamHash } from '../wire/index.js';

/** The object a body is; an empty body is an empty one. @throws NodeApiError BODY */
export function jsonObject(body: Buffer | StreamHash): Record<string, unknown> {
  // A stream is no message.
  if (typeof body === 'string' || body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new NodeApiError('BODY', {}, undefined, { cause });
  }
  // What programs of some languages make of an empty map.
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NodeApiError('BODY');
  return value as Record<string, unknown>;
}
