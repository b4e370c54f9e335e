import type { Stats } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { DAY_MS, HOUR_MS } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Site archives as named by `SiteBackupRecords.begin`, including their temporary files. */
const SITE_ARCHIVE = /^[a-z0-9][a-z0-9.-]*-\d{8}-\d{6}-[0-9a-f]{16}\.tar\.gz(?:\.part|\.json)?$/;

/** A kind of file that a killed process leaves in a folder. */
interface Leftover {
  /** Path segments; each is checked and none may be a symbolic link. */
  readonly folder: readonly string[];
  readonly name: RegExp;
  readonly kind: 'file' | 'folder';
  /** Minimum age in milliseconds since the last write; younger ones may be in use. */
  readonly youngest: number;
}

/** An obsolete file or folder. */
export interface ObsoleteFile {
  readonly path: string;
  /** Size in bytes; 0 for a folder. */
  readonly size: number;
  /** `killed`: incomplete, left by a killed process; `archive`: complete but no longer listed. */
  readonly kind: 'killed' | 'archive';
}

/** Tells which files are in use by any process. */
export interface InUse {
  /** Whether an installation backup of this name is being created. */
  readonly isBackup: (name: string) => boolean;
  /** Whether a site archive of this name is listed or being created. */
  readonly isSiteBackup: (name: string, whole: boolean) => Promise<boolean>;
}

/**
 * Finds files that the panel's processes left incomplete, by names only they use and by age. Symbolic links are neither followed nor
 * removed, and other names are ignored.
 *
 * @param use tells which files must stay
 */
export async function* obsoleteFiles(config: AppConfig, use: InUse, now: Date): AsyncGenerator<ObsoleteFile> {
  for (const leftover of await leftovers(config)) {
    for await (const found of entriesOf(leftover, now))
      if (!use.isBackup(basename(found.path, '.part'))) yield { ...found, kind: 'killed' };
  }
  const archives: Leftover = { folder: [config.siteBackupDir], name: SITE_ARCHIVE, kind: 'file', youngest: HOUR_MS };
  for await (const found of entriesOf(archives, now)) {
    const [, name, rest] = /^(.*\.tar\.gz)(\.\w+)?$/.exec(basename(found.path))!;
    const isWhole = rest === undefined;
    if (await use.isSiteBackup(name!, isWhole)) continue;
    yield { ...found, kind: isWhole ? 'archive' : 'killed' };
  }
}

/** Removes an obsolete file if it still exists and is no symbolic link. @returns whether it was removed */
export async function removeObsolete({ path }: ObsoleteFile): Promise<boolean> {
  const found = await statOf(path);
  if (!found || found.isSymbolicLink()) return false;
  await rm(path, { recursive: found.isDirectory(), force: true });
  return true;
}

async function leftovers(config: AppConfig): Promise<Leftover[]> {
  const { dataDir, sqlitePath, backupDir, siteBackupDir } = config;
  const file = (folder: string[], name: RegExp, youngest = HOUR_MS): Leftover => ({ folder, name, kind: 'file', youngest });
  const folder = (parent: string[], name: RegExp): Leftover => ({ folder: parent, name, kind: 'folder', youngest: HOUR_MS });
  return [
    file([dataDir], new RegExp(`^\\.writable-${UUID}$`)),
    file([dataDir], /^secret\.key\.[0-9a-f]{12}$/),
    // If a restore has already replaced files, this folder contains the previous ones and must stay.
    ...((await statOf(join(dataDir, '.restoring', 'places.json'))) ? [] : [folder([dataDir], /^\.restoring$/)]),
    ...(sqlitePath ? [file([dirname(sqlitePath)], new RegExp(`^${escaped(basename(sqlitePath))}\\.restoring(?:-journal)?$`))] : []),
    file([siteBackupDir], /^check-[0-9a-f]{12}$/),
    file([backupDir], /^svc-\d{8}-\d{6}-[0-9a-f]{8}\.tar\.gz\.age\.part$/),
    // Uploads may take up to a day, because the sender may be slow.
    file([dataDir, 'store', 'incoming'], new RegExp(`^${UUID}\\.part$`), DAY_MS),
    ...(await foldersIn([dataDir, 'plugin-versions'])).map((slug) =>
      folder([dataDir, 'plugin-versions', slug], new RegExp(`^\\.new-${UUID}$`)),
    ),
  ];
}

async function* entriesOf({ folder, name, kind, youngest }: Leftover, now: Date): AsyncGenerator<Omit<ObsoleteFile, 'kind'>> {
  for (const entry of await namesIn(folder)) {
    if (!name.test(entry)) continue;
    const path = join(...folder, entry);
    const found = await statOf(path);
    if (!found || (kind === 'file' ? !found.isFile() : !found.isDirectory())) continue;
    if (now.getTime() - found.mtimeMs >= youngest) yield { path, size: kind === 'file' ? found.size : 0 };
  }
}

async function foldersIn(folder: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const name of await namesIn(folder)) if ((await statOf(join(...folder, name)))?.isDirectory()) names.push(name);
  return names;
}

/** Returns nothing if the folder is missing or a segment below the first is a symbolic link, which could lead anywhere. */
async function namesIn(folder: readonly string[]): Promise<string[]> {
  for (let depth = 2; depth <= folder.length; depth += 1) if (!(await statOf(join(...folder.slice(0, depth))))?.isDirectory()) return [];
  const names: string[] = [];
  const entries = await opendir(join(...folder)).catch(unlessMissing);
  if (entries) for await (const { name } of entries) names.push(name);
  return names.sort();
}

/** Stats a path without following symbolic links. */
const statOf = (path: string): Promise<Stats | null> => lstat(path).catch(unlessMissing);

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, '\\$&');
