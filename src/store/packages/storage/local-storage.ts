import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import {
  PackageStorage,
  storageKeyOf,
  rangeWithin,
  unused,
  type ByteRange,
  type DigestedFile,
  type StoredPackage,
  type SweepOptions,
} from './package-storage.js';
import { StorageError } from '../../../common/index.js';

const SUFFIX = '.zip';
const PART = '.part';
/** Read buffer per open package, in bytes. */
const CHUNK_BYTES = 128 * 1024;

/** Stores packages in a folder: `ab/cd/abcd….zip`. Several processes may share it. */
export class LocalPackageStorage extends PackageStorage {
  /** @param folder created if missing */
  constructor(private readonly folder: string) {
    super();
  }

  async store(file: DigestedFile): Promise<void> {
    const target = this.pathOf(file.sha256);
    if ((await this.size(file.sha256)) === file.size) {
      await utimes(target, new Date(), new Date());
      return;
    }
    const folder = dirname(target);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `${randomUUID()}${PART}`);
    try {
      // On the same file system a hard link avoids writing the bytes twice.
      await link(file.path, part).catch(() => copyFile(file.path, part, constants.COPYFILE_EXCL));
      await flush(part);
      await rename(part, target);
      await flush(folder);
      await utimes(target, new Date(), new Date());
    } catch (error) {
      throw new StorageError('UNAVAILABLE', 'the package was not written', { cause: error });
    } finally {
      // Renaming a hard link over another link to the same file does nothing, so the part may still exist.
      await rm(part, { force: true });
    }
  }

  async size(sha256: string): Promise<number | null> {
    try {
      return (await stat(this.pathOf(sha256))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error instanceof StorageError ? error : new StorageError('UNAVAILABLE', 'the package cannot be read', { cause: error });
    }
  }

  async open(sha256: string, range?: ByteRange): Promise<StoredPackage> {
    const handle = await open(this.pathOf(sha256), 'r').catch((error: unknown) => {
      throw new StorageError(isMissing(error) ? 'NOT_FOUND' : 'UNAVAILABLE', `package ${sha256}`, { cause: error });
    });
    try {
      const { size } = await handle.stat();
      const { start, end } = rangeWithin(size, range);
      // The open file stays readable even if the package is removed meanwhile.
      return { chunks: chunksOf(handle, start, end), size, range: { start, end }, close: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T> {
    if ((await this.size(sha256)) === null) throw new StorageError('NOT_FOUND', `package ${sha256}`);
    return work(this.pathOf(sha256));
  }

  remove(sha256: string): Promise<void> {
    return rm(this.pathOf(sha256), { force: true });
  }

  async check(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new StorageError('UNAVAILABLE', `the folder ${this.folder} cannot be written`, { cause: error });
    }
  }

  async sweep(options: SweepOptions): Promise<number> {
    let removed = 0;
    const isOld = async (path: string): Promise<boolean> => {
      const found = await stat(path).catch(() => null);
      return found !== null && Date.now() - found.mtimeMs >= options.minimumAgeMs;
    };
    for (const first of await foldersIn(this.folder)) {
      for (const second of await foldersIn(join(this.folder, first))) {
        const folder = join(this.folder, first, second);
        const names = await readdir(folder);
        const digests = names.filter((name) => /^[0-9a-f]{64}\.zip$/.test(name)).map((name) => name.slice(0, -SUFFIX.length));
        const orphans = [
          ...(await unused(digests, options)).map((digest) => digest + SUFFIX),
          ...names.filter((name) => name.endsWith(PART)),
        ];
        for (const name of orphans) {
          const path = join(folder, name);
          if (!(await isOld(path))) continue;
          await rm(path, { force: true });
          removed += 1;
        }
      }
    }
    return removed;
  }

  private pathOf(sha256: string): string {
    return join(this.folder, storageKeyOf(sha256));
  }
}

/** Yields bytes `start` to `end` of a file, reusing one buffer. */
async function* chunksOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, end - start + 1));
  for (let at = start; at <= end;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at + 1), at);
    if (bytesRead === 0) throw new StorageError('UNAVAILABLE', 'a stored package is shorter than expected');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Returns the fan-out folders in `folder`, named by two hex digits. */
async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{2}$/.test(name));
}

/** Flushes a file or folder to disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
