import { constants } from 'node:fs';
import { lstat, open, opendir, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';

import type { AppConfig } from '../../config/index.js';

import type { ArchiveWriter } from './archive-writer.js';
import { ENTRIES } from './manifest.js';

/** Content of `DATA_DIR` not backed up: regenerated, incomplete or machine-specific files, and backups themselves. */
const EXCLUDED = [
  /^backups$/,
  /^site-backups$/,
  /^crash-marks$/,
  /^store\/incoming$/,
  /^\.writable-/,
  /^\.restoring/,
  /^before-restore-/,
  /\.part$/,
];

/** A file, folder or link in the data folder; its name has forward slashes on every system. */
interface Found {
  readonly path: string;
  readonly name: string;
}

/**
 * Writes everything in `DATA_DIR` except the database and excluded files.
 *
 * @param progress called with the number of files so far
 * @returns number of files
 */
export async function writeDataFiles(
  archive: ArchiveWriter,
  config: AppConfig,
  backupFolder: string,
  progress: (files: number) => Promise<void>,
): Promise<number> {
  const { sqlitePath } = config;
  // The SQLite files would be inconsistent when copied; the rows are written separately.
  const isExcluded = (path: string): boolean =>
    path === backupFolder ||
    (sqlitePath !== null && (path === sqlitePath || ['-', '.'].some((next) => path.startsWith(sqlitePath + next))));
  let files = 0;
  for await (const found of walk(config.dataDir, config.dataDir, isExcluded)) {
    if (await writeOne(archive, found)) files += 1;
    await progress(files);
  }
  return files;
}

async function* walk(root: string, folder: string, isExcluded: (path: string) => boolean): AsyncGenerator<Found> {
  // The folder may have been removed meanwhile.
  const entries = await opendir(folder).catch(ifGone);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join('/');
    if (isExcluded(path) || EXCLUDED.some((pattern) => pattern.test(name))) continue;
    yield { path, name };
    if (entry.isDirectory()) yield* walk(root, path, isExcluded);
  }
}

async function writeOne(archive: ArchiveWriter, { path, name: relativeName }: Found): Promise<boolean> {
  const name = ENTRIES.files + relativeName;
  const stats = await lstat(path).catch(ifGone);
  if (!stats) return false;
  const info = { mode: stats.mode & 0o777, mtime: stats.mtime };
  if (stats.isDirectory()) archive.addMark(name, { ...info, type: 'directory' });
  if (stats.isSymbolicLink()) {
    const linkname = await readlink(path).catch(ifGone);
    if (linkname) archive.addMark(name, { ...info, type: 'symlink', linkname });
  }
  if (!stats.isFile()) return false;
  // Does not follow a link that replaced the file, and does not block on a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ifGone);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    await archive.addStream(name, size, Readable.from(exactly(file.createReadStream({ autoClose: false }), size)), info);
  } finally {
    await file.close();
  }
  return true;
}

/** Yields exactly the announced number of bytes, even if the file grows or shrinks meanwhile; the next backup then has it completely. */
async function* exactly(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of content) {
    if (left === 0) break;
    const part = chunk.subarray(0, left);
    left -= part.length;
    yield part;
  }
  for (; left > 0; left -= Math.min(left, 65_536)) yield Buffer.alloc(Math.min(left, 65_536));
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ELOOP') return null;
  throw error;
}
