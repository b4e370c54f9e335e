import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { downloadFrom } from '../../../common/index.js';
import { BackupProblem, type DriverTurn, FileProblem, type KeptArchive, type SpaceMeter, storageProblem } from '../../driver/index.js';
import { isProtected, problemOf, readTar, type SiteArea, UnpackedTree } from '../files/index.js';
import { folderSize } from '../folder-size.js';
import { isMissing, NEXT } from '../site-folders.js';

import type { ArchiveFolder } from './archive-folder.js';

/** More than a backup is made of. */
const MOST_ENTRIES = 1_000_000;

/**
 * Makes what is in an archive the files of a site. It is unpacked beside them, and both are switched in two renames, of which
 * `SiteFolders.finishSwitch` does the second one where a process died between them.
 */
export async function restoreArchive(
  area: SiteArea,
  archives: ArchiveFolder,
  from: KeptArchive,
  space: SpaceMeter,
  turn: DriverTurn,
): Promise<void> {
  const { signal } = turn;
  const folder = area.restoring;
  await rm(folder, { recursive: true, force: true });
  const before = await folderSize(area.files, signal);
  const more = Math.max(0, from.content - before);
  if (more > 0 && !(await space.take(more))) throw new FileProblem('NO_SPACE');
  let spare = more;
  try {
    await mkdir(folder);
    const archive = await fileOf(from, archives, folder, signal);
    await requireSame(archive, from, signal);
    const made = join(folder, 'unpacking');
    await mkdir(made);
    await unpack(archive, made, from, turn);
    await keepProtected(area.files, made);
    signal.throwIfAborted();
    await rename(made, join(folder, NEXT));
    await area.turn(() => switchOver(area.files, folder));
    spare = more - (from.content - (await folderSize(join(folder, 'old'), signal)));
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  } finally {
    await space.giveBack(Math.max(0, spare));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where an archive is that may have to be brought here first. */
async function fileOf(from: KeptArchive, archives: ArchiveFolder, folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, 'archive');
  if (from.fetch) {
    await archives.requireRoom(from.size);
    await pipeline(await from.fetch(signal), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return path;
  }
  return from.url === undefined ? archives.path(from.name) : fetched(from, from.url, path, signal);
}

/** Gets an archive from a storage. @returns where it is */
async function fetched({ size }: KeptArchive, url: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await downloadFrom(url, { signal });
    if (Number(response.headers['content-length'] ?? size) !== size) {
      response.destroy();
      throw new BackupProblem('BACKUP_DAMAGED');
    }
    await pipeline(response, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    // A connection that broke in the middle.
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') throw new BackupProblem('STORAGE_SILENT');
    throw storageProblem(error);
  }
  return path;
}

/** @throws BackupProblem BACKUP_GONE, BACKUP_DAMAGED */
async function requireSame(path: string, { size, sha256 }: KeptArchive, signal: AbortSignal): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) throw new BackupProblem('BACKUP_GONE');
    throw error;
  });
  if (!found.isFile() || found.size !== size) throw new BackupProblem('BACKUP_DAMAGED');
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new BackupProblem('BACKUP_DAMAGED');
}

async function unpack(archive: string, made: string, { content }: KeptArchive, turn: DriverTurn): Promise<void> {
  let done = 0;
  const take = (bytes: number): Promise<void> => {
    done += bytes;
    turn.progress(done, content);
    // Its checksum is right: it holds what was put into it, and space was taken for that.
    return done > content ? Promise.reject(new BackupProblem('BACKUP_DAMAGED')) : Promise.resolve();
  };
  const tree = new UnpackedTree(made, { ...turn, progress: () => undefined }, { depth: 0, entries: MOST_ENTRIES, take, keepsTimes: true });
  const handle = await open(archive);
  try {
    await readTar(handle, tree, 'utf-8', turn.signal);
  } catch (error) {
    if (error instanceof FileProblem && error.code.startsWith('ARCHIVE_')) throw new BackupProblem('BACKUP_DAMAGED');
    throw error;
  } finally {
    await handle.close();
  }
}

/** The server's own files at the top of a site are there afterwards as they were. */
async function keepProtected(files: string, made: string): Promise<void> {
  const entries = await readdir(files, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile() && isProtected(entry.name))) {
    await copyFile(join(files, name), join(made, name));
  }
}

/** Between both steps there is no web root for a moment: whoever looks for it then does the second one. */
async function switchOver(files: string, folder: string): Promise<void> {
  await rename(files, join(folder, 'old'));
  await rename(join(folder, NEXT), files).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
