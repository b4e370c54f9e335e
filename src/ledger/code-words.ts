import { hash, randomInt } from 'node:crypto';

/** Without characters that can be misread: I, L, O, U, 0 and 1. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 16 of 30 letters: 78 random bits. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** Returns a new code such as `7KQM-2WXA-9D4P-HRTC`. */
export function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]!)
    .join('')
    .replace(GROUP, '$&-');
}

/** Returns the stored hash of a code; only letters and digits of the input count. */
export function codeHash(code: string): string {
  return hash('sha256', `code:${code.toUpperCase().replace(/[^0-9A-Z]/g, '')}`, 'hex');
}
