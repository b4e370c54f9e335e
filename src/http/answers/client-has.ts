import type { IncomingMessage } from 'node:http';

import fresh from 'fresh';

/**
 * Whether the client has what it asks for, going by its `If-None-Match`: one tag, a list, `*`; weak ones count, as a proxy that compresses
 * makes them. A forced reload has its own headers and is not asked about here. Source: RFC 9110 section 13.1.2.
 *
 * @param etag with its quotes
 */
export const clientHas = ({ headers }: IncomingMessage, etag: string): boolean =>
  fresh({ 'if-none-match': headers['if-none-match'] }, { etag });
