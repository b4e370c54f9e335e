import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutboundFailure } from './outbound-failure.js';
import type { OutboundHeaders } from './outbound-request.js';

/** Headers of the connection or set by the client itself: the caller's are dropped. */
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

/** The only caller's headers sent to another origin; any other may contain a secret (`X-Api-Key`, …). */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'content-language', 'content-type', 'user-agent']);

const BODY_HEADERS = ['content-language', 'content-type'];

/** Request headers: lower-case names, every value checked. */
export type HeaderMap = Map<string, string>;

/**
 * Parses the caller's headers. `Host`, hop-by-hop headers and those the client sets itself are dropped; repeated names are
 * joined as in RFC 9110 §5.3.
 *
 * @throws OutboundFailure `FAILED` for an invalid name or value, above all one with a line break.
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

/** Returns the headers that may be sent to another origin. */
export function harmlessHeaders(headers: HeaderMap): HeaderMap {
  return new Map([...headers].filter(([name]) => HARMLESS_HEADERS.has(name)));
}

/** Returns the headers for a redirect that drops the body. */
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
