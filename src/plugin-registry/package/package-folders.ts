import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { DAY_MS, loggerFor } from '../../common/index.js';
import { Database, withNamedLock } from '../../database/index.js';

import { readPluginPackage } from './manifest.js';
import { ORIGIN_FILE, originOf, UNPROVEN_FILE, type PackageOrigin } from './package-origin.js';
import { PluginFolders } from './plugin-folders.js';

const log = loggerFor('plugins');

/** Names in the folder that are no package: where new files come in, and the versions before. */
const INCOMING = '.incoming';
const BEFORE = '.before';
/** Versions before the present one that are kept. */
const KEPT = 2;
/** What lies where new files come in for longer was left by a process that ended. */
const LEFT_MS = DAY_MS;

/** A version whose files were replaced. */
export interface VersionBefore {
  readonly folder: string;
  readonly version: string;
}

/**
 * The versions before that are kept of the plugin in `folder`, the last one first. They lie in `.before/<slug>/<number>` beside it.
 */
export function versionsBefore(folder: string, slug: string, versionOf = pluginVersion): VersionBefore[] {
  const place = join(dirname(folder), BEFORE, slug);
  return numbersIn(place)
    .reverse()
    .flatMap((number) => {
      try {
        const old = join(place, String(number));
        return [{ folder: old, version: versionOf(slug, old) }];
      } catch {
        return [];
      }
    });
}

const pluginVersion = (slug: string, folder: string): string => readPluginPackage(slug, folder).version;

/** The version of the files in a folder; empty where they are no plugin. */
export function versionIn(folder: string, slug: string): string {
  try {
    return pluginVersion(slug, folder);
  } catch {
    return '';
  }
}

/**
 * Replaces the files of packages in a folder: new ones lie complete beside them and get their name by renaming, so that a process
 * that ends at any moment leaves the old ones or the new ones; {@link ExchangedFolders.recover} ends what was between two renames.
 */
export abstract class ExchangedFolders {
  /**
   * @param root absolute; every package has a folder of its name there
   * @param lock held by who exchanges files, of all processes
   * @param versionOf the version of the files in a folder; throws where they are no package
   */
  constructor(
    private readonly database: Database,
    private readonly root: string,
    private readonly lock: string,
    private readonly versionOf: (slug: string, folder: string) => string,
  ) {}

  /** One exchange of files at a time, of all processes. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withNamedLock(this.database, this.lock, work);
  }

  /** The versions before that are kept, the last one first. */
  before(slug: string): VersionBefore[] {
    return versionsBefore(this.folderOf(slug), slug, this.versionOf);
  }

  /** A place for a file that comes in. */
  async incomingFile(name: string): Promise<string> {
    const place = join(this.root, INCOMING);
    await mkdir(place, { recursive: true, mode: 0o755 });
    return join(place, name);
  }

  /** An empty folder for the new files of a package. */
  async incoming(slug: string): Promise<string> {
    const place = join(this.root, INCOMING, slug);
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true, mode: 0o755 });
    return place;
  }

  /** The folder of a package, whether or not it is there. */
  folderOf(slug: string): string {
    return join(this.root, slug);
  }

  /** Whether the files came last and have not started well yet. */
  isUnproven(slug: string): boolean {
    return existsSync(join(this.folderOf(slug), UNPROVEN_FILE));
  }

  /** Whether an order has brought the files that are there, and they have started well. */
  isDone(slug: string, order: string): boolean {
    return originOf(this.folderOf(slug))?.order === order && !this.isUnproven(slug);
  }

  /** Notes that files which are there already, and have not started yet, are those of another order now. */
  async claim(slug: string, order: string): Promise<void> {
    const folder = this.folderOf(slug);
    const fresh = join(folder, `${ORIGIN_FILE}.new`);
    await writeFile(fresh, JSON.stringify({ ...originOf(folder), order }));
    await rename(fresh, join(folder, ORIGIN_FILE));
  }

  /** The files have started well. */
  async prove(slug: string): Promise<void> {
    await rm(join(this.folderOf(slug), UNPROVEN_FILE), { force: true });
  }

  /** Puts the new files, complete in {@link incoming}, in place of those that are there, which are kept as the version before. */
  async exchange(slug: string, origin: PackageOrigin): Promise<void> {
    const [fresh, folder] = [join(this.root, INCOMING, slug), this.folderOf(slug)];
    await writeFile(join(fresh, ORIGIN_FILE), JSON.stringify(origin));
    await writeFile(join(fresh, UNPROVEN_FILE), '');
    const place = join(this.root, BEFORE, slug);
    if (existsSync(folder)) {
      await mkdir(place, { recursive: true, mode: 0o755 });
      await rename(folder, join(place, String((numbersIn(place).at(-1) ?? 0) + 1)));
    }
    await rename(fresh, folder);
    for (const old of numbersIn(place).slice(0, -KEPT)) await rm(join(place, String(old)), { recursive: true, force: true });
  }

  /** Puts the version before back in place. @returns false where there is none: then there are no files any more */
  async goBack(slug: string): Promise<boolean> {
    const folder = this.folderOf(slug);
    const [before] = this.before(slug);
    const gone = await this.incoming(`${slug}.gone`);
    if (existsSync(folder)) await rename(folder, join(gone, slug));
    if (before) await rename(before.folder, folder);
    await rm(gone, { recursive: true, force: true });
    return before !== undefined;
  }

  /**
   * Removes files that came as a package, with those before them; files somebody put there by hand stay.
   *
   * @returns whether it came as a package
   */
  async remove(slug: string): Promise<boolean> {
    const folder = this.folderOf(slug);
    const isPackage = originOf(folder) !== null;
    // Before the files themselves: what was before a package that is gone would be taken for it after a crash.
    await rm(join(this.root, BEFORE, slug), { recursive: true, force: true });
    await rm(join(this.root, INCOMING, slug), { recursive: true, force: true });
    if (isPackage) {
      const gone = await this.incoming(`${slug}.gone`);
      await rename(folder, join(gone, slug));
      await rm(gone, { recursive: true, force: true });
    }
    return isPackage;
  }

  /** Gives packages their files back whose process ended while they were exchanged, and takes away what it left. */
  async recover(): Promise<void> {
    if (!existsSync(join(this.root, BEFORE)) && !existsSync(join(this.root, INCOMING))) return;
    await this.exclusively(async () => {
      for (const slug of await readdir(join(this.root, BEFORE)).catch(() => [])) {
        const folder = this.folderOf(slug);
        const [before] = existsSync(folder) ? [] : this.before(slug);
        if (!before) continue;
        await rename(before.folder, folder);
        log.warn({ package: slug, version: before.version }, 'the files of a package are back: a process ended while they were exchanged');
      }
      const place = join(this.root, INCOMING);
      for (const name of await readdir(place).catch(() => [])) {
        const { mtimeMs } = await stat(join(place, name));
        if (Date.now() - mtimeMs > LEFT_MS) await rm(join(place, name), { recursive: true, force: true });
      }
    });
  }
}

/** The files of plugins in the data folder. */
@Injectable()
export class PackageFolders extends ExchangedFolders {
  constructor(folders: PluginFolders, database: Database) {
    super(database, folders.roots[0]!, 'plugin_packages', pluginVersion);
  }
}

function numbersIn(place: string): number[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => /^\d{1,9}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}
