import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A range of bytes; both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a `Range` header requests: the whole (no usable range), a part, or a range that cannot be satisfied. */
type RequestedRange = { readonly kind: 'whole' } | { readonly kind: 'part'; readonly range: ByteRange } | { readonly kind: 'none' };

const WHOLE: RequestedRange = { kind: 'whole' };

/**
 * Parses the single range of a `Range` header (RFC 9110, 14.2). Multiple ranges, other units and malformed headers are ignored, as the RFC
 * allows: the answer is then the whole content.
 *
 * @param size of the whole, in bytes
 */
export function parseRange(header: string | undefined, size: number): RequestedRange {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return WHOLE;
  if (match[1] === '') {
    const length = Number(match[2]);
    return length === 0 || size === 0 ? { kind: 'none' } : { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 } };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return WHOLE;
  return start >= size ? { kind: 'none' } : { kind: 'part', range: { start, end } };
}

/** Byte range, status and headers of an answer. */
export interface PartAnswer extends ByteRange {
  readonly status: 200 | 206;
  readonly headers: OutgoingHttpHeaders;
}

/**
 * Decides what a request gets: the whole content or a part (`Range`, `If-Range`, `HEAD` as in RFC 9110). The caller sends the bytes.
 *
 * @param headers of every answer; without a strong `ETag`, the whole is always sent
 * @returns null for a range that cannot be satisfied: the 416 answer is already sent
 */
export function answerPart(
  { method, headers: requestHeaders }: IncomingMessage,
  res: ServerResponse,
  size: number,
  headers: OutgoingHttpHeaders & { readonly ETag?: string },
): PartAnswer | null {
  const tagged = headers.ETag === undefined ? headers : { ...headers, 'Accept-Ranges': 'bytes' };
  const isDivided = headers.ETag !== undefined && method !== 'HEAD' && (requestHeaders['if-range'] ?? headers.ETag) === headers.ETag;
  const requested = parseRange(isDivided ? requestHeaders.range : undefined, size);
  if (requested.kind === 'whole') return { start: 0, end: size - 1, status: 200, headers: { ...tagged, 'Content-Length': size } };
  if (requested.kind === 'none') {
    res.writeHead(416, { ...tagged, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
    return null;
  }
  const { start, end } = requested.range;
  const own = { 'Content-Length': end - start + 1, 'Content-Range': `bytes ${start}-${end}/${size}` };
  return { start, end, status: 206, headers: { ...tagged, ...own } };
}
