import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

import { PACKAGE_LIMITS } from '../../../packaging/index.js';

import type { DigestedFile } from './package-storage.js';
import { StorageError } from '../../../common/index.js';

const SUFFIX = '.part';

/** How an upload is received. */
export interface ReceiveOptions {
  /** 50 MB where nothing is given. */
  readonly maxBytes?: number;
  /** Ends it, for instance when the client has gone. */
  readonly signal?: AbortSignal;
}

/**
 * Takes uploads onto this machine's disk, where they are checked before anybody keeps them. One that is refused half-way
 * leaves nothing behind.
 *
 * @example
 * ```ts
 * const upload = await incoming.receive(request);
 * try {
 *   await readPackage(upload.path, form);
 *   await storage.keep(upload);
 * } finally {
 *   await incoming.discard(upload);
 * }
 * ```
 */
export class IncomingPackages {
  /** @param folder of its own; made where it is missing */
  constructor(private readonly folder: string) {}

  /**
   * Writes `stream` to disk and takes its digest on the way; stops at the first byte too many.
   *
   * @throws StorageError TOO_LARGE, ABORTED (the stream broke off, or the signal came), UNAVAILABLE (the disk is full, say)
   */
  async receive(stream: Readable, { maxBytes = PACKAGE_LIMITS.archiveBytes, signal }: ReceiveOptions = {}): Promise<DigestedFile> {
    const path = join(this.folder, `${randomUUID()}${SUFFIX}`);
    const handle = await onDisk(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      return open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    });
    const hash = createHash('sha256');
    let size = 0;
    if (signal) addAbortSignal(signal, stream);
    try {
      // Leaving the loop by an error destroys the stream.
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw new StorageError('TOO_LARGE', `more than ${maxBytes} bytes`);
        hash.update(chunk);
        await onDisk(() => handle.appendFile(chunk));
      }
      await onDisk(() => handle.sync());
      await onDisk(() => handle.close());
      return { path, sha256: hash.digest('hex'), size };
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(path, { force: true });
      if (error instanceof StorageError) throw error;
      throw new StorageError('ABORTED', 'the upload broke off', { cause: error });
    }
  }

  /** Takes a received file away, kept or not. */
  discard(file: DigestedFile): Promise<void> {
    return rm(file.path, { force: true });
  }

  /** Takes away what a crash left behind and answers how many files that were; younger ones may be on their way. */
  async sweep(minimumAgeMs: number): Promise<number> {
    const names = await readdir(this.folder).catch(() => []);
    let removed = 0;
    for (const name of names.filter((candidate) => candidate.endsWith(SUFFIX))) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (!found || Date.now() - found.mtimeMs < minimumAgeMs) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    return removed;
  }
}

/** Work on this machine's disk, whose failure is not the sender's. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError('UNAVAILABLE', 'an upload cannot be written', { cause: error });
  }
}
