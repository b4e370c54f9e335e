import { isUtf8 } from '../search/encoding.js';

// Paths are kept as one character a byte ("latin1"): file names of old sites are GBK, and a path that was read as UTF-8 opens nothing.

/** A path as Node opens it. */
export function toSystemPath(bytes: string): string | Buffer {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : buffer;
}

/** A path to show; each name is in an encoding of its own. */
export function toShownPath(bytes: string) {
  const whole = toSystemPath(bytes);
  if (typeof whole === 'string') return whole;
  const shown = bytes.split('/').map((name) => toSystemPath(name));
  return shown.map((name) => (typeof name === 'string' ? name : new TextDecoder('gb18030').decode(name))).join('/');
}

/** A path of ours in bytes. */
export function toBytePath(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
