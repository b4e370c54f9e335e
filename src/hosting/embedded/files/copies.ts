import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { DriverTurn, FileActionResult, Relocation, SpaceMeter } from '../../driver/index.js';

import { runStaged } from './staged-work.js';
import { type Folder, problemOf } from './folder.js';
import { freeName } from './free-name.js';
import { requireFree, type SiteArea } from './site-area.js';
import { partsOf, presentName, refuseInside } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { TreeWalk } from './tree-walk.js';

/**
 * Copies entries into another folder, or next to themselves under new names. Copies are made in a hidden folder and moved only once
 * complete.
 */
export function copyTo(area: SiteArea, wanted: Relocation, meter: SpaceMeter, turn: DriverTurn): Promise<FileActionResult> {
  const from = partsOf(wanted.from);
  const to = partsOf(wanted.to);
  const names = wanted.names.map(presentName);
  for (const name of names) refuseInside([...from, name], to, name);
  const isSame = from.join('/') === to.join('/');
  return runStaged(area, turn, meter, {
    make: async (made, purse) => {
      if (!isSame) await area.use(to, (target) => Promise.all(names.map((name) => requireFree(target, name))));
      const walk = new TreeWalk(turn.signal);
      await area.use(from, async (source) => {
        for await (const { folder, name, path, isFolder } of walk.through(source, names)) {
          if (isFolder) await mkdir(join(made, path));
          else await copyFile(folder, name, join(made, path), purse, turn.signal);
          turn.progress(walk.seen, 0);
        }
      });
      return { done: walk.seen, left: walk.left };
    },
    put: (made) => area.use(to, (target) => putAll(made, target, isSame)),
  });
}

/** Moves the contents of one folder into another. @param isSame uses free names @returns bytes of replaced files: always 0 */
export async function putAll(made: string, target: Folder, isSame = false): Promise<number> {
  const names = await readdir(made);
  if (!isSame) for (const name of names) await requireFree(target, name);
  for (const name of names) {
    const free = isSame ? await freeName(target, name) : name;
    await rename(join(made, name), target.at(free));
  }
  return 0;
}

/** Copies a file of an open folder, up to the size it had at the start. */
async function copyFile(folder: Folder, name: string, to: string, purse: SpacePurse, signal: AbortSignal): Promise<void> {
  const { handle, stats } = await folder.openFile(name);
  try {
    await purse.take(stats.size);
    const output = createWriteStream(to, { flags: 'wx', mode: stats.mode & 0o777 });
    if (stats.size === 0) output.end();
    const input = handle.createReadStream({ start: 0, end: Math.max(0, stats.size - 1), autoClose: false });
    await pipeline(input, output, { signal });
  } catch (error) {
    throw problemOf(error);
  } finally {
    await handle.close();
  }
}
