import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

import { acceptedCoding, compressor, isText, type ContentCoding } from './content-coding.js';

/** Smallest body that is compressed, in bytes: below it compression hardly saves a packet. */
const MIN_BYTES = 2_048;
/**
 * Node writes a string in one piece with the head but a buffer in two. From this many characters on a buffer is faster, because a string is
 * traversed twice: to count its bytes and to send them.
 */
const LONG_TEXT = 32_768;

/** Headers of an answer, including its content type. */
export type WholeHeaders = Readonly<Record<string, string | number | string[]>> & { readonly 'Content-Type': string };

/** Sends head and body of an answer: with its length, or compressed if it is long text and the client accepts that. */
export function sendWhole(res: ServerResponse, status: number, headers: WholeHeaders, body: string | Buffer): void {
  const content = typeof body === 'string' && body.length >= LONG_TEXT ? Buffer.from(body) : body;
  const bytes = Buffer.byteLength(content);
  if (bytes < MIN_BYTES || !isText(headers['Content-Type'])) {
    endSoon(res.writeHead(status, { ...headers, 'Content-Length': bytes }), content);
    return;
  }
  const varied = { ...headers, Vary: headers.Vary === undefined ? 'Accept-Encoding' : `${String(headers.Vary)}, Accept-Encoding` };
  const coding = codingFor(res.req);
  if (!coding) {
    res.writeHead(status, { ...varied, 'Content-Length': bytes }).end(content);
    return;
  }
  res.writeHead(status, { ...varied, 'Content-Encoding': coding });
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  const encoder = compressor(coding, bytes);
  // Fails only if the client has disconnected.
  pipeline(encoder, res, () => undefined);
  encoder.end(content);
}

/**
 * Ends a short answer after all requests that have arrived were started. The first write wakes the process at the other end, such as a
 * local proxy, and the following writes find it awake; waking it for each takes as long as a whole operation. Long answers are sent
 * immediately, because memory that waits is slower to send.
 */
function endSoon(res: ServerResponse, content: string | Buffer): void {
  setImmediate(() => {
    if (!res.writableEnded) res.end(content);
  });
}

/**
 * The length of compressed content leaks information about it (BREACH, https://www.breachattack.com/): an attacker who can inject text next
 * to a secret, trigger the request repeatedly and observe the length can guess the secret character by character. Pages here contain no
 * CSRF token (`Origin` and `SameSite` do that work), but some show keys and passwords next to a search. Triggering such requests in a
 * victim's browser takes a page of another site, so cross-site requests with cookies are answered uncompressed. Browsers send
 * `Sec-Fetch-Site` wherever there is TLS; without TLS an observer reads everything anyway.
 */
function codingFor(req: IncomingMessage): ContentCoding | undefined {
  const site = req.headers['sec-fetch-site'];
  const isFromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isFromElsewhere && req.headers.cookie !== undefined ? undefined : acceptedCoding(req);
}
