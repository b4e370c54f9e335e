import { constants, existsSync, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

import { FileProblem, type FileProblemCode, type SiteEntryType } from '../../driver/index.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/**
 * Where the open files of this process stand. What is reached through one cannot be swapped for something else meanwhile, which
 * Node's own functions cannot promise. By the process's own number: `/proc/self` is one more link to follow for each file.
 */
const OPEN_FILES = `/proc/${process.pid}/fd`;
const HAS_OPEN_FILES = existsSync(OPEN_FILES);

/**
 * An open folder. Its contents are reached through the open file itself and never by a path from the top, and no link is followed on the
 * way: whatever becomes of the names above it, this stays the folder it was.
 */
export class Folder {
  private constructor(
    private readonly handle: FileHandle,
    private readonly place: string,
  ) {}

  /** @param path trusted, but for its last part, which must be no link @throws FileProblem MISSING, NOT_FOLDER */
  static async open(path: string): Promise<Folder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
      throw problemOf(error);
    });
    return new Folder(handle, HAS_OPEN_FILES ? `${OPEN_FILES}/${handle.fd}` : path);
  }

  /** Uses a folder and closes it. @param parts names from there on @throws as {@link open} */
  static async use<T>(path: string, parts: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
    let folder = await Folder.open(path);
    try {
      for (const part of parts) folder = await folder.leave(part);
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** The address of what has this name here; nothing but the last part of it can be a link. */
  at(name: string): string {
    return join(this.place, name);
  }

  /** The address of the folder itself. */
  get self(): string {
    return HAS_OPEN_FILES ? `${this.place}/.` : this.place;
  }

  /** A folder in this one. @throws as {@link open} */
  child(name: string): Promise<Folder> {
    return Folder.open(this.at(name));
  }

  /** What stands here under a name; null for nothing. */
  async stat(name: string): Promise<Stats | null> {
    return lstat(this.at(name)).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw problemOf(error);
    });
  }

  /** As {@link stat}, at once: for thousands of files that is several times faster. @param name as the folder itself gives it */
  statNow(name: string): Stats | null {
    return lstatSync(`${this.place}/${name}`, { throwIfNoEntry: false }) ?? null;
  }

  /**
   * Opens a file to read it. Only plain files are opened, without waiting, and none that has a second name, which may be
   * the name of somebody else's file.
   *
   * @returns the caller's to close
   * @throws FileProblem MISSING, NOT_FILE, SPECIAL
   */
  async openFile(name: string): Promise<{ handle: FileHandle; stats: Stats }> {
    const before = await this.stat(name);
    if (before === null) throw new FileProblem('MISSING', { name });
    requireFile(before, name);
    const handle = await open(this.at(name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((error: unknown) => {
      throw problemOf(error);
    });
    try {
      const stats = await handle.stat();
      requireFile(stats, name);
      return { handle, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async leave(name: string): Promise<Folder> {
    const next = await this.child(name);
    await this.close();
    return next;
  }
}

/** Entry type of a file's status. */
export function typeOf(stats: Stats): SiteEntryType {
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() && stats.nlink === 1 ? 'file' : 'other';
}

function requireFile(stats: Stats, name: string): void {
  if (stats.isDirectory()) throw new FileProblem('NOT_FILE', { name });
  if (typeOf(stats) !== 'file') throw new FileProblem('SPECIAL', { name });
}

/** Other after each change: what is written anew is another file, with another number. */
export function versionOf({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string {
  return `${ino.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}-${size.toString(36)}`;
}

/** Tells whether an error says that a file or folder is not there. */
export function isGone(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

const PROBLEMS: Readonly<Record<string, FileProblemCode>> = {
  ENOENT: 'MISSING',
  ENOTDIR: 'NOT_FOLDER',
  EISDIR: 'NOT_FILE',
  ELOOP: 'SPECIAL',
  ENXIO: 'SPECIAL',
  EEXIST: 'TAKEN',
  ENOTEMPTY: 'TAKEN',
  ENAMETOOLONG: 'NAME',
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
};

/** Translates an error of the file system into one for people; any other comes back as it is. */
export function problemOf(error: unknown): unknown {
  const code = PROBLEMS[codeOf(error) ?? ''];
  return code === undefined ? error : new FileProblem(code, {}, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
