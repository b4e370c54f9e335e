import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';

import { captchaText, drawCaptcha } from '../../src/auth/captcha-picture.js';
import { NearestTemplateSolver, rasterInside } from '../support/captcha-solver.js';

const HEIGHT = 40;
/**
 * Solved pictures for training the solver; with 2,000, as an attacker might have, it takes a minute and a half and reads as little
 * (`CAPTCHA_SAMPLES`).
 */
const SAMPLES = Number(process.env.CAPTCHA_SAMPLES ?? 500);
const TRIES = 200;
/** The maximum share of pictures a program may read. */
const BAR = 0.05;

async function draw(): Promise<{ text: string; svg: string }> {
  const text = captchaText();
  return { text, svg: await drawCaptcha(text, HEIGHT) };
}

const sameLetters = (read: string, text: string): boolean => read.replace(/[^0-9a-z]/gi, '').toLowerCase() === text.toLowerCase();

const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;
const say = (line: string): boolean => process.stdout.write(`F10: ${line}\n`);

describe('F10 captcha', () => {
  it('is an SVG of its old size with one raster inside, and nothing else to count or read', async () => {
    const { svg, text } = await draw();
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="120" height="40" viewBox="0 0 120 40"><image width="120" height="40" href="data:image\/png;base64,[\w+/=]+"\/><\/svg>$/,
    );
    expect(text).toMatch(/^[A-Za-z0-9]{4}$/);
    expect(text).not.toMatch(/[0oO1iIlL]/);
    const { width, height, exif, comments } = await sharp(rasterInside(svg)).metadata();
    expect({ width, height, exif, comments }).toEqual({ width: 240, height: 80, exif: undefined, comments: undefined });
    expect(svg.length).toBeLessThan(20_000);
  });

  it('differs each time, even for the same characters', async () => {
    expect(await drawCaptcha('aK7x', HEIGHT)).not.toBe(await drawCaptcha('aK7x', HEIGHT));
  });

  it('is read by a nearest-template solver trained on solved ones at most one time in twenty', { timeout: 300_000 }, async () => {
    const solver = new NearestTemplateSolver();
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { text, svg } = await draw();
      await solver.learn(svg, text);
    }
    let characters = 0;
    let whole = 0;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const { text, svg } = await draw();
      const read = await solver.read(svg);
      characters += [...read].filter((character, at) => character === text[at]!.toLowerCase()).length;
      if (read === text.toLowerCase()) whole += 1;
    }
    say(
      `trained on ${SAMPLES}, the solver reads ${whole} of ${TRIES} pictures and ` +
        `${((100 * characters) / (4 * TRIES)).toFixed(1)} % of the characters.`,
    );
    expect(whole / TRIES).toBeLessThanOrEqual(BAR);
    // It is a solver: by chance it would read one character in 30.
    expect(characters / (4 * TRIES)).toBeGreaterThan(0.1);
  });

  it.runIf(hasTesseract)('is read by tesseract at most one time in twenty', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-captcha-'));
    const tries = 40;
    const texts: string[] = [];
    let whole = 0;
    try {
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const { text, svg } = await draw();
        texts.push(text);
        writeFileSync(join(folder, `${attempt}.png`), await sharp(rasterInside(svg)).resize(720).median(5).toBuffer());
      }
      // One process for all pictures, each as a page: starting takes longer than reading one.
      const list = join(folder, 'list.txt');
      writeFileSync(list, texts.map((_text, attempt) => `${join(folder, `${attempt}.png`)}\n`).join(''));
      const reads = ['7', '8'].map((mode) =>
        execFileSync('tesseract', [list, '-', '--psm', mode], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
          env: { ...process.env, OMP_THREAD_LIMIT: '1' },
        }).split('\f'),
      );
      for (const pages of reads) expect(pages.length).toBeGreaterThanOrEqual(tries);
      whole = texts.filter((text, attempt) => reads.some((pages) => sameLetters(pages[attempt]!, text))).length;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    say(`tesseract reads ${whole} of ${tries} pictures.`);
    expect(whole / tries).toBeLessThanOrEqual(BAR);
  });
});
