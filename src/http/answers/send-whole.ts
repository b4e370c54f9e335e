import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

import { acceptedCoding, compressor, isText, type ContentCoding } from './content-coding.js';

/** Smallest body that is compressed, in bytes: below it hardly a packet is saved. */
const LEAST_BYTES = 2_048;
/**
 * A text goes to the socket in one write with its head, bytes of our own in two. From so many characters on that is worth it: a text is
 * gone through to be counted and again to be sent.
 */
const LONG_TEXT = 32_768;

/** Headers of an answer; its type is among them. */
export type WholeHeaders = Readonly<Record<string, string | number | string[]>> & { readonly 'Content-Type': string };

/** Sends head and body of an answer: with its length, or compressed where it is text of some length and the client takes that. */
export function sendWhole(res: ServerResponse, status: number, headers: WholeHeaders, body: string | Buffer): void {
  const content = typeof body === 'string' && body.length >= LONG_TEXT ? Buffer.from(body) : body;
  const bytes = Buffer.byteLength(content);
  if (bytes < LEAST_BYTES || !isText(headers['Content-Type'])) {
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
  // It fails only where the client has gone.
  pipeline(encoder, res, () => undefined);
  encoder.end(content);
}

/**
 * Ends a short answer when every request that has arrived was begun: what is written first wakes the process at the other end, a proxy on
 * this machine for one, and the rest meets it awake. Waking it for each takes as long as a whole operation. Long ones leave at once:
 * what lies around for a while is slower to send.
 */
function endSoon(res: ServerResponse, content: string | Buffer): void {
  setImmediate(() => {
    if (!res.writableEnded) res.end(content);
  });
}

/**
 * The length of something compressed tells of its content (BREACH, https://www.breachattack.com/): whoever can put words of their own
 * into an answer beside a secret, have it sent again and again and watch its length, guesses the secret letter by letter. Pages here
 * hold no token against forged requests (`Origin` and `SameSite` do that work), but some show keys and passwords beside a search.
 * Having somebody's browser send such requests takes a page of another site, so what one of those asked for in the name of somebody
 * signed in goes out as it is. Browsers name the asking site wherever there is TLS; without it whoever watches reads everything anyway.
 */
function codingFor(req: IncomingMessage): ContentCoding | undefined {
  const site = req.headers['sec-fetch-site'];
  const isFromElsewhere = site !== undefined && site !== 'same-origin' && site !== 'none';
  return isFromElsewhere && req.headers.cookie !== undefined ? undefined : acceptedCoding(req);
}
