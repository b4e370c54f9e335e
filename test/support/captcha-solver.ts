import sharp from 'sharp';

import { CAPTCHA_WIDTH } from '../../src/auth/captcha-picture.js';

/** Size of the raster the solver works on, in pixels. */
const HEIGHT = 40;
const CELL = { width: 28, height: 40, columns: 14, rows: 20 };
/** Places around the middle of a character's part where the solver tries it. */
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

/** The picture inside of a captcha's SVG. */
export function rasterInside(svg: string): Buffer {
  return Buffer.from(/href="data:image\/png;base64,([^"]+)"/.exec(svg)![1]!, 'base64');
}

/**
 * Reads captchas as those programs do that are trained on solved ones: the picture is cut into its characters, light differences
 * are evened out around each point, and each character is compared with every known one, at several places and with light and dark
 * exchanged. It knows where the characters stand and how many there are.
 */
export class NearestTemplateSolver {
  private readonly templates: Raster[] = [];
  private readonly answers: string[] = [];

  /** Learns one solved captcha. */
  async learn(svg: string, text: string): Promise<void> {
    const raster = await prepare(svg);
    for (let index = 0; index < LENGTH; index += 1) {
      this.templates.push(cut(raster, index, 0, 0));
      this.answers.push(text[index]!.toLowerCase());
    }
  }

  /** The characters a captcha shows, in lower case, as far as the solver can tell. */
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
        const likeness = Math.abs(product(seen, this.templates[at]!));
        if (likeness > best) [best, answer] = [likeness, this.answers[at]!];
      }
    }
    return answer;
  }
}

async function prepare(svg: string): Promise<Raster> {
  const picture = sharp(rasterInside(svg)).resize(CAPTCHA_WIDTH, HEIGHT).greyscale();
  const [fine, coarse] = await Promise.all([picture.clone().raw().toBuffer(), picture.clone().blur(6).raw().toBuffer()]);
  return Float32Array.from(fine, (value, at) => value - coarse[at]!);
}

/** One character as numbers that sum to 0, with length 1. */
function cut(raster: Raster, index: number, shiftX: number, shiftY: number): Raster {
  const left = Math.round(MARGIN + STEP * (index + 0.5) - CELL.width / 2 + shiftX);
  const cell = new Float32Array(CELL.columns * CELL.rows);
  for (let row = 0; row < CELL.rows; row += 1) {
    for (let column = 0; column < CELL.columns; column += 1) {
      let sum = 0;
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const x = left + column * 2 + dx;
        const y = row * 2 + dy + shiftY;
        if (x >= 0 && x < CAPTCHA_WIDTH && y >= 0 && y < HEIGHT) sum += raster[y * CAPTCHA_WIDTH + x]!;
      }
      cell[row * CELL.columns + column] = sum;
    }
  }
  const mean = cell.reduce((sum, value) => sum + value, 0) / cell.length;
  const length = Math.sqrt(cell.reduce((sum, value) => sum + (value - mean) ** 2, 0)) || 1;
  return cell.map((value) => (value - mean) / length);
}

function product(a: Raster, b: Raster): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}
