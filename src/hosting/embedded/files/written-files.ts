import { mkdir, rename, rm } from 'node:fs/promises';

import { type FileVersion, type FileWrite, FileProblem, type SpaceMeter } from '../../driver/index.js';

import { type Folder, problemOf, versionOf } from './folder.js';
import { madeFolder, requireFree, type SiteArea, spend } from './site-area.js';
import { newName, presentName, splitPath } from './site-path.js';
import { discardInto } from './trash.js';

/** Unix seconds, as used in file lists. */
const SECONDS = /^\d{1,11}$/;

/** Writes a file atomically. */
export async function writeFile(area: SiteArea, { path, bytes, isNew, version }: FileWrite, meter: SpaceMeter): Promise<FileVersion> {
  const { parts, name } = splitPath(path);
  if (isNew) newName(name);
  else presentName(name);
  return spend(meter, async (purse) => {
    await purse.take(bytes.length);
    return area.withLock(() =>
      area.use(parts, async (folder) => {
        const before = isNew ? await nothingAt(folder, name) : await present(folder, name, version);
        const draft = await area.draft(bytes, before.mode);
        await rename(draft, folder.at(name)).catch(async (error: unknown) => {
          await rm(draft, { force: true });
          throw problemOf(error);
        });
        const after = (await folder.stat(name))!;
        return { value: { version: versionOf(after), changedAt: Math.floor(after.mtimeMs) }, freed: before.size };
      }),
    );
  });
}

/** Creates a folder. */
export function makeFolderAt(area: SiteArea, path: string): Promise<void> {
  const { parts, name } = splitPath(path);
  newName(name);
  return area.withLock(() =>
    area.use(parts, async (folder) => {
      await requireFree(folder, name);
      await mkdir(folder.at(name)).catch((error: unknown) => {
        throw problemOf(error);
      });
    }),
  );
}

/**
 * Moves a file from `work` to its destination, creating the folders on the way. A file that already exists there goes to the trash.
 *
 * @param at path below an open folder, its parts validated
 * @throws FileProblem TAKEN if a folder or special file exists there
 */
export async function putAt(area: SiteArea, folder: Folder, shown: string, at: readonly string[], draft: string): Promise<void> {
  const [name, ...rest] = at;
  if (rest.length > 0) {
    const below = await madeFolder(folder, name!);
    try {
      return await putAt(area, below, `${shown}/${name}`, rest, draft);
    } finally {
      await below.close();
    }
  }
  const stats = await folder.stat(name!);
  if (stats && !stats.isFile()) throw new FileProblem('TAKEN', { name: name! });
  if (stats) await discardInto(area, folder, name!, `${shown}/${name}`, stats);
  await rename(draft, folder.at(name!)).catch((error: unknown) => {
    throw problemOf(error);
  });
}

async function nothingAt(folder: Folder, name: string): Promise<{ size: number; mode?: number }> {
  await requireFree(folder, name);
  return { size: 0 };
}

async function present(folder: Folder, name: string, version: string | undefined): Promise<{ size: number; mode: number }> {
  const { handle, stats } = await folder.openFile(name);
  await handle.close();
  const same = SECONDS.test(version ?? '') ? String(Math.floor(stats.mtimeMs / 1_000)) : versionOf(stats);
  if (version && version !== same) throw new FileProblem('CHANGED', { name, version: versionOf(stats) });
  return { size: stats.size, mode: stats.mode & 0o777 };
}
