import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import fresh from 'fresh';

/**
 * Answers 304 if the client's `If-None-Match` matches: one tag, a list or `*`. Weak tags match, since a compressing proxy makes tags weak.
 * Forced reloads (`Cache-Control`) are not considered. Source: RFC 9110 section 13.1.2.
 *
 * @returns whether 304 was sent; otherwise nothing was sent
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
