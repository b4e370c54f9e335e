import { randomBytes } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, opendir, readFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

import { isMissing, NEXT, RESTORING } from './site-places.js';

export { isMissing, NEXT, RESTORING } from './site-places.js';

/** Names of site folders: made by us, checked again wherever one becomes a path. */
const SITE_NAME = /^[a-z0-9][a-z0-9.]{0,63}$/;
/** Half-built sites of a process that died; older than this they are nobody's. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Reading without waiting: a FIFO in a site's folder holds nobody up. */
const READ_AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

/** Record the embedded driver keeps beside a site's files. */
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
  /** Name of the deleted site this one was. */
  readonly restoredFrom?: string;
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

/** Tells whether `error`, or its cause, says that the disk of this machine is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '') || isDiskFull(error.cause);
}

/** Null for a file that is not there. */
function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

function isTaken(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EEXIST' || code === 'ENOTEMPTY';
}

/**
 * The folders of embedded sites: `DATA_DIR/sites/<siteName>/{site.json, public/}`. A site appears and goes in one rename;
 * what was deleted lies under `DATA_DIR/recycle/<siteName>` as it was.
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
    const folder = this.publicFolder(siteName);
    const found = await realpath(folder).catch(nullIfMissing);
    const actual = found ?? ((await this.finishSwitch(siteName)) ? await realpath(folder).catch(nullIfMissing) : null);
    return actual !== null && actual === join(await realpath(this.root), siteName, 'public') ? actual : null;
  }

  /**
   * Ends the switch from a site's files to those of a backup where its process died between the two steps of it: what was moved away was to
   * be replaced by what is whole. Whoever comes first does it.
   *
   * @returns whether there was such a thing
   */
  async finishSwitch(siteName: string): Promise<boolean> {
    const folder = this.publicFolder(siteName);
    if ((await lstat(folder).catch(nullIfMissing)) !== null) return false;
    const done = await rename(join(this.folder(siteName), RESTORING, NEXT), folder).then(() => true, nullIfMissing);
    return done ?? false;
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
  read(siteName: string): Promise<SiteRecord | null> {
    return this.readIn(this.folder(siteName));
  }

  private async readIn(folder: string): Promise<SiteRecord | null> {
    try {
      return JSON.parse(await readFile(join(folder, 'site.json'), { encoding: 'utf8', flag: READ_AT_ONCE })) as SiteRecord;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Replaces the record of an existing site in one step. */
  write(siteName: string, record: SiteRecord): Promise<void> {
    return this.writeIn(this.folder(siteName), record);
  }

  private async writeIn(folder: string, record: SiteRecord): Promise<void> {
    const draft = join(folder, `.site-${randomBytes(6).toString('hex')}.json`);
    try {
      await writeFile(draft, JSON.stringify(record), { flag: 'wx' });
      await rename(draft, join(folder, 'site.json'));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Makes a site with its first page, whole or not at all; false when a folder of that name exists. */
  async build(siteName: string, record: SiteRecord, welcomePage: string): Promise<boolean> {
    const folder = this.folder(siteName);
    const draft = join(this.building, `${siteName}-${randomBytes(6).toString('hex')}`);
    try {
      await mkdir(join(draft, 'public'), { recursive: true });
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

  /**
   * Whether visitors of a site find nothing there, or `page` alone as its first page; whatever else is there, a
   * folder or a link, is something.
   */
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
    try {
      await rename(folder, this.keptFolder(siteName));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Where a deleted site lies. @throws Error for a name that is not one of ours */
  keptFolder(siteName: string): string {
    this.folder(siteName);
    return join(this.recycle, siteName);
  }

  /** Whether anything of a deleted site is kept. */
  async isKept(siteName: string): Promise<boolean> {
    return (await lstat(this.keptFolder(siteName)).catch(nullIfMissing)) !== null;
  }

  /** The record of a deleted site; null when there is none. */
  readKept(siteName: string): Promise<SiteRecord | null> {
    return this.readIn(this.keptFolder(siteName));
  }

  /**
   * Puts a deleted site in the place of another one, whose files are removed. Cut short anywhere, the same call goes on: the deleted site
   * is whole in one of both places.
   *
   * @param kept name of the deleted site
   * @param record what it is from now on
   */
  async bringBack(kept: string, siteName: string, record: SiteRecord): Promise<void> {
    const folder = this.folder(siteName);
    const replaced = join(this.building, `${siteName}-${randomBytes(6).toString('hex')}`);
    await mkdir(this.building, { recursive: true });
    await this.writeIn(this.keptFolder(kept), record);
    await rename(folder, replaced).catch(nullIfMissing);
    await rename(this.keptFolder(kept), folder);
    await rm(replaced, { recursive: true, force: true });
  }

  /** Destroys a deleted site. False when nothing of it was there. */
  async purge(siteName: string): Promise<boolean> {
    if (!(await this.isKept(siteName))) return false;
    await rm(this.keptFolder(siteName), { recursive: true, force: true });
    return true;
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
