import type { IncomingMessage } from 'node:http';
import type { Hop } from './exchange.js';
import { bodilessHeaders, harmlessHeaders } from './request-headers.js';
import { parseTarget } from './target.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Returns the redirect target of `response`; undefined if it is no redirect or names no target. */
export function redirectLocation(response: IncomingMessage): string | undefined {
  return REDIRECTS.has(response.statusCode ?? 0) ? response.headers.location || undefined : undefined;
}

/**
 * Returns the request that follows `hop` after a redirect: method and body as in the Fetch standard ("HTTP-redirect fetch"), and
 * for another origin without any caller's header that could be a secret.
 *
 * @throws OutboundFailure `URL` or `SCHEME` for a target that is no http(s) URL.
 */
export function redirectedHop(hop: Hop, status: number, location: string): Hop {
  const url = parseTarget(location, hop.url);
  const dropsBody = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const headers = url.origin === hop.url.origin ? hop.headers : harmlessHeaders(hop.headers);
  if (!dropsBody) return { ...hop, url, headers };
  return { url, method: 'GET', headers: bodilessHeaders(headers), body: undefined };
}
