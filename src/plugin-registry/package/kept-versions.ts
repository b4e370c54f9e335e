import { createHash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';

import { readPluginPackage, type PluginPackage } from './manifest.js';
import { PluginFolders } from './plugin-folders.js';

const log = loggerFor('plugins');

/** Files of a plugin itself that count, and as many of its packages: looking at more would hold up every list of the plugins. */
const MAX_COUNTED = 2_000;
/** The packages it brings. */
const PACKAGES = 'node_modules';
/** Folders in which every file counts: their files are read, whatever they are called. */
const LOADED_FOLDERS: ReadonlySet<string> = new Set(['assets', 'lang', 'templates', 'views']);
/** Ends of names that count anywhere else. Others may be data the plugin writes beside its code. */
const LOADED_FILES: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.node', '.html', '.css']);
/** What is kept of one plugin, at most. */
const MAX_FILES = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Beginning of the name of a copy that is not complete. */
const INCOMPLETE = '.new-';

/**
 * The files of the last version of each plugin that started well: `DATA_DIR/plugin-versions/<slug>/<fingerprint>`. There is
 * one of each plugin of the data folder; bundled ones come with the panel and are replaced with it.
 */
@Injectable()
export class KeptVersions {
  constructor(private readonly folders: PluginFolders) {}

  /**
   * Tells one state of a plugin's files from another one: by name, size and time of the files it loads: manifest, code,
   * pages, assets, texts and packages.
   */
  fingerprintOf({ folder }: PluginPackage): string {
    return this.isKept(folder) ? basename(folder) : fingerprint(folder);
  }

  /** The kept version; null where there is none, or none that can be read. */
  read(slug: string): PluginPackage | null {
    const [found] = completeIn(join(this.folders.keptRoot, slug));
    if (found === undefined) return null;
    try {
      return this.folders.resolved(readPluginPackage(slug, join(this.folders.keptRoot, slug, found)));
    } catch (error) {
      log.warn({ err: error, plugin: slug }, 'the kept version of a plugin cannot be read');
      return null;
    }
  }

  /**
   * Copies the files of a plugin that has just started, in place of those kept before. Where that does not work it is
   * logged: the plugin runs all the same.
   *
   * @param print its fingerprint before it was loaded: files that were replaced meanwhile are not kept
   */
  async keep({ slug, folder }: PluginPackage, print: string): Promise<void> {
    if (this.isKept(folder)) return;
    const place = join(this.folders.keptRoot, slug);
    if (!this.folders.isOwn(folder)) return this.forget(slug);
    if (existsSync(join(place, print))) return;
    const copy = join(place, `${INCOMPLETE}${randomUUID()}`);
    try {
      await mkdir(place, { recursive: true, mode: 0o755 });
      await cp(realpathSync(folder), copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: withinLimits() });
      if (fingerprint(folder) !== print) throw new Error('its files were replaced while they were copied');
      await rename(copy, join(place, print));
    } catch (error) {
      await rm(copy, { recursive: true, force: true }).catch(() => undefined);
      // Another process was faster.
      if (existsSync(join(place, print))) return;
      log.warn({ err: error, plugin: slug }, 'the files of a plugin could not be kept: an upgrade that fails leaves it off');
    }
    // What was kept before is not what ran last.
    for (const other of await readdir(place).catch(() => []))
      if (other !== print) await rm(join(place, other), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Removes what is kept of a plugin. */
  async forget(slug: string): Promise<void> {
    await rm(join(this.folders.keptRoot, slug), { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ err: error, plugin: slug }, 'the kept version of a plugin could not be removed'),
    );
  }

  private isKept(folder: string): boolean {
    return dirname(dirname(folder)) === this.folders.keptRoot;
  }
}

function completeIn(place: string): string[] {
  try {
    return readdirSync(place).filter((name) => !name.startsWith(INCOMPLETE));
  } catch {
    return [];
  }
}

function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  let left = MAX_COUNTED;
  const walk = (at: string, path: string, all: boolean): void => {
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left <= 0) return;
      const name = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && name !== PACKAGES)
          walk(join(at, entry.name), name, all || (path === '' && LOADED_FOLDERS.has(name)));
        continue;
      }
      if (!all && name !== 'plugin.json' && !LOADED_FILES.has(extname(name))) continue;
      left -= 1;
      const { size, mtimeMs } = lstatSync(join(at, entry.name));
      hash.update(`${name}\0${size}\0${mtimeMs}\0`);
    }
  };
  try {
    walk(folder, '', false);
    // Last, and with a share of its own: many packages leave no file of the plugin itself uncounted.
    left = MAX_COUNTED;
    if (existsSync(join(folder, PACKAGES))) walk(join(folder, PACKAGES), PACKAGES, true);
  } catch {
    // Files that come and go while they are looked at: no state that ran.
    return randomUUID();
  }
  return hash.digest('hex').slice(0, 32);
}

/** Takes files, folders and links, and refuses a folder that is too big. */
function withinLimits(): (source: string) => Promise<boolean> {
  let files = 0;
  let bytes = 0;
  return async (source) => {
    const found: Stats = await lstat(source);
    files += 1;
    bytes += found.isFile() ? found.size : 0;
    if (files > MAX_FILES || bytes > MAX_BYTES) throw new Error(`it has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MB`);
    return found.isFile() || found.isDirectory() || found.isSymbolicLink();
  };
}
