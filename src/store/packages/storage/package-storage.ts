import { StorageError } from '../../../common/index.js';
import type { ByteRange } from '../../../http/index.js';

export type { ByteRange };

/** An open stored package. */
export interface StoredPackage {
  /**
   * The content, readable once. A chunk is valid until the next one is requested, because its buffer is reused: allocating a buffer per
   * chunk would cost more in garbage collection than the sending itself.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** Size of the whole package, in bytes. */
  readonly size: number;
  /** Byte range that the chunks cover. */
  readonly range: ByteRange;
  /** Closes the package; must be called in any case. */
  close(): Promise<void>;
}

/** A file with its SHA-256. */
export interface DigestedFile {
  /** Local path. */
  readonly path: string;
  /** 64 hex digits. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Options of {@link PackageStorage.sweep}. */
export interface SweepOptions {
  /** Digests in use; the function is called with at most 500 at a time. */
  readonly inUse: ReadonlySet<string> | ((digests: readonly string[]) => Promise<ReadonlySet<string>>);
  /** Younger packages are kept, because their row may not be written yet. In milliseconds. */
  readonly minimumAgeMs: number;
}

/**
 * Storage for packages, addressed by the SHA-256 of their content: a package never changes, and duplicates are stored once. Digests are 64
 * lower-case hex digits; others throw a StorageError NOT_FOUND.
 */
export abstract class PackageStorage {
  /**
   * Stores a file atomically; the source file stays. Storing an existing package again resets its age for {@link PackageStorage.sweep}.
   *
   * @throws StorageError UNAVAILABLE
   */
  abstract store(file: DigestedFile): Promise<void>;

  /** Returns the size in bytes; null if the package does not exist. @throws StorageError UNAVAILABLE */
  abstract size(sha256: string): Promise<number | null>;

  /** Opens a package or a part of it. @throws StorageError NOT_FOUND, RANGE, UNAVAILABLE */
  abstract open(sha256: string, range?: ByteRange): Promise<StoredPackage>;

  /** Runs `work` with the package as a local file, which is valid until `work` ends and must not be changed. */
  abstract withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>;

  /** Removes a package, if it exists. @throws StorageError UNAVAILABLE */
  abstract remove(sha256: string): Promise<void>;

  /** Checks that packages are accessible. @throws StorageError UNAVAILABLE with the reason */
  abstract check(): Promise<void>;

  /** Removes packages that are unused and old enough. Returns how many. */
  abstract sweep(options: SweepOptions): Promise<number>;
}

/** Validates a digest and returns it. @throws StorageError NOT_FOUND */
export function checkDigest(digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new StorageError('NOT_FOUND', 'not a SHA-256 digest');
  return digest;
}

/** Key of a package, relative to the folder or prefix of its storage: the same in both, so that a migration only copies files. */
export function storageKeyOf(sha256: string): string {
  const digest = checkDigest(sha256);
  return `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}.zip`;
}

/** Resolves `range` within a package of `size` bytes; by default all of it. @throws StorageError RANGE */
export function rangeWithin(size: number, range: ByteRange | undefined): ByteRange {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && start < size;
  if (!fits && size > 0) throw new StorageError('RANGE', `${start}-${end} of ${size}`);
  return { start, end: Math.min(end, size - 1) };
}

/** Returns those of `digests` that are not in use. */
export async function unused(digests: readonly string[], { inUse }: SweepOptions): Promise<string[]> {
  const unusedDigests: string[] = [];
  for (let i = 0; i < digests.length; i += 500) {
    const some = digests.slice(i, i + 500);
    const needed = typeof inUse === 'function' ? await inUse(some) : inUse;
    unusedDigests.push(...some.filter((digest) => !needed.has(digest)));
  }
  return unusedDigests;
}
