import { randomInt } from 'node:crypto';

import { loadSharp } from '../images/index.js';

import { FONT_COUNT, glyphOf } from './captcha-glyphs.js';

/** Captcha characters: none that can be confused with another one, also when rotated. */
const CHARACTERS = '34678abcdefhkmnprstuwxyzABCDEFGHJKMNPRSTUVWXYZ';
const LENGTH = 4;

/** Width of the image in CSS pixels; the height depends on the page. */
export const CAPTCHA_WIDTH = 120;
/** Raster pixels per CSS pixel, for sharp rendering on high-density screens. */
const DENSITY = 2;

/** Maximum distortion. Larger values make it harder for people first. */
const MAX_ROTATION = 26;
const MAX_SLANT = 16;
/** Maximum displacement of a point by warping, in pixels. */
const WARP = 9;
const NOISE = 10;
/** Grey values of light and dark areas. */
const LIGHT = 228;
const CONTRAST = 160;
/** Distance between grey values: 16 of them keep the image small. */
const GREY_STEP = 17;
/** Letters and line are rendered together: red for letters, green for the line. */
const CHANNELS = 3;
const LINE_CHANNEL = 1;

/** Four random characters for {@link drawCaptcha}. */
export function captchaText(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

/**
 * Draws a captcha: an SVG of {@link CAPTCHA_WIDTH} by `height` CSS pixels that contains only a raster image, without outlines or text a
 * program could read. Letters in several fonts are rotated, slanted and warped; light and dark are inverted in large patches across them
 * and along a line, so that neither a threshold nor comparing pixels with known letters finds their shape. The rate at which programs
 * read it is measured in test/faults/F10-captcha.spec.ts.
 *
 * @param text letters and digits of ASCII
 * @example `await drawCaptcha('aK7x', 40)` gives `<svg …><image href="data:image/png;base64,…"/></svg>`
 */
export async function drawCaptcha(text: string, height: number): Promise<string> {
  const png = await drawRaster(text, CAPTCHA_WIDTH * DENSITY, height * DENSITY);
  const size = `width="${CAPTCHA_WIDTH}" height="${height}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${CAPTCHA_WIDTH} ` +
    `${height}"><image ${size} href="data:image/png;base64,${png.toString('base64')}"/></svg>`
  );
}

async function drawRaster(text: string, width: number, height: number): Promise<Buffer> {
  const shapes = await rasterOf(lettersOf(text, width, height) + lineAcross(width, height), width, height);
  const moveX = waves(0.03, 0.09, width, height);
  const moveY = waves(0.03, 0.09, width, height);
  const patches = waves(0.02, 0.06, width, height);
  const shade = waves(0.01, 0.05, width, height);
  const pixels = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const letter = letterAt(shapes, x + moveX(x, y) * WARP, y + moveY(x, y) * WARP, width, height);
      const line = shapes[(y * width + x) * CHANNELS + LINE_CHANNEL]! / 255;
      const patch = clamp(patches(x, y) * 45 + 0.5, 0, 1);
      const dark = either(either(letter, line), patch);
      const grey = LIGHT - dark * CONTRAST + shade(x, y) * 22 + between(-NOISE, NOISE) + between(-NOISE, NOISE);
      pixels[y * width + x] = Math.round(clamp(grey, 0, 255) / GREY_STEP) * GREY_STEP;
    }
  }
  const sharp = await loadSharp();
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** Returns the letters side by side, each with a random font, size, position and angle. */
function lettersOf(text: string, width: number, height: number): string {
  const margin = width / 16;
  const step = (width - 2 * margin) / text.length;
  return [...text]
    .map((character, index) => {
      const glyph = glyphOf(randomInt(FONT_COUNT), character);
      const scale = Math.min(
        1,
        between(height * 0.5, height * 0.66) / Math.max(glyph.height, glyph.width * 0.9),
        (step * 1.25) / glyph.width,
      );
      const x = margin + step * (index + 0.5) + between(-step, step) * 0.12;
      const y = height / 2 + between(-height, height) * 0.095;
      const turn = `rotate(${number(between(-MAX_ROTATION, MAX_ROTATION))}) skewX(${number(between(-MAX_SLANT, MAX_SLANT))})`;
      const size = `scale(${number(scale * between(0.85, 1.15))} ${number(scale * between(0.9, 1.1))})`;
      const place = `translate(${number(x)} ${number(y)}) ${turn} ${size} translate(${number(-glyph.x)} ${number(-glyph.y)})`;
      return `<path transform="${place}" fill="#f00" stroke="#f00" stroke-width="${number(between(1, 4))}" d="${glyph.path}"/>`;
    })
    .join('');
}

