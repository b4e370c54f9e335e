/** Control characters separate words, like whitespace. */
const GAP = /[\s\u0000-\u001f\u007f]+/g;

/** Normalizes text for comparison: NFKC (full width equals half width), lower case, single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(GAP, ' ').trim();
}
