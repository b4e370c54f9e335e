import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Database, withNamedLock } from '../../database/index.js';

import { readPackage } from './manifest.js';
import { ORIGIN_FILE, originOf, UNPROVEN_FILE, type PackageOrigin } from './package-origin.js';
import { PluginFolders } from './plugin-folders.js';

const log = loggerFor('plugins');

/** Names in the plugins' folder that are no plugin: where new files come in, and the versions before. */
const INCOMING = '.incoming';
const BEFORE = '.before';
/** Versions before the present one that are kept. */
const KEPT = 2;
/** What lies where new files come in for longer was left by a process that ended. */
const LEFT_MS = 24 * 3_600_000;

/** A version whose files were replaced. */
export interface VersionBefore {
  readonly folder: string;
  readonly version: string;
}

/**
 * The versions before that are kept of the plugin in `folder`, the last one first. They lie in `.before/<slug>/<number>` beside it.
 */
export function versionsBefore(folder: string, slug: string): VersionBefore[] {
  const place = join(dirname(folder), BEFORE, slug);
  return numbersIn(place)
    .reverse()
    .flatMap((number) => {
      try {
        const old = join(place, String(number));
        return [{ folder: old, version: readPackage(slug, old).version }];
      } catch {
        return [];
      }
    });
}

/** The version of the files in a folder; empty where they are no plugin. */
export function versionIn(folder: string, slug: string): string {
  try {
    return readPackage(slug, folder).version;
  } catch {
    return '';
  }
}

/**
 * Replaces the files of plugins in the data folder: new ones lie complete beside them and get their name by renaming, so that a process
 * that ends at any moment leaves the old ones or the new ones; {@link PackageFolders.recover} ends what was between two renames.
 */
@Injectable()
export class PackageFolders {
  constructor(
    private readonly folders: PluginFolders,
    private readonly database: Database,
  ) {}

  /** One exchange of files at a time, of all processes. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withNamedLock(this.database, 'plugin_packages', work);
  }

  /** A place for a file that comes in. */
  async incomingFile(name: string): Promise<string> {
    const place = join(this.root, INCOMING);
    await mkdir(place, { recursive: true, mode: 0o755 });
    return join(place, name);
  }

  /** An empty folder for the new files of a plugin. */
  async incoming(slug: string): Promise<string> {
    const place = join(this.root, INCOMING, slug);
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true, mode: 0o755 });
    return place;
  }

  /** The folder of a plugin in the data folder, whether or not it is there. */
  folderOf(slug: string): string {
    return join(this.root, slug);
  }

  /** Whether the files came last and have not started well yet. */
  isUnproven(slug: string): boolean {
    return existsSync(join(this.folderOf(slug), UNPROVEN_FILE));
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
    const [before] = versionsBefore(folder, slug);
    const gone = await this.incoming(`${slug}.gone`);
    if (existsSync(folder)) await rename(folder, join(gone, slug));
    if (before) await rename(before.folder, folder);
    await rm(gone, { recursive: true, force: true });
    return before !== undefined;
  }

  /**
   * Removes the files of a plugin that came as a package, with those before them; files somebody put there by hand stay.
   *
   * @returns whether it came as a package
   */
  async remove(slug: string): Promise<boolean> {
    const folder = this.folderOf(slug);
    const isPackage = originOf(folder) !== null;
    if (isPackage) {
      const gone = await this.incoming(`${slug}.gone`);
      await rename(folder, join(gone, slug));
      await rm(gone, { recursive: true, force: true });
    }
    await rm(join(this.root, BEFORE, slug), { recursive: true, force: true });
    await rm(join(this.root, INCOMING, slug), { recursive: true, force: true });
    return isPackage;
  }

  /** Gives plugins their files back whose process ended while they were exchanged, and takes away what it left. */
  async recover(): Promise<void> {
    if (!existsSync(join(this.root, BEFORE)) && !existsSync(join(this.root, INCOMING))) return;
    await this.exclusively(async () => {
      for (const slug of await readdir(join(this.root, BEFORE)).catch(() => [])) {
        const folder = this.folderOf(slug);
        const [before] = existsSync(folder) ? [] : versionsBefore(folder, slug);
        if (!before) continue;
        await rename(before.folder, folder);
        log.warn({ plugin: slug, version: before.version }, 'the files of a plugin are back: a process ended while they were exchanged');
      }
      const place = join(this.root, INCOMING);
      for (const name of await readdir(place).catch(() => [])) {
        const { mtimeMs } = await stat(join(place, name));
        if (Date.now() - mtimeMs > LEFT_MS) await rm(join(place, name), { recursive: true, force: true });
      }
    });
  }

  private get root(): string {
    return this.folders.roots[0]!;
  }
}

function numbersIn(place: string): number[] {
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((name) => /^\d{1,9}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}