function lineAcross(width: number, height: number): string {
  const point = (from: number, to: number): string =>
    `${number(between(width * from, width * to))} ${number(between(-0.3 * height, 1.3 * height))}`;
  const end = (from: number, to: number): string =>
    `${number(between(width * from, width * to))} ${number(between(0.1 * height, 0.9 * height))}`;
  return (
    `<path style="mix-blend-mode:screen" fill="none" stroke="#0f0" stroke-width="${number(between(2, 4))}" ` +
    `d="M${end(-0.04, 0.2)}C${point(0.2, 0.5)} ${point(0.5, 0.8)} ${end(0.8, 1.04)}"/>`
  );
}

/** Renders shapes on black, one byte per channel of a pixel: red for letters, green for the line. */
async function rasterOf(shapes: string, width: number, height: number): Promise<Buffer> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" ` + `height="${height}"><rect width="100%" height="100%"/>${shapes}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
}

/** A smooth field over the image, -1 to 1. */
type Field = (x: number, y: number) => number;

/**
 * Returns the sum of three random waves. Sines and cosines are computed once per column and row and combined by
 * sin(a + b) = sin a cos b + cos a sin b, which takes a tenth of the time of a sine per pixel.
 *
 * @param slowest radians per pixel
 * @param fastest radians per pixel
 */
function waves(slowest: number, fastest: number, width: number, height: number): Field {
  const parts = Array.from({ length: 3 }, () => {
    const direction = between(0, 2 * Math.PI);
    const frequency = between(slowest, fastest);
    const phase = between(0, 2 * Math.PI);
    const columns = Array.from({ length: width }, (_none, x) => x * Math.cos(direction) * frequency + phase);
    const rows = Array.from({ length: height }, (_none, y) => y * Math.sin(direction) * frequency);
    return { sinX: columns.map(Math.sin), cosX: columns.map(Math.cos), sinY: rows.map(Math.sin), cosY: rows.map(Math.cos) };
  });
  const [a, b, c] = parts as [(typeof parts)[0], (typeof parts)[0], (typeof parts)[0]];
  return (x, y) =>
    (a.sinX[x]! * a.cosY[y]! +
      a.cosX[x]! * a.sinY[y]! +
      b.sinX[x]! * b.cosY[y]! +
      b.cosX[x]! * b.sinY[y]! +
      c.sinX[x]! * c.cosY[y]! +
      c.cosX[x]! * c.sinY[y]!) /
    3;
}

/** Returns how much of a point between pixels a letter covers, 0 to 1 (bilinear interpolation). */
function letterAt(shapes: Buffer, x: number, y: number, width: number, height: number): number {
  const left = Math.floor(clamp(x, 0, width - 1.001));
  const top = Math.floor(clamp(y, 0, height - 1.001));
  const across = clamp(x - left, 0, 1);
  const down = clamp(y - top, 0, 1);
  const at = (top * width + left) * CHANNELS;
  const below = at + width * CHANNELS;
  const upper = shapes[at]! * (1 - across) + shapes[at + CHANNELS]! * across;
  const lower = shapes[below]! * (1 - across) + shapes[below + CHANNELS]! * across;
  return (upper * (1 - down) + lower * down) / 255;
}

/** Returns the exclusive or of two coverages: where both overlap, light and dark are inverted. */
function either(a: number, b: number): number {
  return a + b - 2 * a * b;
}

/** Not cryptographically random: only the characters of {@link captchaText} must be secret. */
function between(from: number, to: number): number {
  return from + Math.random() * (to - from);
}

function clamp(value: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, value));
}

/** Avoids exponents such as `1e-7`, which SVG does not accept everywhere. */
function number(value: number): string {
  return value.toFixed(3);
}
