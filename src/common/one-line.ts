/** Controls, line ends and marks that turn the direction of what follows: with them a text can look like other lines, or other words. */
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]+/gu;

/** A text as one line of nothing but what shows. */
export function oneLine(text: string): string {
  return text.replace(DECEPTIVE, ' ');
}
