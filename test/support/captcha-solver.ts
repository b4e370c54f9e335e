import sharp from 'sharp';

import { CAPTCHA_WIDTH } from '../../src/auth/captcha-picture.js';

/** Height of the raster the solver works on, in pixels. */
const HEIGHT = 40;
const CELL = { width: 28, height: 40, columns: 14, rows: 20 };
/** Offsets around the centre of a character's part at which the solver compares it. */
const SHIFTS = [
  [0, 0],
  [-3, 0],
  [3, 0],
  [0, -3],
  [0, 3],
] as const;
const LENGTH = 4;
const MARGIN = CAPTCHA_WIDTH / 16;
const STEP = (CAPTCHA_WIDTH - 2 * MARGIN) / LENGTH;

type Raster = Float32Array;

/** Number of values of a character that are compared first; a multiple of four. */
const FIRST = (CELL.columns * CELL.rows) / 2;

/** Values of a character, with mean 0 and norm 1. */
interface Cell {
  readonly values: Raster;
  /** Norm of the values after the first {@link FIRST}. */
  readonly rest: number;
}

/** Returns the PNG inside a captcha's SVG. */
export function rasterInside(svg: string): Buffer {
  return Buffer.from(/href="data:image\/png;base64,([^"]+)"/.exec(svg)![1]!, 'base64');
}

/**
 * Reads captchas as programs do that are trained on solved ones: the image is cut into its characters, brightness differences around each
 * point are evened out, and each character is compared with every known one, at several offsets and also inverted. The solver knows the
 * number and the positions of the characters.
 */
export class NearestTemplateSolver {
  private readonly templates: Cell[] = [];
  private readonly answers: string[] = [];

  /** Learns a solved captcha. */
  async learn(svg: string, text: string): Promise<void> {
    const raster = await prepare(svg);
    for (let index = 0; index < LENGTH; index += 1) {
      this.templates.push(cut(raster, index, 0, 0));
      this.answers.push(text[index]!.toLowerCase());
    }
  }

  /** Returns the most likely characters of a captcha, in lower case. */
  async read(svg: string): Promise<string> {
    const raster = await prepare(svg);
    return Array.from({ length: LENGTH }, (_none, index) => this.nearest(raster, index)).join('');
  }

  private nearest(raster: Raster, index: number): string {
    let best = -1;
    let answer = '';
    for (const [x, y] of SHIFTS) {
      const seen = cut(raster, index, x, y);
      for (let at = 0; at < this.templates.length; at += 1) {
        const likeness = likenessOf(seen, this.templates[at]!, best);
        if (likeness > best) [best, answer] = [likeness, this.answers[at]!];
      }
    }
    return answer;
  }
}

async function prepare(svg: string): Promise<Raster> {
  const fine = await sharp(rasterInside(svg)).resize(CAPTCHA_WIDTH, HEIGHT).greyscale().raw().toBuffer();
  const raw = { width: CAPTCHA_WIDTH, height: HEIGHT, channels: 1 } as const;
  const coarse = await sharp(fine, { raw }).blur(6).greyscale().raw().toBuffer();
  return Float32Array.from(fine, (value, at) => value - coarse[at]!);
}

function cut(raster: Raster, index: number, shiftX: number, shiftY: number): Cell {
  const left = Math.round(MARGIN + STEP * (index + 0.5) - CELL.width / 2 + shiftX);
  const cell = new Float32Array(CELL.columns * CELL.rows);
  for (let row = 0; row < CELL.rows; row += 1) {
    for (let column = 0; column < CELL.columns; column += 1) {
      let sum = 0;
      for (let y = row * 2 + shiftY; y < row * 2 + shiftY + 2; y += 1) {
        for (let x = left + column * 2; x < left + column * 2 + 2; x += 1) {
          if (x >= 0 && x < CAPTCHA_WIDTH && y >= 0 && y < HEIGHT) sum += raster[y * CAPTCHA_WIDTH + x]!;
        }
      }
      cell[row * CELL.columns + column] = sum;
    }
  }
  const mean = cell.reduce((sum, value) => sum + value, 0) / cell.length;
  const length = Math.sqrt(cell.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  const values = cell.map((value) => (value - mean) / length);
  return { values, rest: Math.sqrt(product(values, values, FIRST, values.length)) };
}

/** Returns the similarity of two characters, inverted or not: 0 to 1; or a value up to `least` if it cannot be greater than that. */
function likenessOf(a: Cell, b: Cell, least: number): number {
  const first = product(a.values, b.values, 0, FIRST);
  // The rest adds at most the product of its norms, so most comparisons can stop here.
  if (Math.abs(first) + a.rest * b.rest <= least) return least;
  return Math.abs(first + product(a.values, b.values, FIRST, a.values.length));
}

function product(a: Raster, b: Raster, from: number, to: number): number {
  // Four independent sums avoid waiting for the previous addition.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 4) {
    first += a[at]! * b[at]!;
    second += a[at + 1]! * b[at + 1]!;
    third += a[at + 2]! * b[at + 2]!;
    fourth += a[at + 3]! * b[at + 3]!;
  }
  return first + second + third + fourth;
}
