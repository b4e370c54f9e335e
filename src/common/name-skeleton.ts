import { whenUsed } from './when-used.js';

const unhomoglyph = whenUsed<(text: string) => string>('unhomoglyph');

/** Length of the key column in characters; a skeleton may be several times as long as its name. */
const MAX_LENGTH = 190;

/**
 * Returns the skeleton shared by names that look alike (Unicode TR #39, section 4), ignoring case and accents. `admın`,
 * `ɑdmin` and `аdmin` (with a Cyrillic а) have the same one as `admin`.
 */
export function nameSkeleton(name: string): string {
  const plain = withoutMarks(name.toLowerCase());
  // A replacement may be upper case or have an accent. A capital i looks like an l, and case is ignored.
  return withoutMarks(unhomoglyph()(plain).toLowerCase()).replaceAll('i', 'l').slice(0, MAX_LENGTH);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
