import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { CentralDirectory, File } from 'unzipper';

import { PACKAGE_LIMITS } from './package-limits.js';
import { isAddedByMacOs } from './zip/added-by-macos.js';

/** End of central directory record with the longest comment (APPNOTE 4.3.16). */
const MAX_TAIL_BYTES = 22 + 0xffff;
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
/** Maximum bytes between an entry's header and its data: name and extra fields. */
const MAX_HEADER_BYTES = 2 * 0xffff;

/** A file and its digest. */
export interface FileDigest {
  /** Path below the root folder; empty for the package itself. */
  readonly path: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

/** A file of a package, as recorded when the package was checked. */
export interface KeptFile extends FileDigest {
  /** Unpacked size in bytes. */
  readonly size: number;
}

/** `Open.custom` with options missing from its types. */
type OpenZip = (
  source: { size(): Promise<number>; stream(start: number, length?: number): Readable },
  options: { tailSize: number; padding: number },
) => Promise<CentralDirectory>;

/**
 * A package that passed the check before, read file by file: unlike `PackageContents.open` this unpacks only the requested files. Names and
 * digests come from the check, not from the ZIP. unzipper verifies neither size nor CRC, so each file is compared with its digest and
 * rejected on a mismatch.
 */
export class KeptPackage {
  private readonly packed = new Map<string, { file: KeptFile; entry: File }>();

  private constructor(
    digests: readonly FileDigest[],
    entries: readonly File[],
    /** Bytes of all unpacked entries, including macOS metadata. */
    readonly totalSize: number,
    /** Rejects if the ZIP cannot be read; unzipper would wait forever. */
    private readonly failure: Promise<never>,
  ) {
    for (const [index, entry] of entries.entries()) {
      const file = { ...digests[index]!, size: entry.uncompressedSize };
      this.packed.set(file.path, { file, entry });
    }
  }

  /**
   * Opens the ZIP at `path` for the duration of `work`.
   *
   * @param digests of its files, in ZIP order, as recorded by the check
   * @throws Error if the ZIP changed or cannot be read
   */
  static async use<T>(path: string, digests: readonly FileDigest[], work: (contents: KeptPackage) => Promise<T>): Promise<T> {
    const streams = new Set<Readable>();
    const { promise: failure, reject: fail } = withReject();
    const stream = (start: number, length?: number): Readable => {
      const bytes = createReadStream(path, { start, end: length ? start + length : Infinity });
      streams.add(bytes.on('error', fail));
      return bytes;
    };
    try {
      const { size, tailSize } = await measure(path);
      const { Open } = await import('unzipper');
      const reading = (Open.custom as OpenZip)({ size: () => Promise.resolve(size), stream }, { tailSize, padding: MAX_HEADER_BYTES });
      const all = (await Promise.race([reading, failure])).files;
      const entries = all.filter((entry) => !entry.path.endsWith('/') && !isAddedByMacOs(entry.path));
      if (entries.length !== digests.length) throw new Error('The package differs from the one that was checked.');
      const totalSize = all.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
      return await work(new KeptPackage(digests, entries, totalSize, failure));
    } finally {
      for (const bytes of streams) bytes.destroy();
    }
  }

  /** The files in ZIP order. */
  get files(): KeptFile[] {
    return [...this.packed.values()].map(({ file }) => file);
  }

  /** Returns the file at `path` below the root folder. */
  file(path: string): KeptFile | undefined {
    return this.packed.get(path)?.file;
  }

  /**
   * Returns the first `maxBytes` of a file; unpacks little more than that.
   *
   * @throws Error if the content does not match its digest
   */
  async content(file: KeptFile, maxBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of checked(file, this.unpacked(file))) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, maxBytes);
  }

  /**
   * Unpacks all files into an empty folder.
   *
   * @throws Error at the first digest mismatch; the folder is then incomplete and must be discarded
   */
  async extract(folder: string): Promise<void> {
    for (const file of this.files) {
      const path = join(folder, file.path);
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await pipeline(checked(file, this.unpacked(file)), createWriteStream(path, { flags: 'wx', mode: 0o644 }));
    }
  }

  private unpacked({ path, size }: KeptFile): AsyncIterable<Buffer> {
    const { entry } = this.packed.get(path)!;
    // unzipper would search for the end of an entry without data.
    if (size === 0 || entry.compressedSize === 0) return Readable.from([]);
    // The stream may emit further errors after the consumer has stopped listening.
    const content = entry.stream().on('error', () => undefined);
    this.failure.catch((error: Error) => content.destroy(error));
    return content;
  }
}

/** Passes the bytes on, limits their number, and verifies the digest at the end. */
async function* checked({ path, sha256 }: KeptFile, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let remaining: number = PACKAGE_LIMITS.fileBytes;
  for await (const chunk of content) {
    remaining -= chunk.length;
    if (remaining < 0) break;
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== sha256) throw new Error(`${path} differs from the file that was checked.`);
}

/** Returns the size of a ZIP and of its tail from the last end record on; the check allows only one such record. */
async function measure(path: string): Promise<{ size: number; tailSize: number }> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, MAX_TAIL_BYTES));
    const { bytesRead } = await handle.read(tail, 0, tail.length, size - tail.length);
    const at = tail.subarray(0, bytesRead).lastIndexOf(END_RECORD);
    if (at < 0) throw new Error('The package is not a ZIP archive.');
    return { size, tailSize: tail.length - at };
  } finally {
    await handle.close();
  }
}

/** Returns a promise that can only be rejected and never causes an unhandled rejection. */
function withReject(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject!: (error: unknown) => void;
  const promise = new Promise<never>((_resolve, rejects) => (reject = rejects));
  promise.catch(() => undefined);
  return { promise, reject };
}
