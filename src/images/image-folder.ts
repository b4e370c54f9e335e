import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ReencodedImage } from './reencode-image.js';

const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:jpg|png|gif|webp)$/;
const PART = '.part';

/** A folder of uploaded images that are served. Several processes may share it. */
export class ImageFolder {
  /** @param folder created if missing; contains nothing else */
  constructor(private readonly folder: string) {}

  /** Writes an image under its name, atomically. */
  async save({ name, data }: Pick<ReencodedImage, 'name' | 'data'>): Promise<void> {
    if (!NAME.test(name)) throw new Error('This is not the name of an uploaded picture.');
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const part = join(this.folder, `${randomUUID()}${PART}`);
    try {
      const handle = await open(part, 'wx', 0o600);
      try {
        await handle.writeFile(data);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, join(this.folder, name));
    } finally {
      await rm(part, { force: true });
    }
  }

  /** Returns the absolute path of an image; null if the name is invalid or no such image exists. */
  async find(name: string): Promise<string | null> {
    if (!NAME.test(name)) return null;
    const path = join(this.folder, name);
    const found = await stat(path).catch(() => null);
    return found?.isFile() === true ? path : null;
  }

  /**
   * Removes images that are no longer used and returns their number.
   *
   * @param isShown whether an image is in use; called only for images older than `minimumAgeMs`
   */
  async sweep(isShown: (name: string) => boolean | Promise<boolean>, minimumAgeMs: number): Promise<number> {
    const names = await readdir(this.folder).catch(() => []);
    let removed = 0;
    for (const name of names.filter((candidate) => NAME.test(candidate) || candidate.endsWith(PART))) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (!found || Date.now() - found.mtimeMs < minimumAgeMs || (NAME.test(name) && (await isShown(name)))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }
}
