import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { FileLocked, withFileLock } from '../../../database/index.js';
import { FileProblem, type SpaceMeter } from '../../driver/index.js';
import { folderSize } from '../folder-size.js';

import { RESTORING } from '../site-places.js';
import { Folder, isGone, problemOf } from './folder.js';
import { SpacePurse } from './space-purse.js';
import type { KeyedMutex } from './keyed-mutex.js';

/** How long another process may be at work on a site before whoever waits is told to come back. */
const PATIENCE_MS = 30_000;
/**
 * Work that is done one at a time in a site, whichever process does it: changes of what stands in it, pieces of uploads, what is
 * removed from the trash for good.
 */
type TurnKind = 'names' | 'uploads' | 'trash';

/**
 * What a site has on this machine: `public`, which visitors see, and beside it, where neither they nor the owner's paths reach, `work` with
 * what is not whole yet and `trash`. All three lie on one file system, so a file goes from one to the other in one step.
 */
export class SiteArea {
  readonly files: string;
  readonly work: string;
  readonly trash: string;
  /** Files of a backup on their way to `files`; counted as nobody's. */
  readonly restoring: string;

  constructor(
    readonly folder: string,
    private readonly turns: KeyedMutex,
    /** Milliseconds since 1970. */
    readonly now: () => number,
  ) {
    this.files = join(folder, 'public');
    this.work = join(folder, 'work');
    this.trash = join(folder, 'trash');
    this.restoring = join(folder, RESTORING);
  }

  /** Uses an open folder of the site. @param parts from the web root */
  use<T>(parts: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
    return Folder.use(this.files, parts, work);
  }

  /**
   * Runs a change of what stands in the site: one at a time, so what was looked at is still so when it is changed. Short.
   *
   * @throws FileProblem BUSY
   */
  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.turnOf('names', work);
  }

  /**
   * Runs work of a kind, one after another, in whichever process. Whoever has a turn of another kind may take one of
   * names, never the other way round.
   *
   * @throws FileProblem BUSY
   */
  turnOf<T>(kind: TurnKind, work: () => Promise<T>): Promise<T> {
    const locked = (): Promise<T> => withFileLock(join(this.folder, `.${kind}.lock`), PATIENCE_MS, work);
    return this.turns.run(`${this.folder}\0${kind}`, locked).catch((error: unknown) => {
      throw error instanceof FileLocked ? new FileProblem('BUSY') : error;
    });
  }

  /** A path for something that is not whole yet. @param name one of ours */
  async unfinished(name: string): Promise<string> {
    await makeFolder(this.work);
    return join(this.work, name);
  }

  /** Writes a file that nobody sees yet, in a turn of names: what a crash left there goes. @returns its path */
  async draft(bytes: Buffer, mode = 0o644): Promise<string> {
    const path = await this.unfinished('draft');
    await rm(path, { force: true });
    const handle = await open(path, 'wx', mode);
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return path;
  }

  /** Names in `work` or `trash`, sorted; none where there is no such folder. */
  async names(of: 'work' | 'trash'): Promise<string[]> {
    const names = await readdir(this[of]).catch((error: unknown): string[] => {
      if (isGone(error)) return [];
      throw error;
    });
    return names.sort();
  }
}

/** Makes a folder that may be there. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw problemOf(error);
  });
}

/** Opens a folder below an open one, made where it is missing. @throws FileProblem NOT_FOLDER */
export async function madeFolder(folder: Folder, name: string): Promise<Folder> {
  await makeFolder(folder.at(name));
  return folder.child(name);
}

/** Removes what is beside the site's files, and gives its space back. */
export async function removeTree(path: string, meter: SpaceMeter, deadline: AbortSignal = new AbortController().signal): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return;
  const bytes = stats.isDirectory() ? await folderSize(path, deadline) : stats.size;
  await rm(path, { recursive: true, force: true });
  await meter.giveBack(bytes);
}

/** What an action does with space; see {@link SpacePurse.spend}. */
export const spend = SpacePurse.spend.bind(SpacePurse);

/** Requires that a name is free in a folder. @throws FileProblem TAKEN */
export async function requireFree(folder: Folder, name: string): Promise<void> {
  if ((await folder.stat(name)) !== null) throw new FileProblem('TAKEN', { name });
}

/** Opens a file for writing that only this process knows of. */
export const WRITE_ON = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;
