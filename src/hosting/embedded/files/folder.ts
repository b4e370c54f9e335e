import { constants, existsSync, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';

import { FileProblem, type FileProblemCode, type SiteEntryType } from '../../driver/index.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/**
 * Directory of this process's open files. A path through one cannot be swapped for another file in the meantime, which Node's own functions
 * do not guarantee. Uses the process ID, because `/proc/self` adds one more link to resolve per file.
 */
const OPEN_FILES = `/proc/${process.pid}/fd`;
const HAS_OPEN_FILES = existsSync(OPEN_FILES);

/**
 * An open folder. Its contents are accessed through the open file descriptor, never by a path from the top, and no symbolic link is
 * followed. If a parent folder is renamed or replaced, this stays the same folder.
 */
export class Folder {
  private constructor(
    private readonly handle: FileHandle,
    private readonly basePath: string,
  ) {}

  /** @param path trusted, except for its last part, which must not be a symbolic link @throws FileProblem MISSING, NOT_FOLDER */
  static async open(path: string): Promise<Folder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch((error: unknown) => {
      throw problemOf(error);
    });
    return new Folder(handle, HAS_OPEN_FILES ? `${OPEN_FILES}/${handle.fd}` : path);
  }

  /** Opens a folder, runs the work and closes it. @param parts names of subfolders to descend into @throws as {@link open} */
  static async use<T>(path: string, parts: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
    let folder = await Folder.open(path);
    try {
      for (const part of parts) folder = await folder.descend(part);
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** Returns the path of an entry in this folder; only its last part can be a symbolic link. */
  at(name: string): string {
    return join(this.basePath, name);
  }

  /** Path of the folder itself. */
  get self(): string {
    return HAS_OPEN_FILES ? `${this.basePath}/.` : this.basePath;
  }

  /** Opens a subfolder. @throws as {@link open} */
  child(name: string): Promise<Folder> {
    return Folder.open(this.at(name));
  }

  /** Returns the status of an entry; null if it does not exist. */
  async stat(name: string): Promise<Stats | null> {
    return lstat(this.at(name)).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw problemOf(error);
    });
  }

  /** Synchronous {@link stat}, several times faster for thousands of files. @param name as read from the folder itself */
  statNow(name: string): Stats | null {
    return lstatSync(`${this.basePath}/${name}`, { throwIfNoEntry: false }) ?? null;
  }

  /**
   * Opens a file for reading, without blocking. Accepts only regular files without a second hard link, which could be another user's file.
   *
   * @returns a handle the caller must close
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

  private async descend(name: string): Promise<Folder> {
    const next = await this.child(name);
    await this.close();
    return next;
  }
}

/** Returns the entry type of a file's status. */
export function typeOf(stats: Stats): SiteEntryType {
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() && stats.nlink === 1 ? 'file' : 'other';
}

function requireFile(stats: Stats, name: string): void {
  if (stats.isDirectory()) throw new FileProblem('NOT_FILE', { name });
  if (typeOf(stats) !== 'file') throw new FileProblem('SPECIAL', { name });
}

/** Returns a version that changes with every write: a rewritten file has another inode number. */
export function versionOf({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string {
  return `${ino.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}-${size.toString(36)}`;
}

/** Returns whether an error means that a file or folder does not exist. */
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

/** Translates a file system error into one meant for people; returns any other error unchanged. */
export function problemOf(error: unknown): unknown {
  const code = PROBLEMS[codeOf(error) ?? ''];
  return code === undefined ? error : new FileProblem(code, {}, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
