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

/** Reserved folder names: for incoming files, and for previous versions. */
const INCOMING = '.incoming';
const BEFORE = '.before';
/** Number of previous versions kept. */
const KEPT = 2;
/** Incoming files older than this were left behind by a process that ended. */
const LEFT_MS = DAY_MS;

/** A previous version of a package. */
export interface VersionBefore {
  readonly folder: string;
  readonly version: string;
}

/** Returns the previous versions of the plugin in `folder`, latest first. They are stored in `.before/<slug>/<number>` next to it. */
export function versionsBefore(folder: string, slug: string, versionOf = pluginVersion): VersionBefore[] {
  const path = join(dirname(folder), BEFORE, slug);
  return numbersIn(path)
    .reverse()
    .flatMap((number) => {
      try {
        const old = join(path, String(number));
        return [{ folder: old, version: versionOf(slug, old) }];
      } catch {
        return [];
      }
    });
}

const pluginVersion = (slug: string, folder: string): string => readPluginPackage(slug, folder).version;

/** Returns the version of the files in a folder; empty if they are not a plugin. */
export function versionIn(folder: string, slug: string): string {
  try {
    return pluginVersion(slug, folder);
  } catch {
    return '';
  }
}

/**
 * Replaces the files of packages atomically: new files are completed next to the old ones and then renamed, so that a crash leaves either
 * the old or the new files; {@link ExchangedFolders.recover} repairs a crash between two renames.
 */
export abstract class ExchangedFolders {
  /**
   * @param root absolute; contains a folder per package
   * @param lock name of the lock held during an exchange, across processes
   * @param versionOf returns the version of the files in a folder; throws if they are not a package
   */
  constructor(
    private readonly database: Database,
    private readonly root: string,
    private readonly lock: string,
    private readonly versionOf: (slug: string, folder: string) => string,
  ) {}

  /** Runs one exchange at a time, across processes. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withNamedLock(this.database, this.lock, work);
  }

  /** Returns the previous versions kept, latest first. */
  before(slug: string): VersionBefore[] {
    return versionsBefore(this.folderOf(slug), slug, this.versionOf);
  }

  /** Returns a path for an incoming file. */
  async incomingFile(name: string): Promise<string> {
    const path = join(this.root, INCOMING);
    await mkdir(path, { recursive: true, mode: 0o755 });
    return join(path, name);
  }

  /** Creates an empty folder for the new files of a package. */
  async incoming(slug: string): Promise<string> {
    const path = join(this.root, INCOMING, slug);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o755 });
    return path;
  }

  /** Returns the folder of a package, existing or not. */
  folderOf(slug: string): string {
    return join(this.root, slug);
  }

  /** Whether the files are new and have not started successfully yet. */
  isUnproven(slug: string): boolean {
    return existsSync(join(this.folderOf(slug), UNPROVEN_FILE));
  }

  /** Whether an order's files are in place and have started successfully. */
  isDone(slug: string, order: string): boolean {
    return originOf(this.folderOf(slug))?.order === order && !this.isUnproven(slug);
  }

  /** Assigns existing files that have not started yet to another order. */
  async claim(slug: string, order: string): Promise<void> {
    const folder = this.folderOf(slug);
    const fresh = join(folder, `${ORIGIN_FILE}.new`);
    await writeFile(fresh, JSON.stringify({ ...originOf(folder), order }));
    await rename(fresh, join(folder, ORIGIN_FILE));
  }

  /** Marks the files as started successfully. */
  async prove(slug: string): Promise<void> {
    await rm(join(this.folderOf(slug), UNPROVEN_FILE), { force: true });
  }

  /** Replaces the files with the new ones, complete in {@link incoming}; the old ones become the previous version. */
  async exchange(slug: string, origin: PackageOrigin): Promise<void> {
    const [fresh, folder] = [join(this.root, INCOMING, slug), this.folderOf(slug)];
    await writeFile(join(fresh, ORIGIN_FILE), JSON.stringify(origin));
    await writeFile(join(fresh, UNPROVEN_FILE), '');
    const path = join(this.root, BEFORE, slug);
    if (existsSync(folder)) {
      await mkdir(path, { recursive: true, mode: 0o755 });
      await rename(folder, join(path, String((numbersIn(path).at(-1) ?? 0) + 1)));
    }
    await rename(fresh, folder);
    for (const old of numbersIn(path).slice(0, -KEPT)) await rm(join(path, String(old)), { recursive: true, force: true });
  }

  /** Restores the previous version. @returns false if there is none: then no files remain */
  async goBack(slug: string): Promise<boolean> {
    const folder = this.folderOf(slug);
    const [before] = this.before(slug);
    const removed = await this.incoming(`${slug}.gone`);
    if (existsSync(folder)) await rename(folder, join(removed, slug));
    if (before) await rename(before.folder, folder);
    await rm(removed, { recursive: true, force: true });
    return before !== undefined;
  }

  /**
   * Removes files installed from a package, including previous versions; files placed by hand stay.
   *
   * @returns whether it was installed from a package
   */
  async remove(slug: string): Promise<boolean> {
    const folder = this.folderOf(slug);
    const isPackage = originOf(folder) !== null;
    // Before the files themselves: after a crash a previous version would otherwise be mistaken for the removed package.
    await rm(join(this.root, BEFORE, slug), { recursive: true, force: true });
    await rm(join(this.root, INCOMING, slug), { recursive: true, force: true });
    if (isPackage) {
      const removed = await this.incoming(`${slug}.gone`);
      await rename(folder, join(removed, slug));
      await rm(removed, { recursive: true, force: true });
    }
    return isPackage;
  }

  /** Restores files of packages whose exchange was interrupted by a crash, and removes leftovers. */
  async recover(): Promise<void> {
    if (!existsSync(join(this.root, BEFORE)) && !existsSync(join(this.root, INCOMING))) return;
    await this.exclusively(async () => {
      for (const slug of await readdir(join(this.root, BEFORE)).catch(() => [])) {
        const folder = this.folderOf(slug);
        const [before] = existsSync(folder) ? [] : this.before(slug);
        if (!before) continue;
        await rename(before.folder, folder);
        log.warn(
          { package: slug, version: before.version },
          'the files of a package were restored: a process ended during their replacement',
        );
      }
      const path = join(this.root, INCOMING);
      for (const name of await readdir(path).catch(() => [])) {
        const { mtimeMs } = await stat(join(path, name));
        if (Date.now() - mtimeMs > LEFT_MS) await rm(join(path, name), { recursive: true, force: true });
      }
    });
  }
}

/** Files of plugins in the data folder. */
@Injectable()
export class PackageFolders extends ExchangedFolders {
  constructor(folders: PluginFolders, database: Database) {
    super(database, folders.roots[0]!, 'plugin_packages', pluginVersion);
  }
}

function numbersIn(path: string): number[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => /^\d{1,9}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}
