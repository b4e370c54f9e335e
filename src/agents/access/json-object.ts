import { NodeApiError } from '../node-api-error.js';
import type { StreamHash } from '../wire/index.js';

/** Parses a body as a JSON object; an empty body is an empty object. @throws NodeApiError BODY */
export function jsonObject(body: Buffer | StreamHash): Record<string, unknown> {
  // A streamed body is not parsed.
  if (typeof body === 'string' || body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new NodeApiError('BODY', {}, undefined, { cause });
  }
  // Some languages serialize an empty map as an empty array.
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NodeApiError('BODY');
  return value as Record<string, unknown>;
}
