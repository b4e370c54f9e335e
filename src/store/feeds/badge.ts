import { xml } from './feed-text.js';

/** Badge dimensions in SVG units: height, padding next to a text, and the widths of narrow and wide letters. */
const [HEIGHT, PADDING, NARROW, WIDE] = [20, 6, 6.6, 12];

/** Returns a badge as SVG. */
export function badge(label: string, value: string): string {
  const [left, right] = [widthOf(label), widthOf(value)];
  const text = (x: number, words: string): string =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">${xml(words)}</text>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${xml(`${label}: ${value}`)}">` +
    `<title>${xml(`${label}: ${value}`)}</title><rect width="${left}" height="${HEIGHT}" fill="#555"/>` +
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="#066fd1"/>${text(left / 2, label)}${text(left + right / 2, value)}</svg>`
  );
}

const widthOf = (words: string): number =>
  Math.ceil([...words].reduce((sum, letter) => sum + (letter > '\u2e7f' ? WIDE : NARROW), 2 * PADDING));
