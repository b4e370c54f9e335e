import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type * as TarStream from 'tar-stream';

import { whenUsed } from '../../../common/index.js';
import { FileProblem } from '../../driver/index.js';

import { waitForBoth } from './wait-for-both.js';
import { versionOf } from './folder.js';
import type { WalkedThing } from './tree-walk.js';

const tarStream = whenUsed<typeof TarStream>('tar-stream');

/** Streams an archive is written through. */
export type ArchiveSink = [Transform, Writable];

/** Called for each file that changed or disappeared while it was read. */
export type ChangeListener = (path: string) => void;

/**
 * Writes entries into a compressed tar file, one at a time.
 *
 * @param report called with the bytes of each entry
 * @param changed if given, a file that shrinks while it is read is padded with zeros and a missing one is left out, as GNU tar does;
 * otherwise either of these fails the work
 */
export async function writeTar(
  things: AsyncGenerator<WalkedThing>,
  sink: ArchiveSink,
  signal: AbortSignal,
  report: (bytes: number) => void,
  changed?: ChangeListener,
): Promise<void> {
  const tar = tarStream().pack();
  const written = pipeline(tar, createGzip(), ...sink, { signal });
  const feed = async (): Promise<void> => {
    for await (const thing of things) {
      report(await addToTar(tar, thing, signal, changed));
    }
    tar.finalize();
  };
  await waitForBoth(
    written,
    feed().catch((error: unknown) => failWith(tar as unknown as Readable, error)),
  );
}

/** Destroys a stream with an error, and throws it. */
export function failWith(stream: Readable, error: unknown): never {
  stream.destroy(error as Error);
  throw error;
}

async function addToTar(
  tar: TarStream.Pack,
  { folder, name, path, isFolder }: WalkedThing,
  signal: AbortSignal,
  changed: ChangeListener | undefined,
): Promise<number> {
  if (isFolder) {
    tar.entry({ name: `${path}/`, type: 'directory', mode: 0o755 });
    return 0;
  }
  const opened = await folder.openFile(name).catch((error: unknown) => {
    if (!changed || !(error instanceof FileProblem && error.code === 'MISSING')) throw error;
    changed(path);
    return null;
  });
  if (!opened) return 0;
  const { handle, stats } = opened;
  try {
    const header = { name: path, size: stats.size, mtime: stats.mtime, mode: stats.mode & 0o777 };
    if (stats.size === 0) {
      tar.entry(header, '');
      return 0;
    }
    const read = handle.createReadStream({ start: 0, end: stats.size - 1, autoClose: false });
    await pipeline(changed ? Readable.from(padded(read, stats.size)) : read, tar.entry(header), { signal });
    if (changed && (await hasChanged(handle, stats))) changed(path);
    return stats.size;
  } finally {
    await handle.close();
  }
}

/** Yields exactly `size` bytes, padded with zeros if the content is shorter. */
async function* padded(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let missing = size;
  for await (const chunk of content) {
    missing -= chunk.length;
    yield chunk;
  }
  const zeros = Buffer.alloc(Math.min(missing, 65_536));
  for (; missing > 0; missing -= zeros.length) yield zeros.subarray(0, missing);
}

async function hasChanged(handle: FileHandle, before: Stats): Promise<boolean> {
  return versionOf(await handle.stat()) !== versionOf(before);
}
