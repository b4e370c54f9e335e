import { createHash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';

import { readPluginPackage, type PluginPackage } from './manifest.js';
import { PluginFolders } from './plugin-folders.js';

const log = loggerFor('plugins');

/** Maximum number of fingerprinted files of a plugin, and the same again for its packages: more would delay every plugin list. */
const MAX_COUNTED = 2_000;
/** The plugin's own dependencies. */
const PACKAGES = 'node_modules';
/** Folders whose files are all fingerprinted, whatever their names. */
const LOADED_FOLDERS: ReadonlySet<string> = new Set(['assets', 'lang', 'templates', 'views']);
/** Extensions fingerprinted elsewhere. Other files may be data that the plugin writes next to its code. */
const LOADED_FILES: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '.node', '.html', '.css']);
/** Limits of one plugin's backup copy. */
const MAX_FILES = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Name prefix of an incomplete copy. */
const INCOMPLETE = '.new-';

/**
 * Backups of the last version of each plugin that started successfully: `DATA_DIR/plugin-versions/<slug>/<fingerprint>`. One per plugin of
 * the data folder; bundled plugins are replaced with the panel.
 */
@Injectable()
export class KeptVersions {
  constructor(private readonly folders: PluginFolders) {}

  /**
   * Returns a fingerprint of a plugin's files, from name, size and time of the files it loads: manifest, code, pages, assets, texts and
   * packages.
   */
  fingerprintOf({ folder }: PluginPackage): string {
    return this.isKept(folder) ? basename(folder) : fingerprint(folder);
  }

  /** Returns the backup version; null if none exists or it cannot be read. */
  read(slug: string): PluginPackage | null {
    const [found] = completeIn(join(this.folders.keptRoot, slug));
    if (found === undefined) return null;
    try {
      return this.folders.resolved(readPluginPackage(slug, join(this.folders.keptRoot, slug, found)));
    } catch (error) {
      log.warn({ err: error, plugin: slug }, 'the backup of a plugin cannot be read');
      return null;
    }
  }

  /**
   * Copies the files of a plugin that has just started, replacing the previous backup. A failure is only logged, since the plugin runs
   * anyway.
   *
   * @param print its fingerprint before loading: files replaced meanwhile are not backed up
   */
  async keep({ slug, folder }: PluginPackage, print: string): Promise<void> {
    if (this.isKept(folder)) return;
    const path = join(this.folders.keptRoot, slug);
    if (!this.folders.isOwn(folder)) return this.forget(slug);
    if (existsSync(join(path, print))) return;
    const copy = join(path, `${INCOMPLETE}${randomUUID()}`);
    try {
      await mkdir(path, { recursive: true, mode: 0o755 });
      await cp(realpathSync(folder), copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: withinLimits() });
      if (fingerprint(folder) !== print) throw new Error('its files were replaced while they were copied');
      await rename(copy, join(path, print));
    } catch (error) {
      await rm(copy, { recursive: true, force: true }).catch(() => undefined);
      // Another process was faster.
      if (existsSync(join(path, print))) return;
      log.warn({ err: error, plugin: slug }, 'backing up the files of a plugin failed: a failed upgrade leaves it disabled');
    }
    // The previous backup is not the version that ran last.
    for (const other of await readdir(path).catch(() => []))
      if (other !== print) await rm(join(path, other), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Deletes the backup of a plugin. */
  async forget(slug: string): Promise<void> {
    await rm(join(this.folders.keptRoot, slug), { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ err: error, plugin: slug }, 'the backup of a plugin could not be removed'),
    );
  }

  private isKept(folder: string): boolean {
    return dirname(dirname(folder)) === this.folders.keptRoot;
  }
}

function completeIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => !name.startsWith(INCOMPLETE));
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
    // Last, with a separate limit, so that many packages do not displace the plugin's own files.
    left = MAX_COUNTED;
    if (existsSync(join(folder, PACKAGES))) walk(join(folder, PACKAGES), PACKAGES, true);
  } catch {
    // Files changed during the scan: a random value, since this state never ran.
    return randomUUID();
  }
  return hash.digest('hex').slice(0, 32);
}

/** Filter that accepts files, folders and links, and rejects a folder over the limits. */
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
