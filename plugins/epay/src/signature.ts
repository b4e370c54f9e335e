import { createHash } from 'node:crypto';

type Fields = Readonly<Record<string, string>>;

/** Fields excluded from the signature; `_r` is the path parameter of panels without URL rewriting. */
const UNSIGNED: ReadonlySet<string> = new Set(['sign', 'sign_type', '_r']);

/** How the key is appended to the signed text: directly, or as a named field. */
export type KeyJoin = 'plain' | 'named';

/**
 * Returns the text that a signature covers: all non-empty fields sorted by the bytes of their names, values unencoded.
 *
 * @param dropBlank also omits whitespace-only values, as newer servers do
 */
export function signedText(fields: Fields, dropBlank = false): string {
  return Object.keys(fields)
    .filter((name) => !UNSIGNED.has(name) && fields[name] !== '' && !(dropBlank && fields[name]!.trim() === ''))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/** Returns the signature of V1: MD5 over text and key, in lower-case hex. */
export function md5Of(text: string, key: string, join: KeyJoin): string {
  return createHash('md5')
    .update(`${text}${join === 'named' ? '&key=' : ''}${key}`)
    .digest('hex');
}
