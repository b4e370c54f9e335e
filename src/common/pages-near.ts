/**
 * Numbers of the pages a list links to: the first, the last, and those beside the present one; none where there is one page only.
 *
 * @param page the present one, from 1 on
 * @param count of pages
 * @param distance how many on each side of the present one
 * @example `pagesNear(7, 20, 1)` gives `[1, 6, 7, 8, 20]`
 */
export function pagesNear(page: number, count: number, distance: number): number[] {
  if (count === 1) return [];
  const beside = Array.from({ length: 2 * distance + 1 }, (_none, at) => page - distance + at);
  return [...new Set([1, ...beside, count])].filter((number) => number >= 1 && number <= count).sort((a, b) => a - b);
}
