import { randomBytes } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { mkdir, opendir, readFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

/** Names of site folders: made by us, checked again wherever one becomes a path. */
const SITE_NAME = /^[a-z0-9][a-z0-9.]{0,63}$/;
/** Half-built sites of a process that died; older than this they are nobody's. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Reading without waiting: a FIFO in a site's folder holds nobody up. */
const READ_AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

/** What the embedded driver keeps beside a site's files. */
export interface SiteRecord {
  readonly ownerMark: string;
  readonly siteId: string;
  /** Code of the node it was made for. */
  readonly node: string;
  readonly username: string;
  /** The account is out of service. */
  readonly suspended: boolean;
  /** The web site was stopped by itself. */
  readonly stopped: boolean;
  readonly expiresOn: string | null;
}

/** At most that many entries of a folder, which may have a million. */
async function firstEntries(folder: string, limit: number): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder)) {
    entries.push(entry);
    if (entries.length === limit) break;
  }
  return entries;
}

/** Whether `error` says that a file is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}

/**
 * The folders of embedded sites: `DATA_DIR/sites/<siteName>/{site.json, public/}`. A site appears and goes in one rename;
 * what was deleted lies under `DATA_DIR/recycle`.
 */
@Injectable()
export class SiteFolders {
  readonly root: string;
  private readonly building: string;
  private readonly recycle: string;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.root = join(config.dataDir, 'sites');
    this.building = join(this.root, '.building');
    this.recycle = join(config.dataDir, 'recycle');
  }

  /** Folder of a site. @throws Error for a name that is not one of ours */
  folder(siteName: string): string {
    if (!SITE_NAME.test(siteName) || siteName.includes('..')) {
      throw new Error(`"${siteName}" is not the name of a site.`);
    }
    return join(this.root, siteName);
  }

  /** Where the files of a site lie that visitors see. @throws Error for a name that is not one of ours */
  publicFolder(siteName: string): string {
    return join(this.folder(siteName), 'public');
  }

  /** Real path of what a site serves; null when there is none, or when it leads out of the sites' root. */
  async webRoot(siteName: string): Promise<string | null> {
    const folder = join(this.folder(siteName), 'public');
    try {
      const [actual, root] = await Promise.all([realpath(folder), realpath(this.root)]);
      return actual === join(root, siteName, 'public') ? actual : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Names of sites in their order, from the one behind `after` on, at most `limit`. */
  async names(after: string, limit: number): Promise<string[]> {
    const names = await readdir(this.root).catch((error: unknown): string[] => {
      if (isMissing(error)) return [];
      throw error;
    });
    return names
      .filter((name) => SITE_NAME.test(name) && name > after)
      .sort()
      .slice(0, limit);
  }

  /** The record of a site; null when there is no such site. */
  async read(siteName: string): Promise<SiteRecord | null> {
    try {
      return JSON.parse(await readFile(join(this.folder(siteName), 'site.json'), { encoding: 'utf8', flag: READ_AT_ONCE })) as SiteRecord;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Replaces the record of an existing site in one step. */
  async write(siteName: string, record: SiteRecord): Promise<void> {
    const folder = this.folder(siteName);
    const draft = join(folder, `.site-${randomBytes(6).toString('hex')}.json`);
    await writeFile(draft, JSON.stringify(record), { flag: 'wx' });
    await rename(draft, join(folder, 'site.json'));
  }

  /** Makes a site with its first page, whole or not at all; false when a folder of that name exists. */
  async build(siteName: string, record: SiteRecord, welcomePage: string): Promise<boolean> {
    const folder = this.folder(siteName);
    const draft = join(this.building, `${siteName}-${randomBytes(6).toString('hex')}`);
    await mkdir(join(draft, 'public'), { recursive: true });
    try {
      await writeFile(join(draft, 'public', 'index.html'), welcomePage);
      await writeFile(join(draft, 'site.json'), JSON.stringify(record));
      await rename(draft, folder);
      return true;
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (isTaken(error)) return false;
      throw error;
    }
  }

  /** Whether visitors of a site find nothing there, or `page` alone as its first page; whatever else is there, a folder or a link, is something. */
  async hasNothingBut(siteName: string, page: string): Promise<boolean> {
    const folder = await this.webRoot(siteName);
    if (folder === null) return false;
    const entries = await firstEntries(folder, 2);
    const [only, another] = entries;
    if (!only) return true;
    if (another || only.name !== 'index.html' || !only.isFile()) return false;
    const file = join(folder, only.name);
    if ((await stat(file)).size !== Buffer.byteLength(page)) return false;
    return (await readFile(file, { encoding: 'utf8', flag: READ_AT_ONCE | constants.O_NOFOLLOW })) === page;
  }

  /** Takes a site out of service; its files stay under the recycle folder. False when there is no such site. */
  async discard(siteName: string): Promise<boolean> {
    const folder = this.folder(siteName);
    await mkdir(this.recycle, { recursive: true });
    const stamp = this.clock.now().toISOString().replace(/[-:.]/g, '');
    try {
      await rename(folder, join(this.recycle, `${siteName}-${stamp}-${randomBytes(3).toString('hex')}`));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Removes what interrupted builds left. */
  async removeAbandoned(): Promise<void> {
    const names = await readdir(this.building).catch(() => []);
    for (const name of names) {
      const draft = join(this.building, name);
      const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < this.clock.now().getTime() - ABANDONED_AFTER_MS) await rm(draft, { recursive: true, force: true });
    }
  }
}
