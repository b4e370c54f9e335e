import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { type DriverTurn, type FileActionResult, FileProblem, type SpaceMeter, type Unpacking } from '../../driver/index.js';

import { archiveKind } from './archive-kind.js';
import { runStaged } from './staged-work.js';
import { type Folder, problemOf } from './folder.js';
import type { SiteArea } from './site-area.js';
import { partsOf, presentName, splitPath } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { readTar } from './tar-archive.js';
import { UnpackedTree } from './unpacked-tree.js';
import { readZip } from './zip-archive.js';

const MOST_ENTRIES = 100_000;
/**
 * From so many bytes on, an archive may not become more than so many times as large: text packs to a tenth,
 * nothing honest to a two-hundredth.
 */
const BOMB = { bytes: 100 * 1024 * 1024, times: 200 };

/** Unpacks an archive out of sight, and puts what was in it where it belongs when all of it is there: everything or nothing. */
export function unpackTo(
  area: SiteArea,
  { archive, folder, encoding }: Unpacking,
  meter: SpaceMeter,
  turn: DriverTurn,
): Promise<FileActionResult> {
  const { parts, name } = splitPath(archive);
  presentName(name);
  const to = partsOf(folder);
  const kind = archiveKind(name);
  if (kind === null) throw new FileProblem('ARCHIVE_KIND', { name });
  return runStaged(area, turn, meter, {
    make: async (made, purse) => {
      await area.use(to, () => Promise.resolve());
      const { handle, stats } = await area.use(parts, (source) => source.openFile(name));
      const taker = new UnpackedTree(made, turn, {
        depth: to.length,
        entries: MOST_ENTRIES,
        take: honest(stats.size, purse),
      });
      try {
        if (kind === 'zip') await readZip(handle, taker, encoding);
        else await readTar(handle, taker, encoding, turn.signal);
      } catch (error) {
        throw named(problemOf(error), name);
      } finally {
        await handle.close();
      }
      turn.signal.throwIfAborted();
      return { done: taker.seen, left: taker.left };
    },
    put: (made) => area.use(to, (target) => putTree(made, target)),
  });
}

/** Takes space for what is no bomb. */
function honest(archiveSize: number, purse: SpacePurse): (bytes: number) => Promise<void> {
  let sum = 0;
  return async (bytes) => {
    sum += bytes;
    if (sum > BOMB.bytes && sum > BOMB.times * archiveSize) throw new FileProblem('ARCHIVE_BOMB');
    await purse.take(bytes);
  };
}

/** What is wrong with an archive as a whole is told with its name. */
function named(error: unknown, name: string): unknown {
  return error instanceof FileProblem && error.params.name === undefined ? new FileProblem(error.code, { name }) : error;
}

/**
 * Puts a tree over a folder: first whether it fits is looked at, then each part goes there in one step.
 *
 * @returns bytes of the files that were replaced
 */
async function putTree(made: string, target: Folder): Promise<number> {
  await refuseClashes(made, target, '');
  return merge(made, target);
}

async function refuseClashes(from: string, target: Folder, shown: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const stats = await target.stat(entry.name);
    if (stats === null) continue;
    const name = `${shown}${entry.name}`;
    if (entry.isDirectory() ? !stats.isDirectory() : !stats.isFile()) throw new FileProblem('TAKEN', { name });
    if (entry.isDirectory()) await below(target, entry.name, (folder) => refuseClashes(join(from, entry.name), folder, `${name}/`));
  }
}

async function merge(from: string, target: Folder): Promise<number> {
  let freed = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    const stats = await target.stat(entry.name);
    if (stats?.isDirectory()) freed += await below(target, entry.name, (folder) => merge(path, folder));
    else {
      await rename(path, target.at(entry.name));
      freed += stats?.size ?? 0;
    }
  }
  return freed;
}

async function below<T>(folder: Folder, name: string, work: (folder: Folder) => Promise<T>): Promise<T> {
  const child = await folder.child(name);
  try {
    return await work(child);
  } finally {
    await child.close();
  }
}
