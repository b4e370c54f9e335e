/** Reads a boolean in any of the formats panels use. */
export function flag(value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null || value === '') return fallback;
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** Reads a list: an array, or text separated by commas, semicolons or line breaks. */
export function wordList(value: unknown, fallback: string[]) {
  if (value === undefined || value === null) return fallback;
  const words = Array.isArray(value) ? value.map(String) : String(value).split(/[\n,，;；]/);
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

/** Reads keywords: an array, or text with one per line and `#` comments. */
export function keywordList(value: unknown) {
  if (Array.isArray(value)) return value.map(String);
  return String(value ?? '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'));
}

/** Reads an integer from 1 up to the maximum; larger numbers are capped. */
export function bounded(value: unknown, fallback: number, max: number): number {
  const number = Math.floor(Number(value));
  return Number.isFinite(number) && number > 0 ? Math.min(number, max) : fallback;
}
