import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type * as TarStream from 'tar-stream';

import { whenUsed } from '../../../common/index.js';

import { waitForBoth } from './wait-for-both.js';
import { nameDecoder } from './name-encoding.js';
import type { ArchiveEntry, ArchiveReceiver } from './unpacked-tree.js';
import { archiveError } from './zip-archive.js';

const tarStream = whenUsed<typeof TarStream>('tar-stream');

const KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = { file: 'file', 'contiguous-file': 'file', directory: 'folder' };

/** Reads a compressed tar file. Its names arrive one at a time, so each is decoded on its own. */
export async function readTar(
  handle: FileHandle,
  taker: ArchiveReceiver,
  encoding: 'utf-8' | 'gbk' | undefined,
  signal: AbortSignal,
): Promise<void> {
  // latin1 keeps the raw bytes of the names, which are decoded here.
  const tar = tarStream().extract({ filenameEncoding: 'latin1' } as object);
  const read = async (): Promise<void> => {
    for await (const entry of tar) {
      const { name, type, pax, mtime } = entry.header as TarStream.Header & { pax?: Record<string, string> | null };
      // Extended (pax) names are UTF-8 by the standard.
      const bytes = pax?.path !== undefined ? Buffer.from(name) : Buffer.from(name, 'latin1');
      const path = nameDecoder([bytes], pax?.path !== undefined ? 'utf-8' : encoding)(bytes);
      const thing: ArchiveEntry = { path, kind: KINDS[type ?? 'file'] ?? 'other', changedAt: mtime };
      if (await taker.take(thing)) await taker.write(thing, Readable.from(entry));
      else entry.resume();
    }
  };
  try {
    await waitForBoth(pipeline(handle.createReadStream({ start: 0, autoClose: false }), createGunzip(), tar, { signal }), read());
  } catch (error) {
    throw archiveError(error);
  }
}
