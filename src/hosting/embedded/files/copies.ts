import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { DeedTurn, FileDeed, Relocation, SpaceMeter } from '../../driver/index.js';

import { type Folder, problemOf } from './folder.js';
import { freeName } from './free-name.js';
import { refuseInside } from './relocations.js';
import { removeTree, requireFree, type SiteArea, spend } from './site-area.js';
import { partsOf, presentName } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { TreeWalk } from './tree-walk.js';

/** Copies things into another folder, or beside themselves under new names: made out of sight, and put there when all of it is whole. */
export function copyTo(area: SiteArea, wanted: Relocation, meter: SpaceMeter, turn: DeedTurn): Promise<FileDeed> {
  const from = partsOf(wanted.from);
  const to = partsOf(wanted.to);
  const names = wanted.names.map(presentName);
  for (const name of names) refuseInside([...from, name], to, name);
  const isSame = from.join('/') === to.join('/');
  return withDeedFolder(area, turn, meter, (made) =>
    spend(meter, async (purse) => {
      if (!isSame) await area.use(to, (target) => Promise.all(names.map((name) => requireFree(target, name))));
      const walk = new TreeWalk(turn.signal);
      await area.use(from, async (source) => {
        for await (const { folder, name, path, isFolder } of walk.through(source, names)) {
          if (isFolder) await mkdir(join(made, path));
          else await copyFile(folder, name, join(made, path), purse, turn.signal);
          turn.progress(walk.seen, 0);
        }
      });
      await area.turn(() => area.use(to, (target) => putAll(made, names, target, isSame)));
      return { value: { done: walk.seen, left: walk.left }, freed: 0 };
    }),
  );
}

async function putAll(made: string, names: readonly string[], target: Folder, isSame: boolean): Promise<void> {
  if (!isSame) for (const name of names) await requireFree(target, name);
  for (const name of names) {
    const free = isSame ? await freeName(target, name) : name;
    // A link that was passed over has no copy.
    await rename(join(made, name), target.at(free)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw problemOf(error);
    });
  }
}

/** Copies an open folder's file, as long as it was when that began. */
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

/** Gives a deed a folder of its own, which goes with it. */
export async function withDeedFolder<T>(
  area: SiteArea,
  turn: DeedTurn,
  meter: SpaceMeter,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await area.deedFolder(`job-${turn.id}`, meter);
  try {
    return await work(folder);
  } finally {
    // What it holds now was given back by whoever took it.
    await removeTree(folder, NOTHING_TO_COUNT);
  }
}

const NOTHING_TO_COUNT: SpaceMeter = {
  take: () => Promise.resolve(true),
  giveBack: () => Promise.resolve(),
  fits: () => Promise.resolve(true),
};
