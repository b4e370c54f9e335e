import * as nodeBuffer from 'node:buffer';

/**
 * Detects UTF-16 by the first bytes of a file; everything else is treated as UTF-8. Old Chinese sites use GBK: the caller searches invalid
 * UTF-8 in both encodings, because a page may mix them.
 */
export function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start.length >= 2 && start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start.length >= 2 && start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  // Without a BOM: in UTF-16 with western text and markup half of the bytes are zero, always the same half.
  const length = Math.min(start.length, 4_096) & ~1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (start[i] === 0) even++;
    if (start[i + 1] === 0) odd++;
  }
  if (length >= 8 && odd > length * 0.15 && even < odd / 8) return 'utf-16le';
  if (length >= 8 && even > length * 0.15 && odd < even / 8) return 'utf-16be';
  return 'utf-8';
}

/** Whether bytes are valid UTF-8; Node has a built-in check since 18.14. */
export function isUtf8(bytes: Buffer): boolean {
  if (typeof nodeBuffer.isUtf8 === 'function') return nodeBuffer.isUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
