/** Type of character matched by {@link HIDDEN_CHARACTERS}. */
export type HiddenKind = 'bidi' | 'zero_width' | 'variation';

/**
 * Hidden characters in code: bidi controls display code in another order than it runs (CVE-2021-42574), zero-width characters make two
 * names look alike, and runs of variation selectors or tags carry an invisible payload. A single variation selector or joiner is legitimate
 * in emoji and in Persian or Indic words and is ignored.
 */
export const HIDDEN_CHARACTERS =
  /(?<bidi>[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])|(?<zero_width>[\u00ad\u180e\u200b\u2060-\u2064\ufeff])|(?<variation>[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}|[\u{e0000}-\u{e007f}]{8})/gu;

/** Returns the type of a {@link HIDDEN_CHARACTERS} match. */
export function hiddenKind(match: RegExpExecArray): HiddenKind {
  const groups = match.groups!;
  return groups.bidi !== undefined ? 'bidi' : groups.zero_width !== undefined ? 'zero_width' : 'variation';
}
