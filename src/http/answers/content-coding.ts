import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

import Negotiator from 'negotiator';

/** Supported encodings, in order of preference. */
const CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** Brotli quality for content that is compressed once on another thread and cached: the maximum. */
const KEPT_QUALITY = 11;
/** Brotli quality for answers compressed per request: a page of 40 kB takes about half a millisecond. */
const DIRECT_QUALITY = 5;
/** Brotli window for answers, as a power of two: pages are not much larger, and the encoder allocates memory for it. */
const DIRECT_WINDOW = 16;

const TEXT = /^(?:text\/|image\/svg\+xml\b|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Whether bodies of a content type shrink when compressed. */
export function isText(type: string): boolean {
  return TEXT.test(type);
}

/** Returns the encoding that the client accepts; undefined for none. */
export function acceptedCoding({ headers }: Pick<IncomingMessage, 'headers'>): ContentCoding | undefined {
  if (headers['accept-encoding'] === undefined) return undefined;
  const accepted = new Negotiator({ headers }).encodings(CODINGS);
  return CODINGS.find((coding) => accepted.includes(coding));
}

/** Compresses a whole file at high quality on Node's thread pool. */
export function compressed(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: KEPT_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Returns a stream that compresses an answer on Node's thread pool. @param bytes expected size of the content */
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
