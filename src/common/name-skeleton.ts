import { whenUsed } from './when-used.js';

const unhomoglyph = whenUsed<(text: string) => string>('unhomoglyph');

/** Characters of a key column; a skeleton may be several times as long as its name. */
const MAX_LENGTH = 190;

/**
 * What names that look alike have in common: their skeleton by Unicode TR #39, section 4, ignoring case and accents. `admın`,
 * `ɑdmin` and `аdmin` (with a Cyrillic а) have that of `admin`.
 */
export function nameSkeleton(name: string): string {
  const plain = withoutMarks(name.toLowerCase());
  // What a letter is replaced by may be a capital, or have a mark. A capital i looks like an l, and case does not count.
  return withoutMarks(unhomoglyph()(plain).toLowerCase()).replaceAll('i', 'l').slice(0, MAX_LENGTH);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
