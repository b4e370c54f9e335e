/** Control and format characters (bidi, zero-width), lone surrogates, private use, unassigned, line and paragraph separators. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\p{Variation_Selector}]/u;
const ALL_NOT_SHOWN = new RegExp(NOT_SHOWN.source, 'gu');

/** Returns whether `text` has invisible characters or ones that change how others are displayed. */
export function hasInvisible(text: string): boolean {
  return NOT_SHOWN.test(text);
}

/**
 * Returns `text` as one printable line: invisible characters are escaped (`\u{202e}`), and text over `length` characters is truncated with
 * an ellipsis.
 */
export function printable(text: string, length: number): string {
  const shown = text.slice(0, length * 2).replace(ALL_NOT_SHOWN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  const characters = [...shown];
  return characters.length > length || text.length > length * 2 ? `${characters.slice(0, length).join('')}…` : shown;
}

/** Removes control characters and bidi marks, which could reorder the rest of a page. Line breaks and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '');
}
