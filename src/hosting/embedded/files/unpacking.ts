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

const MAX_ENTRIES = 100_000;
/**
 * Above this many bytes, an archive may not expand to more than this multiple of its size. Text compresses to a tenth; nothing legitimate
 * to a two-hundredth.
 */
const BOMB = { bytes: 100 * 1024 * 1024, times: 200 };

/** Unpacks an archive into a hidden folder and moves the contents to their destination once complete: all or nothing. */
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
        entries: MAX_ENTRIES,
        take: bombGuard(stats.size, purse),
      });
      try {
        if (kind === 'zip') await readZip(handle, taker, encoding);
        else await readTar(handle, taker, encoding, turn.signal);
      } catch (error) {
        throw withName(problemOf(error), name);
      } finally {
        await handle.close();
      }
      turn.signal.throwIfAborted();
      return { done: taker.seen, left: taker.skipped };
    },
    put: (made) => area.use(to, (target) => putTree(made, target)),
  });
}

/** Reserves space for bytes unless the archive looks like an archive bomb. */
function bombGuard(archiveSize: number, purse: SpacePurse): (bytes: number) => Promise<void> {
  let sum = 0;
  return async (bytes) => {
    sum += bytes;
    if (sum > BOMB.bytes && sum > BOMB.times * archiveSize) throw new FileProblem('ARCHIVE_BOMB');
    await purse.take(bytes);
  };
}

/** Adds the archive's name to an error that concerns the archive as a whole. */
function withName(error: unknown, name: string): unknown {
  return error instanceof FileProblem && error.params.name === undefined ? new FileProblem(error.code, { name }) : error;
}

/**
 * Merges a tree into a folder. Checks for conflicts first, then moves each entry with one rename.
 *
 * @returns bytes of the replaced files
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
    if (entry.isDirectory()) await inSubfolder(target, entry.name, (folder) => refuseClashes(join(from, entry.name), folder, `${name}/`));
  }
}

async function merge(from: string, target: Folder): Promise<number> {
  let freed = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    const stats = await target.stat(entry.name);
    if (stats?.isDirectory()) freed += await inSubfolder(target, entry.name, (folder) => merge(path, folder));
    else {
      await rename(path, target.at(entry.name));
      freed += stats?.size ?? 0;
    }
  }
  return freed;
}

async function inSubfolder<T>(folder: Folder, name: string, work: (folder: Folder) => Promise<T>): Promise<T> {
  const child = await folder.child(name);
  try {
    return await work(child);
  } finally {
    await child.close();
  }
}
