import { lstat, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../../config/index.js';
import { isMissing, SiteFolders } from '../site-folders.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Maximum bytes of one site's log per day: some two million requests. */
export const LARGEST_LOG = 512 * 1024 * 1024;

/** A log file on disk. */
export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
  readonly isPacked: boolean;
}

/**
 * Log files of sites, outside of everything that is served: `DATA_DIR/site-logs/<day>/<site>.log`, `.log.gz` once compressed, and an empty
 * `.cut` next to one that has reached {@link LARGEST_LOG}. With one folder per day, one listing finds all visited sites, and expired logs
 * are removed with one folder.
 */
@Injectable()
export class SiteLogFiles {
  readonly root: string;
  /** Maximum bytes of one log. */
  largest = LARGEST_LOG;

  constructor(
    config: AppConfig,
    private readonly folders: SiteFolders,
  ) {
    this.root = join(config.dataDir, 'site-logs');
  }

  /** Returns the days with logs, oldest first. */
  async days(): Promise<string[]> {
    return (await entries(this.root)).filter((name) => DAY.test(name)).sort();
  }

  /** Returns the file names of a day. */
  namesOf(day: string): Promise<string[]> {
    return entries(this.folderOf(day));
  }

  /** Returns the folder of a day. @throws Error for an invalid day */
  folderOf(day: string): string {
    if (!DAY.test(day)) throw new Error(`"${day.slice(0, 40)}" is not a date.`);
    return join(this.root, day);
  }

  /** Returns the path of a site's uncompressed log of a day, whether it exists or not. @throws Error for an invalid site name */
  pathOf(siteName: string, day: string): string {
    // Validates the site name before it becomes part of a path.
    this.folders.folder(siteName);
    return join(this.folderOf(day), `${siteName}.log`);
  }

  /** Returns the log of a site and day; null if none exists. */
  async find(siteName: string, day: string): Promise<LogFile | null> {
    const path = this.pathOf(siteName, day);
    return (await found(path, false)) ?? (await found(`${path}.gz`, true));
  }

  /** Returns whether requests of that day were left out. */
  async isCut(siteName: string, day: string): Promise<boolean> {
    return (await found(`${this.pathOf(siteName, day)}.cut`, false)) !== null;
  }

  /**
   * Appends lines with a single write in append mode, so that other processes may write to the same file.
   *
   * @returns `cut` if the log has reached its maximum, so nothing was written; `first` for the call that reached it
   * @throws Error if the disk rejects the write; part of the lines may have been written
   */
  async append(siteName: string, day: string, lines: Buffer): Promise<'written' | 'cut' | 'first'> {
    const path = this.pathOf(siteName, day);
    const handle = await open(path, 'a', 0o600).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await mkdir(this.folderOf(day), { recursive: true, mode: 0o700 });
      return open(path, 'a', 0o600);
    });
    try {
      if ((await handle.stat()).size + lines.length > this.largest) {
        return await writeFile(`${path}.cut`, '', { flag: 'wx', mode: 0o600 }).then(
          () => 'first' as const,
          () => 'cut' as const,
        );
      }
      const { bytesWritten } = await handle.write(lines);
      if (bytesWritten < lines.length) throw new Error('Only some of the log lines could be written to the disk.');
      return 'written';
    } finally {
      await handle.close();
    }
  }

  /** Removes the logs of the days before the given one. @returns number of days removed */
  async removeBefore(day: string): Promise<number> {
    const over = (await this.days()).filter((one) => one < day);
    for (const one of over) await rm(this.folderOf(one), { recursive: true, force: true });
    return over.length;
  }

  /** Returns whether a site with logs still exists: in service, or in the recycle bin. */
  async hasSite(siteName: string): Promise<boolean> {
    const folders = [this.folders.folder(siteName), this.folders.keptFolder(siteName)];
    const existing = await Promise.all(folders.map((folder) => lstat(folder).then(Boolean, () => false)));
    return existing.includes(true);
  }
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw error;
  });
}

async function found(path: string, isPacked: boolean): Promise<LogFile | null> {
  const at = await stat(path).catch(() => null);
  return at?.isFile() ? { path, bytes: at.size, changedAt: at.mtimeMs, isPacked } : null;
}
