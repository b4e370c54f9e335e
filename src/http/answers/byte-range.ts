/** A part of something, in bytes; both ends belong to it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a `Range` header asks for: nothing that counts (the whole), a part, or a part there is none of. */
export type RangeWish = { readonly kind: 'whole' } | { readonly kind: 'part'; readonly range: ByteRange } | { readonly kind: 'none' };

const WHOLE: RangeWish = { kind: 'whole' };

/**
 * The one range of a `Range` header (RFC 9110, 14.2). Several at once, other units and what is malformed are passed over, as the RFC
 * allows: the answer is the whole.
 *
 * @param size of the whole, in bytes
 */
export function rangeWish(header: string | undefined, size: number): RangeWish {
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
