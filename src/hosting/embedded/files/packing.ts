import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type yazl from 'yazl';

import { whenUsed } from '../../../common/index.js';
import { type DriverTurn, type FileActionResult, FileProblem, type Packing, type SpaceMeter } from '../../driver/index.js';

import { archiveKind } from './archive-kind.js';
import { waitForBoth } from './wait-for-both.js';
import { putAll } from './copies.js';
import { runStaged } from './staged-work.js';
import { problemOf } from './folder.js';
import { requireFree, type SiteArea } from './site-area.js';
import { newName, partsOf, splitPath } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { type ArchiveSink, failWith, writeTar } from './tar-writing.js';
import { TreeWalk, type WalkedThing } from './tree-walk.js';

const zip = whenUsed<typeof yazl>('yazl');

/** Packs entries into an archive, which appears in the folder only once complete. */
export function packTo(
  area: SiteArea,
  { folder, names, archive }: Packing,
  meter: SpaceMeter,
  turn: DriverTurn,
): Promise<FileActionResult> {
  const { parts, name } = splitPath(archive);
  newName(name);
  const kind = archiveKind(name);
  if (kind === null) throw new FileProblem('ARCHIVE_KIND', { name });
  return runStaged(area, turn, meter, {
    make: async (made, purse) => {
      await area.use(parts, (target) => requireFree(target, name));
      const walk = new TreeWalk(turn.signal);
      const output = createWriteStream(join(made, name), { flags: 'wx', mode: 0o644 });
      await area.use(partsOf(folder), async (source) => {
        const things = walk.through(source, names);
        const report = (): void => turn.progress(walk.seen, 0);
        try {
          await (kind === 'zip' ? writeZip : writeTar)(things, [counted(purse), output], turn.signal, report);
        } catch (error) {
          throw problemOf(error);
        }
      });
      return { done: walk.seen, left: walk.left };
    },
    put: (made) => area.use(parts, (target) => putAll(made, target)),
  });
}

/** Adds one file at a time: the next one is read only after the previous one is in the archive. */
async function writeZip(things: AsyncGenerator<WalkedThing>, sink: ArchiveSink, signal: AbortSignal, report: () => void): Promise<void> {
  const file = new (zip().ZipFile)();
  const written = pipeline(file.outputStream as Readable, ...sink, { signal });
  const feed = async (): Promise<void> => {
    for await (const thing of things) {
      report();
      if (thing.isFolder) file.addEmptyDirectory(`${thing.path}/`);
      else await addToZip(file, thing, written);
    }
    file.end();
  };
  await waitForBoth(
    written,
    feed().catch((error: unknown) => failWith(file.outputStream as Readable, error)),
  );
}

async function addToZip(file: yazl.ZipFile, { folder, name, path }: WalkedThing, written: Promise<void>): Promise<void> {
  const { handle, stats } = await folder.openFile(name);
  const content = handle.createReadStream({ start: 0, autoClose: true });
  const read = new Promise<void>((resolve, reject) => content.once('close', resolve).once('error', reject));
  file.addReadStream(content, path, { mtime: stats.mtime, mode: (stats.mode & 0o777) | 0o100000 });
  try {
    await Promise.race([read, written]);
  } finally {
    read.catch(() => undefined);
    content.destroy();
  }
}

/** Reserves space for each chunk before passing it on. */
function counted(purse: SpacePurse): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      purse.take(chunk.length).then(() => done(null, chunk), done);
    },
  });
}
