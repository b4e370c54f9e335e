import { foldName, hasInvisible } from '../packages/index.js';

/** Scripts whose letters are told from Latin ones at a glance, and are written together with them. */
const BESIDE_LATIN = /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{N}_.-]+$/u;
/** A name of one other script alone. */
const ONE_SCRIPT = [/^[\p{Script=Cyrillic}\p{Nd}_.-]+$/u, /^[\p{Script=Greek}\p{Nd}_.-]+$/u, /^[\p{Script=Arabic}\p{Nd}_.-]+$/u, /^[\p{Script=Hebrew}\p{Nd}_.-]+$/u];

/** Why a name cannot be used; null for one that can. */
export type NameProblem = 'store.username_length' | 'store.username_characters' | null;

/**
 * What stands against a user name: 2 to 30 letters, digits, `_`, `.` and `-`, none of which can be taken for another
 * (Unicode TR #39: one script, or Latin beside East Asian ones, and nothing that only looks Latin).
 */
export function nameProblem(name: string): NameProblem {
  const { length } = [...name];
  if (length < 2 || length > 30 || name.length > 30) return 'store.username_length';
  if (hasInvisible(name) || name.normalize('NFKC') !== name) return 'store.username_characters';
  if (!BESIDE_LATIN.test(name) && !ONE_SCRIPT.some((script) => script.test(name))) return 'store.username_characters';
  // A name of Cyrillic or Greek letters alone that reads as a Latin one.
  const looksLatin = /^[\x20-\x7e]*$/.test(foldName(name));
  return looksLatin && !/^[\p{Script=Latin}\p{N}_.-]+$/u.test(name) ? 'store.username_characters' : null;
}

/** What names are compared by: case and accents make no other name. */
export function nameKey(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').slice(0, 60);
}

/** What e-mail addresses are compared by. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
