import { hash, randomInt } from 'node:crypto';

/** Nothing that is read as something else: no I, L, O, U, 0 and 1. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 16 of 30 letters: 78 random bits. */
const LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** A code such as `7KQM-2WXA-9D4P-HRTC`. */
export function newCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]!)
    .join('')
    .replace(GROUP, '$&-');
}

/** What is kept of a code: of how people type it, only letters and digits count. */
export function codeHash(code: string): string {
  return hash('sha256', `code:${code.toUpperCase().replace(/[^0-9A-Z]/g, '')}`, 'hex');
}
