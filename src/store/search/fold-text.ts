/** What nobody can type is no part of a word. */
const GAP = /[\s\u0000-\u001f\u007f]+/g;

/** Text as it is compared: one Unicode form (NFKC: full width equals half width), lower case, one space for any gap. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(GAP, ' ').trim();
}
