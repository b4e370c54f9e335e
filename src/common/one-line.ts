/** Control characters, line breaks and direction marks, which can make a text look like other lines or another text. */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]+/gu;

/** Returns the text as a single line of visible characters. */
export function oneLine(text: string): string {
  return text.replace(DECEPTIVE, ' ');
}
