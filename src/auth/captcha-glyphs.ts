import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import opentype, { type Font } from 'opentype.js';

/** Fonts of different styles: with and without serifs, handwritten and not. */
const FONT_FILES = [
  'roboto-slab/files/roboto-slab-latin-600-normal.woff',
  'comic-neue/files/comic-neue-latin-700-normal.woff',
  'patrick-hand/files/patrick-hand-latin-400-normal.woff',
  'schoolbell/files/schoolbell-latin-400-normal.woff',
];

/** Font size of the outlines; images scale them. */
const UNITS = 100;

/** The outline of one character of one font. */
export interface Glyph {
  /** The `d` of an SVG path. */
  readonly path: string;
  /** Center of its bounding box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Number of fonts {@link glyphOf} knows. */
export const FONT_COUNT = FONT_FILES.length;

const { resolve } = createRequire(import.meta.url);
const fonts: (Font | undefined)[] = [];
const glyphs = new Map<string, Glyph>();

/** Returns the outline of an ASCII letter or digit in font `font` (0 to {@link FONT_COUNT} - 1); cached. */
export function glyphOf(font: number, character: string): Glyph {
  const key = `${font}${character}`;
  let glyph = glyphs.get(key);
  if (glyph === undefined) glyphs.set(key, (glyph = readGlyph(fontOf(font), character)));
  return glyph;
}

function fontOf(index: number): Font {
  return (fonts[index] ??= opentype.parse(Uint8Array.from(readFileSync(resolve(`@fontsource/${FONT_FILES[index]!}`))).buffer));
}

/** Replaces `toPathData`, whose cache of rounded numbers grows with every new number. */
function readGlyph(font: Font, character: string): Glyph {
  const xs: number[] = [];
  const ys: number[] = [];
  const parts = font.getPath(character, 0, 0, UNITS).commands.map((command) => {
    if (command.type === 'Z') return 'Z';
    xs.push(command.x);
    ys.push(command.y);
    const numbers =
      command.type === 'C' ? [command.x1, command.y1, command.x2, command.y2] : command.type === 'Q' ? [command.x1, command.y1] : [];
    return command.type + [...numbers, command.x, command.y].map((number) => number.toFixed(2)).join(' ');
  });
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { path: parts.join(''), x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}
