import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a restore unpacks, within the data folder. */
const STAGING = '.restoring';

/**
 * The files of a restore, between the folder they were unpacked to and their places in the data folder. What was there is kept beside them until the database is in its place
 * too: {@link undo} puts it back, wherever the restore ended, and {@link settle} sets it aside.
 */
export class FilePlaces {
  /** Where the archive is unpacked to. */
  readonly staging: string;
  private readonly unpacked: string;
  private readonly before: string;
  private readonly list: string;

  constructor(private readonly dataDir: string) {
    this.staging = join(dataDir, STAGING);
    this.unpacked = join(this.staging, 'data');
    this.before = join(this.staging, 'before');
    this.list = join(this.staging, 'places.json');
  }

  /** Whether files have taken places and nobody has decided yet whether they stay. */
  get isOpen(): boolean {
    return existsSync(this.list);
  }

  /** Moves what was unpacked to where it belongs. */
  async take(): Promise<void> {
    const names = await readdir(this.unpacked);
    await mkdir(this.before, { recursive: true, mode: 0o700 });
    await writeFile(`${this.list}.part`, JSON.stringify(names), { flush: true });
    await rename(`${this.list}.part`, this.list);
    for (const name of names) {
      const place = join(this.dataDir, name);
      if (existsSync(place)) await rename(place, join(this.before, name));
      await rename(join(this.unpacked, name), place);
    }
  }

  /** The restore does not count: everything is as it was, and what was unpacked is gone. */
  async undo(): Promise<void> {
    const names = this.isOpen ? (JSON.parse(readFileSync(this.list, 'utf8')) as string[]) : [];
    for (const name of names) {
      const [place, old] = [join(this.dataDir, name), join(this.before, name)];
      // What is still unpacked has not taken its place.
      if (!existsSync(join(this.unpacked, name))) {
        await mkdir(this.unpacked, { recursive: true });
        if (existsSync(place)) await rename(place, join(this.unpacked, name));
      }
      if (existsSync(old)) await rename(old, place);
    }
    await this.clear();
  }

  /** The restore counts: what was there before is set aside. */
  async settle(now: Date): Promise<void> {
    const names = await readdir(this.before).catch(() => []);
    if (names.length > 0) await rename(this.before, join(this.dataDir, `before-restore-${now.getTime()}`));
    await this.clear();
  }

  /** The list goes last: without it there is nothing to undo. */
  private async clear(): Promise<void> {
    await rm(this.list, { force: true });
    await rm(this.staging, { recursive: true, force: true });
  }
}
