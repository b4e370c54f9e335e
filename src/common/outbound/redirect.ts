import type { IncomingMessage } from 'node:http';
import type { Hop } from './exchange.js';
import { bodilessHeaders, harmlessHeaders } from './request-headers.js';
import { parseTarget } from './target.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where `response` sends its caller; undefined when it is no redirect or names no place. */
export function redirectLocation(response: IncomingMessage): string | undefined {
  return REDIRECTS.has(response.statusCode ?? 0) ? response.headers.location || undefined : undefined;
}

/**
 * The request that follows `hop` after a redirect: method and body as the Fetch standard says ("HTTP-redirect fetch"), and
 * for another origin none of the caller's headers that could be a secret.
 *
 * @throws OutboundFailure `URL` or `SCHEME` for a place that is no http(s) URL.
 */
export function redirectedHop(hop: Hop, status: number, location: string): Hop {
  const url = parseTarget(location, hop.url);
  const dropsBody = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const headers = url.origin === hop.url.origin ? hop.headers : harmlessHeaders(hop.headers);
  if (!dropsBody) return { ...hop, url, headers };
  return { url, method: 'GET', headers: bodilessHeaders(headers), body: undefined };
}
