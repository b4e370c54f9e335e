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

/** More entries than any backup contains. */
const MAX_ENTRIES = 1_000_000;

/**
 * Replaces the files of a site with the contents of an archive. The archive is unpacked next to the current files, then both folders are
 * switched in two renames. If the process dies between them, `SiteFolders.finishSwitch` does the second one.
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
    const archive = await localArchive(from, archives, folder, signal);
    await requireIntact(archive, from, signal);
    const made = join(folder, 'unpacking');
    await mkdir(made);
    await unpack(archive, made, from, turn);
    await keepProtected(area.files, made);
    signal.throwIfAborted();
    await rename(made, join(folder, NEXT));
    await area.withLock(() => switchOver(area.files, folder));
    spare = more - (from.content - (await folderSize(join(folder, 'old'), signal)));
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  } finally {
    await space.giveBack(Math.max(0, spare));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the local path of an archive, after downloading it if necessary. */
async function localArchive(from: KeptArchive, archives: ArchiveFolder, folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, 'archive');
  if (from.fetch) {
    await archives.requireRoom(from.size);
    await pipeline(await from.fetch(signal), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return path;
  }
  return from.url === undefined ? archives.path(from.name) : downloadArchive(from, from.url, path, signal);
}

/** Downloads an archive from a storage. @returns its local path */
async function downloadArchive({ size }: KeptArchive, url: string, path: string, signal: AbortSignal): Promise<string> {
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
    // The connection broke during the transfer.
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') throw new BackupProblem('STORAGE_SILENT');
    throw storageProblem(error);
  }
  return path;
}

/** @throws BackupProblem BACKUP_GONE, BACKUP_DAMAGED */
async function requireIntact(path: string, { size, sha256 }: KeptArchive, signal: AbortSignal): Promise<void> {
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
    // The checksum was verified, so the size matches what was archived, and space was reserved for exactly that.
    return done > content ? Promise.reject(new BackupProblem('BACKUP_DAMAGED')) : Promise.resolve();
  };
  const tree = new UnpackedTree(made, { ...turn, progress: () => undefined }, { depth: 0, entries: MAX_ENTRIES, take, keepsTimes: true });
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

/** Keeps the server's own files at the top of a site unchanged. */
async function keepProtected(files: string, made: string): Promise<void> {
  const entries = await readdir(files, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile() && isProtected(entry.name))) {
    await copyFile(join(files, name), join(made, name));
  }
}

/** Between the two renames there is no web root for a moment; another process that notices this does the second rename itself. */
async function switchOver(files: string, folder: string): Promise<void> {
  await rename(files, join(folder, 'old'));
  await rename(join(folder, NEXT), files).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
