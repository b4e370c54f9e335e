import { nameSkeleton } from '../../common/index.js';
import { foldName, hasInvisible } from '../packages/index.js';

/** Scripts that are easily distinguished from Latin and are commonly mixed with it. */
const MIXABLE_WITH_LATIN =
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{N}_.-]+$/u;
/** Names in a single other script. */
const ONE_SCRIPT = [
  /^[\p{Script=Cyrillic}\p{Nd}_.-]+$/u,
  /^[\p{Script=Greek}\p{Nd}_.-]+$/u,
  /^[\p{Script=Arabic}\p{Nd}_.-]+$/u,
  /^[\p{Script=Hebrew}\p{Nd}_.-]+$/u,
];
/**
 * Latin letters in use by modern languages: those of the General Security Profile (Unicode TR #39, section 3.1).
 * Excludes phonetic letters, small capitals and turned letters, which are confusable with these.
 */
const LATIN_IN_USE =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u018f\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01de-\u01e3\u01e6-\u01f0\u01f4\u01f5\u01f8-\u021b\u021e\u021f\u0226-\u0233\u0259\u1e00-\u1e99\u1e9e\u1ea0-\u1ef9]$/u;

/** Why a name cannot be used; null for one that can. */
export type NameProblem = 'USERNAME_LENGTH' | 'USERNAME_CHARACTERS' | null;

/**
 * Returns why a user name is invalid: it needs 2 to 30 letters, digits, `_`, `.` and `-`, none of them confusable (Unicode TR #39: letters
 * in use, of one script, or Latin mixed with East Asian scripts, and nothing that only looks Latin). Whether it resembles an existing name
 * is decided by its unique skeleton.
 */
export function nameProblem(name: string): NameProblem {
  const { length } = [...name];
  if (length < 2 || length > 30 || name.length > 30) return 'USERNAME_LENGTH';
  if (hasInvisible(name) || name.normalize('NFKC') !== name) return 'USERNAME_CHARACTERS';
  if (!MIXABLE_WITH_LATIN.test(name) && !ONE_SCRIPT.some((script) => script.test(name))) return 'USERNAME_CHARACTERS';
  if ([...name].some((letter) => /\p{Script=Latin}/u.test(letter) && !LATIN_IN_USE.test(letter))) return 'USERNAME_CHARACTERS';
  // Rejects a name of only Cyrillic or Greek letters that reads as Latin.
  const looksLatin = [foldName(name), nameSkeleton(name)].some((folded) => /^[\x20-\x7e]*$/.test(folded));
  return looksLatin && !/^[\p{Script=Latin}\p{N}_.-]+$/u.test(name) ? 'USERNAME_CHARACTERS' : null;
}

/** Normalized e-mail address for comparison, ignoring case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
