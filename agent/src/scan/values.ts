/** A switch in any of the ways panels write it. */
export function flag(value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null || value === '') return fallback;
  return value === true || value === 1 || value === '1' || value === 'true';
}

/** A list as an array or as text with commas or lines. */
export function wordList(value: unknown, fallback: string[]) {
  if (value === undefined || value === null) return fallback;
  const words = Array.isArray(value) ? value.map(String) : String(value).split(/[\n,，;；]/);
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

/** Words as an array, or as text with one a line where `#` begins a comment. */
export function keywordList(value: unknown) {
  if (Array.isArray(value)) return value.map(String);
  return String(value ?? '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'));
}

/** A whole number from 1 to `most`. */
export function bounded(value: unknown, fallback: number, most: number): number {
  const number = Math.floor(Number(value));
  return Number.isFinite(number) && number > 0 ? Math.min(number, most) : fallback;
}
