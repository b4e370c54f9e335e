import { StorageError } from '../../../common/index.js';
import type { ByteRange } from '../../../http/index.js';

export type { ByteRange };

/** A stored package, opened. */
export interface StoredPackage {
  /**
   * Its bytes, once. A chunk is good until the next one is asked for, when its memory may be used again: with a chunk of its own for
   * each, the collector takes longer than the sending.
   */
  readonly chunks: AsyncIterable<Buffer>;
  /** Of the whole package, in bytes. */
  readonly size: number;
  /** What the chunks give. */
  readonly range: ByteRange;
  /** Lets go of it, read or not; needed in any case. */
  close(): Promise<void>;
}

/** A file with the digest of its content. */
export interface DigestedFile {
  /** Where it lies on this machine. */
  readonly path: string;
  /** 64 hex digits. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Options of {@link PackageStorage.sweep}. */
export interface SweepOptions {
  /** Digests that are needed; asked for at most 500 at once. */
  readonly inUse: ReadonlySet<string> | ((digests: readonly string[]) => Promise<ReadonlySet<string>>);
  /** Younger ones stay: their row may be on its way. In milliseconds. */
  readonly minimumAgeMs: number;
}

/**
 * Where packages are kept: by the SHA-256 of their content, so that one is never changed, and the same one is kept once.
 * All digests are 64 lower-case hex digits; others throw a StorageError NOT_FOUND.
 */
export abstract class PackageStorage {
  /**
   * Keeps a file; it is there wholly or not at all. Keeping one again makes it young for {@link PackageStorage.sweep}.
   * The file itself is left where it is.
   *
   * @throws StorageError UNAVAILABLE
   */
  abstract keep(file: DigestedFile): Promise<void>;

  /** Its size in bytes; null where there is none. @throws StorageError UNAVAILABLE */
  abstract size(sha256: string): Promise<number | null>;

  /** Opens a package or a part of it. @throws StorageError NOT_FOUND, RANGE, UNAVAILABLE */
  abstract open(sha256: string, range?: ByteRange): Promise<StoredPackage>;

  /** Runs `work` with the package as a file of this machine, which is there until `work` ends and must not be changed. */
  abstract withFile<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>;

  /** Takes a package away; nothing happens where there is none. @throws StorageError UNAVAILABLE */
  abstract remove(sha256: string): Promise<void>;

  /** Whether packages can be reached. @throws StorageError UNAVAILABLE saying why not */
  abstract check(): Promise<void>;

  /** Takes away what nobody needs and is old enough, and answers how many that were. */
  abstract sweep(options: SweepOptions): Promise<number>;
}

/** `digest` where it is one. @throws StorageError NOT_FOUND */
export function checkDigest(digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new StorageError('NOT_FOUND', 'not a SHA-256 digest');
  return digest;
}

/** Key of a package below the folder or prefix of its storage: the same in both, so that a move only copies files. */
export function placeOf(sha256: string): string {
  const digest = checkDigest(sha256);
  return `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}.zip`;
}

/** `range` within a package of `size` bytes; all of it where none is given. @throws StorageError RANGE */
export function rangeWithin(size: number, range: ByteRange | undefined): ByteRange {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && start < size;
  if (!fits && size > 0) throw new StorageError('RANGE', `${start}-${end} of ${size}`);
  return { start, end: Math.min(end, size - 1) };
}

/** Those of `digests` nobody needs. */
export async function unused(digests: readonly string[], { inUse }: SweepOptions): Promise<string[]> {
  const left: string[] = [];
  for (let i = 0; i < digests.length; i += 500) {
    const some = digests.slice(i, i + 500);
    const needed = typeof inUse === 'function' ? await inUse(some) : inUse;
    left.push(...some.filter((digest) => !needed.has(digest)));
  }
  return left;
}
