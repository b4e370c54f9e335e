import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Where a restore unpacks, within the data folder. */
const STAGING = '.restoring';

/** What is written down before the first file is moved. */
interface Places {
  readonly names: readonly string[];
  /** Where they lay, from the data folder on. */
  readonly from: string;
}

/**
 * The files of a restore, between the folder they were unpacked to and their places in the data folder. What was there is kept beside them
 * until the database is in its place too: {@link undo} puts it back, wherever the restore ended, and {@link commit} sets it aside.
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

  /** Moves what was unpacked to where it belongs. @param unpacked the folder it lies in, within the data folder */
  async take(unpacked = this.unpacked): Promise<void> {
    const names = await readdir(unpacked);
    await mkdir(this.before, { recursive: true, mode: 0o700 });
    await writeFile(`${this.list}.part`, JSON.stringify({ names, from: relative(this.dataDir, unpacked) } satisfies Places), {
      flush: true,
    });
    await rename(`${this.list}.part`, this.list);
    for (const name of names) {
      const place = join(this.dataDir, name);
      if (existsSync(place)) await rename(place, join(this.before, name));
      await rename(join(unpacked, name), place);
    }
  }

  /** The restore does not count: everything is as it was. What was unpacked here is gone; what lay elsewhere is there again. */
  async undo(): Promise<void> {
    const { names, from } = this.listed();
    for (const name of names) {
      const [place, old] = [join(this.dataDir, name), join(this.before, name)];
      // What is still unpacked has not taken its place.
      if (!existsSync(join(from, name))) {
        await mkdir(from, { recursive: true });
        if (existsSync(place)) await rename(place, join(from, name));
      }
      if (existsSync(old)) await rename(old, place);
    }
    await this.clear();
  }

  /** The restore counts: what was there before is set aside. */
  async commit(now: Date): Promise<void> {
    const names = await readdir(this.before).catch(() => []);
    if (names.length > 0) await rename(this.before, join(this.dataDir, `before-restore-${now.getTime()}`));
    await this.clear();
  }

  private listed(): Places {
    if (!this.isOpen) return { names: [], from: this.unpacked };
    const listed = JSON.parse(readFileSync(this.list, 'utf8')) as Places | string[];
    // Earlier versions unpacked to one folder only.
    return Array.isArray(listed) ? { names: listed, from: this.unpacked } : { ...listed, from: join(this.dataDir, listed.from) };
  }

  /** The list goes last: without it there is nothing to undo. */
  private async clear(): Promise<void> {
    await rm(this.list, { force: true });
    await rm(this.staging, { recursive: true, force: true });
  }
}
