import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ImageFolder } from './image-folder.js';

let folder: string;
let images: ImageFolder;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'svc-images-')), 'images');
  images = new ImageFolder(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const name = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000.png`;
const save = (digit: number): Promise<void> => images.save({ name: name(digit), data: Buffer.from('pixels') });

describe('ImageFolder', () => {
  it('saves a picture and finds it by its name', async () => {
    expect(await images.find(name(1))).toBeNull();
    await save(1);
    expect(await readFile((await images.find(name(1)))!, 'utf8')).toBe('pixels');
    expect(await readdir(folder)).toEqual([name(1)]);
  });

  it('knows no other names', async () => {
    await save(1);
    await writeFile(join(folder, 'other.png'), 'x');
    for (const other of ['other.png', '../images/other.png', `./${name(1)}`, name(1).toUpperCase(), name(1).replace('png', 'svg'), '']) {
      expect(await images.find(other)).toBeNull();
      if (other !== name(1)) await expect(images.save({ name: other, data: Buffer.alloc(1) })).rejects.toThrow();
    }
  });

  it('sweeps old pictures that nothing shows, and what a crash left', async () => {
    for (const digit of [1, 2, 3]) await save(digit);
    await writeFile(join(folder, 'x.part'), '');
    for (const old of [name(1), name(2), 'x.part']) await utimes(join(folder, old), new Date(0), new Date(0));
    expect(await images.sweep(async (shown) => shown === name(1), 3_600_000)).toBe(2);
    expect((await readdir(folder)).sort()).toEqual([name(1), name(3)]);
  });
});
