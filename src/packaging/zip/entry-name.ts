import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';

import { PackageRefusal } from '../package-refusal.js';

import { EXTRA } from './extra-fields.js';

const UTF8_FLAG = 1 << 11;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// Windows in China writes names in code page 936 without setting a flag.
const gbk = new TextDecoder('gbk', { fatal: true });

/**
 * Decodes the name of an entry: UTF-8 if the flag or Info-ZIP's Unicode path field says so (APPNOTE 4.4.4, 4.6.9), else UTF-8 if valid,
 * else GBK.
 *
 * @param fields the header's extra fields
 * @throws PackageRefusal NAME_ENCODING if neither decodes, NAME_AMBIGUOUS if readers without the Unicode path field would see another file
 */
export function decodeName(raw: Buffer, flags: number, fields: ReadonlyMap<number, Buffer>): string {
  const plain = (flags & UTF8_FLAG) !== 0 ? attempt(utf8, raw) : (attempt(utf8, raw) ?? attempt(gbk, raw));
  const field = fields.get(EXTRA.unicodePath);
  if (field === undefined) {
    if (plain === null) throw new PackageRefusal('NAME_ENCODING', raw.toString('latin1'));
    return plain;
  }
  const shown = plain ?? raw.toString('latin1');
  const unicode = field.length > 5 && field[0] === 1 && field.readUInt32LE(1) === crc32(raw) ? attempt(utf8, field.subarray(5)) : null;
  if (unicode === null || !namesSameFile(raw, plain, unicode)) throw new PackageRefusal('NAME_AMBIGUOUS', shown);
  return unicode;
}

/** Whether the two names differ at most in the encoding of non-ASCII characters. */
function namesSameFile(raw: Buffer, plain: string | null, unicode: string): boolean {
  if (plain === unicode) return true;
  const segments = unicode.split('/');
  const rawSegments = raw.toString('latin1').split('/');
  return (
    segments.length === rawSegments.length &&
    segments.every((segment, i) => segment === rawSegments[i] || (hasOther(segment) && !/^\.*$/.test(rawSegments[i]!)))
  );
}

function hasOther(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

function attempt(decoder: TextDecoder, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
