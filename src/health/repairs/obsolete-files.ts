import type { Stats } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { DAY_MS, HOUR_MS } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** As `SiteBackupRecords.begin` names them, and what lies beside them while they are made and sent. */
const SITE_ARCHIVE = /^[a-z0-9][a-z0-9.-]*-\d{8}-\d{6}-[0-9a-f]{16}\.tar\.gz(?:\.part|\.json)?$/;

/** What a process leaves behind that is killed in the middle of its work, in one folder. */
interface Leftover {
  /** Each of its parts is looked at: none may be a link. */
  readonly folder: readonly string[];
  readonly name: RegExp;
  readonly kind: 'file' | 'folder';
  /** Younger ones may be somebody's present work, in milliseconds since it was last written to. */
  readonly youngest: number;
}

/** Something nobody needs any more. */
export interface ObsoleteFile {
  readonly path: string;
  /** Bytes; of a folder 0. */
  readonly size: number;
  /** `killed`: half of something, left by a process that was killed; `archive`: whole, but no list has it any more. */
  readonly kind: 'killed' | 'archive';
}

/** What is in use at this moment, in whichever process. */
export interface InUse {
  /** Whether a backup of the installation of this name is being made. */
  readonly isBackup: (name: string) => boolean;
  /** Whether an archive of a site of this name is somebody's, or is being made. */
  readonly isSiteBackup: (name: string, whole: boolean) => Promise<boolean>;
}

/**
 * Finds what the panel's own processes left half done in its folders, by names that only they make, and by age. Links are never followed
 * and never removed, and what has another name is not looked at.
 *
 * @param use what is to stay whatever its name is
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

/** Takes one away, if it is still what it was. @returns whether it did */
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
    // Where files of a restore have taken places, what was there before lies in it.
    ...((await statOf(join(dataDir, '.restoring', 'places.json'))) ? [] : [folder([dataDir], /^\.restoring$/)]),
    ...(sqlitePath ? [file([dirname(sqlitePath)], new RegExp(`^${escaped(basename(sqlitePath))}\\.restoring(?:-journal)?$`))] : []),
    file([siteBackupDir], /^check-[0-9a-f]{12}$/),
    file([backupDir], /^svc-\d{8}-\d{6}-[0-9a-f]{8}\.tar\.gz\.age\.part$/),
    // An upload has a day: its sender may be slow.
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

/** Nothing where the folder is not there, or a part of it below the first is a link: what lies behind may be anybody's. */
async function namesIn(folder: readonly string[]): Promise<string[]> {
  for (let depth = 2; depth <= folder.length; depth += 1) if (!(await statOf(join(...folder.slice(0, depth))))?.isDirectory()) return [];
  const names: string[] = [];
  const entries = await opendir(join(...folder)).catch(unlessMissing);
  if (entries) for await (const { name } of entries) names.push(name);
  return names.sort();
}

/** The thing itself, not what a link leads to. */
const statOf = (path: string): Promise<Stats | null> => lstat(path).catch(unlessMissing);

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, '\\$&');
