/** Kind of character that {@link HIDDEN_CHARACTERS} matches. */
export type HiddenKind = 'bidi' | 'zero_width' | 'variation';

/**
 * Characters that hide in code: bidi controls show code in another order than it runs (CVE-2021-42574), zero-width ones
 * make two names look alike, and runs of variation selectors or tags carry a payload nobody sees. A single variation
 * selector or joiner belongs to emoji and to Persian or Indic words and is left alone.
 */
export const HIDDEN_CHARACTERS =
  /(?<bidi>[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])|(?<zero_width>[\u00ad\u180e\u200b\u2060-\u2064\ufeff])|(?<variation>[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}|[\u{e0000}-\u{e007f}]{8})/gu;

/** Which kind a match of {@link HIDDEN_CHARACTERS} is. */
export function hiddenKind(match: RegExpExecArray): HiddenKind {
  const groups = match.groups!;
  return groups.bidi !== undefined ? 'bidi' : groups.zero_width !== undefined ? 'zero_width' : 'variation';
}
