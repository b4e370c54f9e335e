import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Folder within the data folder into which a restore unpacks. */
const STAGING = '.restoring';

/** Journal written before the first file is moved. */
interface MoveJournal {
  readonly names: readonly string[];
  /** Source folder, relative to the data folder. */
  readonly from: string;
}

/**
 * Moves the files of a restore from the unpack folder to the data folder. Replaced files are kept until the database is restored also:
 * {@link undo} puts them back at any point, and {@link commit} sets them aside.
 */
export class FileMoves {
  /** Folder into which the archive is unpacked. */
  readonly staging: string;
  private readonly unpacked: string;
  private readonly before: string;
  private readonly journal: string;

  constructor(private readonly dataDir: string) {
    this.staging = join(dataDir, STAGING);
    this.unpacked = join(this.staging, 'data');
    this.before = join(this.staging, 'before');
    this.journal = join(this.staging, 'places.json');
  }

  /** Whether files were moved and neither committed nor undone. */
  get isOpen(): boolean {
    return existsSync(this.journal);
  }

  /** Moves the unpacked files into place. @param unpacked source folder within the data folder */
  async apply(unpacked = this.unpacked): Promise<void> {
    const names = await readdir(unpacked);
    await mkdir(this.before, { recursive: true, mode: 0o700 });
    await writeFile(`${this.journal}.part`, JSON.stringify({ names, from: relative(this.dataDir, unpacked) } satisfies MoveJournal), {
      flush: true,
    });
    await rename(`${this.journal}.part`, this.journal);
    for (const name of names) {
      const target = join(this.dataDir, name);
      if (existsSync(target)) await rename(target, join(this.before, name));
      await rename(join(unpacked, name), target);
    }
  }

  /** Rolls back: puts replaced files back. Removes files unpacked here, and returns others to their source folder. */
  async undo(): Promise<void> {
    const { names, from } = this.readJournal();
    for (const name of names) {
      const [target, old] = [join(this.dataDir, name), join(this.before, name)];
      // Files still in the source folder were not moved.
      if (!existsSync(join(from, name))) {
        await mkdir(from, { recursive: true });
        if (existsSync(target)) await rename(target, join(from, name));
      }
      if (existsSync(old)) await rename(old, target);
    }
    await this.clear();
  }

  /** Commits: sets the replaced files aside. */
  async commit(now: Date): Promise<void> {
    const names = await readdir(this.before).catch(() => []);
    if (names.length > 0) await rename(this.before, join(this.dataDir, `before-restore-${now.getTime()}`));
    await this.clear();
  }

  private readJournal(): MoveJournal {
    if (!this.isOpen) return { names: [], from: this.unpacked };
    const listed = JSON.parse(readFileSync(this.journal, 'utf8')) as MoveJournal | string[];
    // Earlier versions always unpacked to the same folder.
    return Array.isArray(listed) ? { names: listed, from: this.unpacked } : { ...listed, from: join(this.dataDir, listed.from) };
  }

  /** Removes the journal first: without it there is nothing to undo. */
  private async clear(): Promise<void> {
    await rm(this.journal, { force: true });
    await rm(this.staging, { recursive: true, force: true });
  }
}
