import { constants as fsConstants, lstat, open, read } from 'node:fs';
import * as fs from 'node:fs/promises';
import { promisify } from 'node:util';

import { toSystemPath } from './byte-path.js';

const PART_BYTES = 512 * 1024;

// File descriptors instead of `FileHandle`: reading small files is three times as fast. Calls that may wait for a disk stay asynchronous.
const openDescriptor = promisify(open);

const readDescriptor = promisify(read);

/** Stats a file without following a symbolic link. */
export const linkStat = promisify(lstat);

/**
 * Opens a file without following a symbolic link and without blocking on a FIFO.
 *
 * @param file byte path
 * @returns descriptor
 */
export function openFile(file: string): Promise<number> {
  return openDescriptor(toSystemPath(file), fsConstants.O_RDONLY | (fsConstants.O_NOFOLLOW ?? 0) | (fsConstants.O_NONBLOCK ?? 0));
}

/**
 * Whether an open file is still where the walk found it: a parent folder may have been replaced by a symbolic link in the meantime.
 *
 * @param file byte path
 */
export async function isInPlace(descriptor: number, file: string) {
  try {
    const real =
      process.platform === 'linux'
        ? await fs.readlink(`/proc/self/fd/${descriptor}`, 'buffer')
        : await fs.realpath(toSystemPath(file), 'buffer');
    return real.toString('latin1') === file;
  } catch {
    return false;
  }
}

/** Reads a file in chunks, so that memory use does not depend on its size. */
export async function* partsOf(descriptor: number, size: number): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < size;) {
    const part = Buffer.allocUnsafe(Math.min(PART_BYTES, size - offset));
    const { bytesRead } = await readDescriptor(descriptor, part, 0, part.length, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield part.subarray(0, bytesRead);
  }
}

/** Reads a small file completely; returns less than `size` bytes if it was truncated. */
export async function readAll(descriptor: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await readDescriptor(descriptor, bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
