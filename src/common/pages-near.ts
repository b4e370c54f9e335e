/**
 * Returns the page numbers a list links to: the first, the last, and the neighbours of the current one; empty for a single page.
 *
 * @param page the current one, from 1 on
 * @param count number of pages
 * @param distance neighbours on each side of the current page
 * @example `pagesNear(7, 20, 1)` gives `[1, 6, 7, 8, 20]`
 */
export function pagesNear(page: number, count: number, distance: number): number[] {
  if (count === 1) return [];
  const neighbours = Array.from({ length: 2 * distance + 1 }, (_none, at) => page - distance + at);
  return [...new Set([1, ...neighbours, count])].filter((number) => number >= 1 && number <= count).sort((a, b) => a - b);
}
