import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutboundFailure } from './outbound-failure.js';
import type { OutboundHeaders } from './outbound-request.js';

/** Belong to the connection or are made by the client itself: a caller's are dropped. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** All that another origin gets to see of the caller's headers; any other may carry a secret (`X-Api-Key`, …). */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-language', 'content-type', 'user-agent']);

const BODY_HEADERS = ['content-language', 'content-type'];

/** Headers of a call: lower-case names, every value checked. */
export type HeaderMap = Map<string, string>;

/**
 * Reads the caller's headers. `Host`, hop-by-hop headers and the ones the client makes itself are dropped; a repeated name is
 * joined as RFC 9110 §5.3 says.
 *
 * @throws OutboundFailure `FAILED` for a name or value that cannot stand in a header, above all one with a line break.
 */
export function parseHeaders(headers: OutboundHeaders | null | undefined): HeaderMap {
  if (typeof headers === 'string') throw new OutboundFailure('FAILED', 'headers are neither a map nor a list');
  const parsed: HeaderMap = new Map();
  for (const [given, value] of Array.isArray(headers) ? headers.map(splitLine) : Object.entries(headers ?? {})) {
    const name = given.toLowerCase();
    const text = checked(name, value);
    if (OWN_HEADERS.has(name)) continue;
    const before = parsed.get(name);
    parsed.set(name, before === undefined ? text : `${before}${name === 'cookie' ? '; ' : ', '}${text}`);
  }
  return parsed;
}

/** What is left of `headers` for another origin. */
export function harmlessHeaders(headers: HeaderMap): HeaderMap {
  return new Map([...headers].filter(([name]) => HARMLESS_HEADERS.has(name)));
}

/** What is left of `headers` when the body is not sent again. */
export function bodilessHeaders(headers: HeaderMap): HeaderMap {
  return new Map([...headers].filter(([name]) => !BODY_HEADERS.includes(name)));
}

function splitLine(line: unknown): [string, string] {
  const text = typeof line === 'string' ? line : '';
  const colon = text.indexOf(':');
  if (colon < 1) throw new OutboundFailure('FAILED', 'header line without a name');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function checked(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new OutboundFailure('FAILED', 'header value is not text');
  const text = String(value).replace(/^[ \t]+|[ \t]+$/g, '');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, text);
  } catch (error) {
    throw new OutboundFailure('FAILED', 'header with illegal characters', { cause: error });
  }
  return text;
}
