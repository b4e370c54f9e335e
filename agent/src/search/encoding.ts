import * as nodeBuffer from 'node:buffer';

/**
 * Encodings to read a file in, by its first bytes and, where it is known whole, all of them. Old Chinese sites are GBK; what is not valid
 * UTF-8 is searched as both, because a page may mix them.
 */
export function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start.length >= 2 && start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start.length >= 2 && start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  // Without a mark: half of the bytes of western text and markup in UTF-16 are zero, always the same half.
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

/** Whether bytes are UTF-8; Node knows by itself since 18.14. */
export function isUtf8(bytes: Buffer): boolean {
  if (typeof nodeBuffer.isUtf8 === 'function') return nodeBuffer.isUtf8(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
