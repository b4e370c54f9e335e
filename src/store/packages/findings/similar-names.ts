/** A name that could be mistaken for another one. */
export interface SimilarName {
  readonly name: string;
  /** Whether they look the same rather than just similar. */
  readonly lookalike: boolean;
}

/** Slugs that could be mistaken for a part of the product or that its URLs use. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'admin',
  'administrator',
  'agent',
  'api',
  'assets',
  'auth',
  'browse',
  'categories',
  'category',
  'constructor',
  'core',
  'default',
  'developer',
  'developers',
  'download',
  'featured',
  'filter',
  'index',
  'install',
  'item',
  'items',
  'login',
  'logout',
  'main',
  'new',
  'node',
  'official',
  'panel',
  'plugin',
  'plugins',
  'popular',
  'prototype',
  'register',
  'root',
  'sdk',
  'search',
  'shared',
  'store',
  'submit',
  'svc',
  'system',
  'tag',
  'tags',
  'theme',
  'themes',
  'update',
  'updates',
  'upload',
  'uploads',
  'user',
  'users',
]);

/** Letters and digits that look like Latin ones (the hardest to distinguish of Unicode TS #39). */
const CONFUSABLE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '3': 'e',
  '5': 's',
  '8': 'b',
  '9': 'g',
  q: 'g',
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'l',
  ї: 'l',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'l',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'l',
  ɡ: 'g',
  ӏ: 'l',
};

/** Folds everything that looks alike in `name`: case, width, accents, separators, `0`/`o`, `rn`/`m`, Cyrillic letters. */
export function foldName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{P}\p{Cf}_]/gu, '');
  return [...plain]
    .map((letter) => CONFUSABLE[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * Returns those of `existing` that `name` could be mistaken for: they look the same, or differ by one letter in a name of five or more (two
 * from ten on). Identical names are not included.
 *
 * @returns at most `limit`, look-alikes first
 */
export function similarNames(name: string, existing: Iterable<string>, limit = 5): SimilarName[] {
  const folded = foldName(name);
  const found: SimilarName[] = [];
  if (folded === '') return found;
  const allowed = folded.length >= 10 ? 2 : folded.length >= 5 ? 1 : 0;
  for (const other of existing) {
    if (other === name) continue;
    const otherFolded = foldName(other);
    if (otherFolded === folded) found.unshift({ name: other, lookalike: true });
    else if (allowed > 0 && found.length < 100 && withinDistance(folded, otherFolded, allowed))
      found.push({ name: other, lookalike: false });
  }
  return found.slice(0, limit);
}

/** Larger than any allowed distance, with headroom for additions. */
const FAR = 100;

/** Whether at most `allowed` insertions, deletions, substitutions or adjacent swaps separate the two. */
function withinDistance(a: string, b: string, allowed: number): boolean {
  if (Math.abs(a.length - b.length) > allowed) return false;
  let [beforeLast, last, row] = [0, 1, 2].map(() => new Uint8Array(b.length + 1).fill(FAR)) as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= Math.min(b.length, allowed); j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    // Cells further from the diagonal exceed the allowed distance.
    const [from, to] = [Math.max(1, i - allowed), Math.min(b.length, i + allowed)];
    row.fill(FAR);
    if (i <= allowed) row[0] = i;
    let least = row[0]!;
    for (let j = from; j <= to; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : FAR;
      const value = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), swap);
      row[j] = value;
      least = Math.min(least, value);
    }
    if (least > allowed) return false;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length]! <= allowed;
}
