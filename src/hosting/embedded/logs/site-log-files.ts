import { lstat, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../../config/index.js';
import { isMissing, SiteFolders } from '../site-folders.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Largest log of one site and day, in bytes: some two million requests. */
export const LARGEST_LOG = 512 * 1024 * 1024;

/** A log as it lies there. */
export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
  readonly isPacked: boolean;
}

/**
 * Where the logs of sites lie, outside of everything that is served: `DATA_DIR/site-logs/<day>/<site>.log`, `.log.gz` once it is
 * packed, and an empty `.cut` beside one that has reached {@link LARGEST_LOG}. A folder for each day: what was visited is one listing,
 * and what is over goes in one step.
 */
@Injectable()
export class SiteLogFiles {
  readonly root: string;
  /** Bytes one log may have. */
  largest = LARGEST_LOG;

  constructor(
    config: AppConfig,
    private readonly folders: SiteFolders,
  ) {
    this.root = join(config.dataDir, 'site-logs');
  }

  /** The days there are logs of, oldest first. */
  async days(): Promise<string[]> {
    return (await entries(this.root)).filter((name) => DAY.test(name)).sort();
  }

  /** Names of the files of a day. */
  namesOf(day: string): Promise<string[]> {
    return entries(this.folderOf(day));
  }

  /** The folder of a day. @throws Error for what is no day */
  folderOf(day: string): string {
    if (!DAY.test(day)) throw new Error(`"${day.slice(0, 40)}" is no day.`);
    return join(this.root, day);
  }

  /** The log of a site and day that is not packed, whether it is there or not. @throws Error for a name that is not one of ours */
  pathOf(siteName: string, day: string): string {
    // Whatever becomes a path is checked as the folder of the site is.
    this.folders.folder(siteName);
    return join(this.folderOf(day), `${siteName}.log`);
  }

  /** The log of a site and day; null where there is none. */
  async find(siteName: string, day: string): Promise<LogFile | null> {
    const path = this.pathOf(siteName, day);
    return (await found(path, false)) ?? (await found(`${path}.gz`, true));
  }

  /** Whether requests of that day were left out. */
  async isCut(siteName: string, day: string): Promise<boolean> {
    return (await found(`${this.pathOf(siteName, day)}.cut`, false)) !== null;
  }

  /**
   * Adds lines in one write at the end of the file, wherever others who write have moved that to.
   *
   * @returns `cut` where the log is as large as it may be: nothing was written; `first` with the request that came to that
   * @throws Error where the disk says no; some of it may be there
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
      if (bytesWritten < lines.length) throw new Error('The disk took only some of the lines.');
      return 'written';
    } finally {
      await handle.close();
    }
  }

  /** Removes the logs of the days before one. @returns how many days went */
  async removeBefore(day: string): Promise<number> {
    const over = (await this.days()).filter((one) => one < day);
    for (const one of over) await rm(this.folderOf(one), { recursive: true, force: true });
    return over.length;
  }

  /** Whether a site there are logs of is still kept: in service, or in the recycle bin. */
  async hasSite(siteName: string): Promise<boolean> {
    const places = [this.folders.folder(siteName), this.folders.keptFolder(siteName)];
    const there = await Promise.all(places.map((place) => lstat(place).then(Boolean, () => false)));
    return there.includes(true);
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
