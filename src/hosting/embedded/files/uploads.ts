import { createHash } from 'node:crypto';
import { type FileHandle, lstat, open, rm, truncate } from 'node:fs/promises';

import { FileProblem, type SpaceMeter, type UploadState, type UploadTarget } from '../../driver/index.js';

import { problemOf } from './folder.js';
import { type SiteArea, spend, WRITE_ON } from './site-area.js';
import { partsOf, uploadPlace } from './site-path.js';
import { putAt } from './written-files.js';

/** Prefix of the unfinished files of uploads. */
export const UPLOADS = 'up-';

/** Returns how much of a file has been received. */
export async function uploaded(area: SiteArea, target: UploadTarget): Promise<UploadState> {
  uploadPlace(target);
  return { received: await sizeOf(await area.unfinished(nameOf(target))), done: false };
}

/**
 * Appends a piece to an upload if it starts at the expected offset; otherwise changes nothing and returns that offset. The last piece moves
 * the file to its destination, and may be repeated if its response was lost. If the process is killed within a piece, the upload resumes at
 * the bytes written.
 */
export function upload(area: SiteArea, target: UploadTarget, offset: number, piece: Buffer, meter: SpaceMeter): Promise<UploadState> {
  const { parts, at } = uploadPlace(target);
  const name = nameOf(target);
  return area.withLockOf('uploads', async () => {
    if (offset === 0) await begin(area, target, parts, meter);
    const path = await area.unfinished(name);
    const received = await sizeOf(path);
    // If all bytes are present and the file only awaits its move, no further piece is appended.
    if (received < target.size || target.size === 0) {
      if (offset !== received) {
        const done =
          received === 0 && offset + piece.length === target.size && (await endsWith(area, [...parts, ...at], target.size, piece));
        return { received: done ? target.size : received, done };
      }
      if (received + piece.length > target.size || (piece.length === 0 && target.size > 0)) throw new FileProblem('PIECE');
      await append(path, received, piece, meter);
      if (received + piece.length < target.size) return { received: received + piece.length, done: false };
    }
    const shown = parts.map((part) => `/${part}`).join('');
    try {
      await area.withLock(() => area.use(parts, (folder) => putAt(area, folder, shown, at, path)));
    } catch (error) {
      await abandon(path, meter);
      throw error;
    }
    return { received: target.size, done: true };
  });
}

/** Cancels an upload. */
export function cancelUpload(area: SiteArea, target: UploadTarget, meter: SpaceMeter): Promise<void> {
  return area.withLockOf('uploads', async () => abandon(await area.unfinished(nameOf(target)), meter));
}

/** Fails before the first piece instead of after gigabytes. */
async function begin(area: SiteArea, target: UploadTarget, parts: readonly string[], meter: SpaceMeter): Promise<void> {
  await area.use(parts, () => Promise.resolve());
  if (!(await meter.fits(target.size))) throw new FileProblem('NO_SPACE');
}

function append(path: string, from: number, piece: Buffer, meter: SpaceMeter): Promise<void> {
  return spend(meter, async (purse) => {
    await purse.take(piece.length);
    const handle = await open(path, WRITE_ON, 0o644).catch((error: unknown) => {
      throw problemOf(error);
    });
    try {
      await writeAll(handle, piece, from);
    } catch (error) {
      await truncate(path, from).catch(() => undefined);
      throw problemOf(error);
    } finally {
      await handle.close();
    }
    return { value: undefined, freed: 0 };
  });
}

async function writeAll(handle: FileHandle, piece: Buffer, from: number): Promise<void> {
  for (let done = 0; done < piece.length;) {
    done += (await handle.write(piece, done, piece.length - done, from + done)).bytesWritten;
  }
}

async function abandon(path: string, meter: SpaceMeter): Promise<void> {
  const size = await sizeOf(path);
  await rm(path, { force: true });
  await meter.giveBack(size);
}

function nameOf({ folder, name, size, tag }: UploadTarget): string {
  return `${UPLOADS}${createHash('sha256')
    .update(JSON.stringify([partsOf(folder), name, size, tag]))
    .digest('hex')
    .slice(0, 40)}`;
}

/**
 * Returns whether a file of this size that ends with these bytes exists at the path. As pieces are sequential, the file was then completed
 * by this very piece.
 */
async function endsWith(area: SiteArea, path: readonly string[], size: number, piece: Buffer): Promise<boolean> {
  try {
    return await area.use(path.slice(0, -1), async (folder) => {
      const { handle, stats } = await folder.openFile(path.at(-1)!);
      try {
        if (stats.size !== size) return false;
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(piece.length), 0, piece.length, size - piece.length);
        return bytesRead === piece.length && buffer.equals(piece);
      } finally {
        await handle.close();
      }
    });
  } catch (error) {
    if (error instanceof FileProblem) return false;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.size ?? 0;
}
