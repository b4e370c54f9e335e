import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { sendBody, sendNotModified } from '../../http/index.js';

/** Characters of a tag: 132 bits of the hash. */
const TAG_LENGTH = 22;

/**
 * Sends a text that clients may keep for a while, or that theirs is still the same (304). Its tag is a weak one: compressed or not, it is
 * the same text. Source: RFC 9110 section 8.8.3.
 *
 * @param headers of both answers, `Cache-Control` among them
 * @param ownHeaders of the text alone
 */
export function sendKept(
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
