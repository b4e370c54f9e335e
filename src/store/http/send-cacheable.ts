import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { sendBody, sendNotModified } from '../../http/index.js';

/** Length of an ETag in characters: 132 bits of the hash. */
const TAG_LENGTH = 22;

/**
 * Sends a cacheable text, or 304 if the client's copy is current. The ETag is weak because compressed and plain responses share it. Source:
 * RFC 9110 section 8.8.3.
 *
 * @param headers of both responses, including `Cache-Control`
 * @param ownHeaders only of the full response
 */
export function sendCacheable(
  req: IncomingMessage,
  res: ServerResponse,
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> & { readonly 'Cache-Control': string },
  ownHeaders: Readonly<Record<string, string>> = {},
): void {
  const etag = `W/"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
  const tagged = { 'X-Content-Type-Options': 'nosniff', ...headers, ETag: etag };
  if (!sendNotModified(req, res, tagged)) sendBody(res, 200, type, text, { ...tagged, ...ownHeaders });
}
