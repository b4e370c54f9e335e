import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { pack as tarPack } from 'tar-stream';
import type yazl from 'yazl';

import { whenUsed } from '../../../common/index.js';
import { type DeedTurn, type FileDeed, FileProblem, type Packing, type SpaceMeter } from '../../driver/index.js';

import { archiveKind } from './archive-kind.js';
import { both } from './both.js';
import { withDeedFolder } from './copies.js';
import { problemOf } from './folder.js';
import { requireFree, type SiteArea, spend } from './site-area.js';
import { newName, partsOf, splitPath } from './site-path.js';
import type { SpacePurse } from './space-purse.js';
import { TreeWalk, type WalkedThing } from './tree-walk.js';

const zip = whenUsed<typeof yazl>('yazl');

/** Packs things into an archive, which stands there when it is whole. */
export function packTo(area: SiteArea, { folder, names, archive }: Packing, meter: SpaceMeter, turn: DeedTurn): Promise<FileDeed> {
  const { parts, name } = splitPath(archive);
  newName(name);
  const kind = archiveKind(name);
  if (kind === null) throw new FileProblem('ARCHIVE_KIND', { name });
  return withDeedFolder(area, turn, meter, (made) =>
    spend(meter, async (purse) => {
      await area.use(parts, (target) => requireFree(target, name));
      const walk = new TreeWalk(turn.signal);
      const draft = join(made, 'archive');
      const output = createWriteStream(draft, { flags: 'wx', mode: 0o644 });
      await area.use(partsOf(folder), async (source) => {
        const things = walk.through(source, names);
        const tell = (): void => turn.progress(walk.seen, 0);
        try {
          await (kind === 'zip' ? writeZip : writeTar)(things, [counted(purse), output], turn.signal, tell);
        } catch (error) {
          throw problemOf(error);
        }
      });
      await area.turn(() =>
        area.use(parts, async (target) => {
          await requireFree(target, name);
          await rename(draft, target.at(name));
        }),
      );
      return { value: { done: walk.seen, left: walk.left }, freed: 0 };
    }),
  );
}

type Things = AsyncGenerator<WalkedThing>;
type Sink = [Transform, Writable];

/** One file after another: the next one is looked for when the one before is in the archive. */
async function writeZip(things: Things, sink: Sink, signal: AbortSignal, tell: () => void): Promise<void> {
  const file = new (zip().ZipFile)();
  const written = pipeline(file.outputStream as Readable, ...sink, { signal });
  const feed = async (): Promise<void> => {
    for await (const thing of things) {
      tell();
      if (thing.isFolder) file.addEmptyDirectory(`${thing.path}/`);
      else await addToZip(file, thing, written);
    }
    file.end();
  };
  await both(
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

function failWith(stream: Readable, error: unknown): never {
  stream.destroy(error as Error);
  throw error;
}

async function writeTar(things: Things, sink: Sink, signal: AbortSignal, tell: () => void): Promise<void> {
  const tar = tarPack();
  const written = pipeline(tar, createGzip(), ...sink, { signal });
  const feed = async (): Promise<void> => {
    for await (const thing of things) {
      tell();
      await addToTar(tar, thing, signal);
    }
    tar.finalize();
  };
  await both(
    written,
    feed().catch((error: unknown) => failWith(tar as unknown as Readable, error)),
  );
}

async function addToTar(
  tar: ReturnType<typeof tarPack>,
  { folder, name, path, isFolder }: WalkedThing,
  signal: AbortSignal,
): Promise<void> {
  if (isFolder) return void tar.entry({ name: `${path}/`, type: 'directory', mode: 0o755 });
  const { handle, stats } = await folder.openFile(name);
  try {
    const header = { name: path, size: stats.size, mtime: stats.mtime, mode: stats.mode & 0o777 };
    if (stats.size === 0) return void tar.entry(header, '');
    const entry = tar.entry(header);
    await pipeline(handle.createReadStream({ start: 0, end: stats.size - 1, autoClose: false }), entry, { signal });
  } finally {
    await handle.close();
  }
}

/** Passes on what the account has space for. */
function counted(purse: SpacePurse): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      purse.take(chunk.length).then(() => done(null, chunk), done);
    },
  });
}
