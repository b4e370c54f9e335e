import { translate, type Locale } from '../../../common/index.js';
import type { Piece } from '../../../web/index.js';

import { TYPES, STATES } from './common-columns.js';

export const textPiece = (text: string): Piece => ({ kind: 'text', text });

/** A text with collapsed details; the text alone without details. */
export const foldPiece = (text: string, rest: string): Piece => (rest === '' ? textPiece(text) : { kind: 'fold', text, rest });

/** A badge. @param key of its text */
export const badgePiece = (locale: Locale, colour: string, key: string, params = {}): Piece => ({
  kind: 'badge',
  colour,
  text: translate(locale, `storePages.${key}`, params),
});

export const typePiece = (locale: Locale, type: string): Piece => pieceOf(TYPES, locale, type);

export const statePiece = (locale: Locale, state: string): Piece => pieceOf(STATES, locale, state);

/** Badge for one of a set of values. */
function pieceOf(badges: Readonly<Record<string, readonly [string, string]>>, locale: Locale, value: string): Piece {
  const [colour, key] = badges[value]!;
  return badgePiece(locale, colour, key);
}
