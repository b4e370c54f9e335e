import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import fresh from 'fresh';

/**
 * Tells a client that it has what it asks for (304), going by its `If-None-Match`: one tag, a list, `*`; weak ones count, as a proxy that
 * compresses makes them. A forced reload has its own headers and is not asked about here. Source: RFC 9110 section 13.1.2.
 *
 * @returns whether it has; otherwise nothing was sent
 */
export function sendNotModified(
  req: IncomingMessage,
  res: ServerResponse,
  headers: OutgoingHttpHeaders & { readonly ETag: string },
): boolean {
  const isFresh = fresh({ 'if-none-match': req.headers['if-none-match'] }, { etag: headers.ETag });
  if (isFresh) res.writeHead(304, headers).end();
  return isFresh;
}
