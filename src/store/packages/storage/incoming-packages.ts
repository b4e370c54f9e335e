import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

import { PACKAGE_LIMITS } from '../../../packaging/index.js';

import type { DigestedFile } from './package-storage.js';
import { StorageError } from '../../../common/index.js';

const SUFFIX = '.part';

/** Options of {@link IncomingPackages.receive}. */
export interface ReceiveOptions {
  /** Default 50 MB. */
  readonly maxBytes?: number;
  /** Aborts the upload, for example when the client disconnects. */
  readonly signal?: AbortSignal;
}

/**
 * Receives uploads to the local disk, where they are checked before they are stored. A rejected upload leaves no files behind.
 *
 * @example
 * ```ts
 * const upload = await incoming.receive(request);
 * try {
 *   await readPackage(upload.path, form);
 *   await storage.store(upload);
 * } finally {
 *   await incoming.discard(upload);
 * }
 * ```
 */
export class IncomingPackages {
  /** @param folder dedicated folder; created if missing */
  constructor(private readonly folder: string) {}

  /**
   * Writes `stream` to disk and hashes it; stops at the first byte over the limit.
   *
   * @throws StorageError TOO_LARGE, ABORTED (the stream broke off or the signal fired), UNAVAILABLE (for example a full disk)
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
      // Leaving the loop with an error destroys the stream.
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
      throw new StorageError('ABORTED', 'the upload was interrupted', { cause: error });
    }
  }

  /** Removes a received file, whether or not it was stored. */
  discard(file: DigestedFile): Promise<void> {
    return rm(file.path, { force: true });
  }

  /** Removes leftovers of a crash, except younger files, which may still be arriving. Returns how many were removed. */
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

/** Reports failures of the local disk as UNAVAILABLE, not as the sender's fault. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError('UNAVAILABLE', 'an upload cannot be written', { cause: error });
  }
}
