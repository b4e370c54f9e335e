import { createHash } from 'node:crypto';

type Fields = Readonly<Record<string, string>>;

/** Not part of what is signed; `_r` is how panels without address rewriting name the path. */
const UNSIGNED: ReadonlySet<string> = new Set(['sign', 'sign_type', '_r']);

/** What follows the text that is signed: the key at once, or after a name of its own. */
export type KeyJoin = 'plain' | 'named';

/**
 * The text a signature is over: every field that is not empty, by the bytes of its name, values as they are.
 *
 * @param dropBlank leaves out values of blanks only too, as newer servers do
 */
export function signedText(fields: Fields, dropBlank = false): string {
  return Object.keys(fields)
    .filter((name) => !UNSIGNED.has(name) && fields[name] !== '' && !(dropBlank && fields[name]!.trim() === ''))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/** The signature of V1: MD5 over text and key, in small hex digits. */
export function md5Of(text: string, key: string, join: KeyJoin): string {
  return createHash('md5')
    .update(`${text}${join === 'named' ? '&key=' : ''}${key}`)
    .digest('hex');
}
