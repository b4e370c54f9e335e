import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

import Negotiator from 'negotiator';

/** How a body may be compressed, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** Of Brotli, for what is compressed once, on another thread: the best there is. */
const KEPT_QUALITY = 11;
/** Of Brotli, for an answer that somebody waits for: a page of 40 kB takes about half a millisecond. */
const DIRECT_QUALITY = 5;
/** Of Brotli, as a power of two: pages are not much larger, and the encoder takes memory for it. */
const DIRECT_WINDOW = 16;

const TEXT = /^(?:text\/|image\/svg\+xml\b|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Whether bodies of a content type become smaller by compression. */
export function isText(type: string): boolean {
  return TEXT.test(type);
}

/** The compression the client takes; undefined for none. */
export function acceptedCoding({ headers }: Pick<IncomingMessage, 'headers'>): ContentCoding | undefined {
  if (headers['accept-encoding'] === undefined) return undefined;
  const accepted = new Negotiator({ headers }).encodings(CODINGS);
  return CODINGS.find((coding) => accepted.includes(coding));
}

/** Compresses a whole file as well as is reasonable, on Node's own threads. */
export function compressed(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: KEPT_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Compresses what is written to it while somebody waits, on Node's own threads. @param bytes how much will come */
export function compressor(coding: ContentCoding, bytes: number): Transform {
  if (coding === 'gzip') return createGzip();
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: DIRECT_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: DIRECT_WINDOW,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    },
  });
}
