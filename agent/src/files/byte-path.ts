import { isUtf8 } from '../search/encoding.js';

// Paths are stored as one character per byte ("latin1"): file names of old sites are GBK, and such a path decoded as UTF-8 cannot be
// opened.

/** Converts a byte path for Node's file functions. */
export function toSystemPath(bytes: string): string | Buffer {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : buffer;
}

/** Converts a byte path for display. Each path segment may have its own encoding. */
export function toShownPath(bytes: string) {
  const whole = toSystemPath(bytes);
  if (typeof whole === 'string') return whole;
  const shown = bytes.split('/').map((name) => toSystemPath(name));
  return shown.map((name) => (typeof name === 'string' ? name : new TextDecoder('gb18030').decode(name))).join('/');
}

/** Converts a UTF-8 path to a byte path. */
export function toBytePath(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
