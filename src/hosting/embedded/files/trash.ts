import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FileProblem, type SiteEntryType, type SpaceMeter, type TrashEntry, type TrashList } from '../../driver/index.js';

import { type Folder, isGone, problemOf, typeOf } from './folder.js';
import { madeFolder, makeFolder, removeTree, type SiteArea } from './site-area.js';
import { freeName } from './free-name.js';
import { presentName, splitPath } from './site-path.js';

/** Time of deletion in milliseconds, and a random number. */
const ID = /^\d{13}-[0-9a-f]{8}$/;
/** Prefix of entries being permanently removed from the trash. */
export const GONE = 'gone-';
/** Stored with each entry in the trash. */
type Note = Pick<TrashEntry, 'path' | 'type' | 'size'>;

/** Moves entries into the trash, each with one rename. Missing ones are skipped. @returns number of entries moved */
export async function discard(area: SiteArea, paths: readonly string[]): Promise<number> {
  let count = 0;
  for (const path of paths) {
    const { parts, name } = splitPath(path);
    presentName(name);
    count += await area.withLock(() =>
      area.use(parts, async (folder) => {
        const stats = await folder.stat(name);
        if (stats) await discardInto(area, folder, name, path, stats);
        return stats ? 1 : 0;
      }),
    );
  }
  return count;
}

/** Moves one entry of an open folder into the trash. */
export async function discardInto(area: SiteArea, folder: Folder, name: string, path: string, stats: Stats): Promise<void> {
  const type: SiteEntryType = typeOf(stats);
  const note: Note = { path, type, size: type === 'folder' ? 0 : stats.size };
  await makeFolder(area.trash);
  const slot = join(area.trash, `${area.now()}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(slot);
    await writeFile(join(slot, 'note.json'), JSON.stringify(note), { flag: 'wx' });
    await rename(folder.at(name), join(slot, 'item'));
  } catch (error) {
    await rm(slot, { recursive: true, force: true });
    throw problemOf(error);
  }
}

/** Lists the trash of a site, latest first. */
export async function listTrash(area: SiteArea, offset: number, limit: number): Promise<TrashList> {
  const ids = (await area.names('trash')).filter((name) => ID.test(name)).reverse();
  const entries: TrashEntry[] = [];
  let empty = 0;
  for (const id of ids.slice(offset, offset + limit)) {
    const note = await noteOf(area, id);
    if (note) entries.push({ ...note, id, deletedAt: Number(id.slice(0, 13)) });
    else if (await removeEmpty(area, id)) empty += 1;
  }
  return { total: ids.length - empty, entries };
}

/**
 * Removes a trash slot that a crash left without its entry. Holds the `names` lock, so that no other process is about to fill it.
 *
 * @returns false if it is not empty
 */
function removeEmpty(area: SiteArea, id: string): Promise<boolean> {
  return area.withLock(async () => {
    if ((await lstat(join(area.trash, id, 'item')).catch(() => null)) !== null) return false;
    await rm(join(area.trash, id), { recursive: true, force: true });
    return true;
  });
}

/**
 * Restores entries to their original paths, under another name if the path is taken. Entries no longer in the trash are skipped, so that a
 * retry after an interruption restores the rest.
 *
 * @returns the new path of each
 * @throws FileProblem MISSING if none of them exists
 */
export async function restore(area: SiteArea, ids: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  let missing: unknown;
  for (const id of ids) {
    try {
      paths.push(await area.withLock(() => restoreOne(area, id)));
    } catch (error) {
      if (!(error instanceof FileProblem && error.code === 'MISSING')) throw error;
      missing = error;
    }
  }
  if (paths.length === 0 && missing !== undefined) throw missing;
  return paths;
}

async function restoreOne(area: SiteArea, id: string): Promise<string> {
  const note = ID.test(id) ? await noteOf(area, id) : null;
  if (!note) throw new FileProblem('MISSING', { name: id });
  const { parts, name } = splitPath(note.path);
  const put = async (folder: Folder, rest: readonly string[]): Promise<string> => {
    const [next, ...further] = rest;
    if (next !== undefined) {
      const below = await madeFolder(folder, next);
      try {
        return await put(below, further);
      } finally {
        await below.close();
      }
    }
    const free = await freeName(folder, name);
    await rename(join(area.trash, id, 'item'), folder.at(free)).catch((error: unknown) => {
      throw problemOf(error);
    });
    return free;
  };
  const free = await area.use([], (folder) => put(folder, parts));
  await rm(join(area.trash, id), { recursive: true, force: true });
  return `/${[...parts, free].join('/')}`;
}

/**
 * Permanently removes entries from the trash: the given ones, or all.
 *
 * @param before removes only entries deleted earlier, milliseconds since 1970
 * @returns number of entries removed
 */
export async function purge(
  area: SiteArea,
  { ids, before }: { readonly ids?: readonly string[]; readonly before?: number },
  meter: SpaceMeter,
  signal: AbortSignal,
): Promise<number> {
  if (await isClear(area)) return 0;
  return area.withLockOf('trash', async () => {
    const removeUnfinished = async (name: string): Promise<void> => removeTree(await area.unfinished(name), meter, signal);
    for (const name of await area.names('work')) if (name.startsWith(GONE)) await removeUnfinished(name);
    const present = (await area.names('trash')).filter((name) => ID.test(name));
    const chosen = present.filter((id) => (ids?.includes(id) ?? true) && (before === undefined || Number(id.slice(0, 13)) < before));
    for (const id of chosen) {
      signal.throwIfAborted();
      // Leaves the trash with one rename: if a crash interrupts the removal, the remains cannot be restored and are removed by the next
      // purge.
      await area.withLock(async () => {
        await rename(join(area.trash, id, 'item'), await area.unfinished(GONE + id)).catch((error: unknown) => {
          if (!isGone(error)) throw problemOf(error);
        });
        await rm(join(area.trash, id), { recursive: true, force: true });
      });
      await removeUnfinished(GONE + id);
    }
    return chosen.length;
  });
}

/** Returns whether there is nothing to remove. Most sites have no trash, and taking the lock creates files of its own. */
async function isClear(area: SiteArea): Promise<boolean> {
  return (await area.names('trash')).length === 0 && !(await area.names('work')).some((name) => name.startsWith(GONE));
}

async function noteOf(area: SiteArea, id: string): Promise<Note | null> {
  try {
    await lstat(join(area.trash, id, 'item'));
    return JSON.parse(await readFile(join(area.trash, id, 'note.json'), 'utf8')) as Note;
  } catch {
    // A crash left the note without its entry: there is nothing to restore.
    return null;
  }
}
