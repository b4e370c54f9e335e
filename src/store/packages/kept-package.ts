import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import type { CentralDirectory, File } from 'unzipper';

import type { FileDigest } from './findings/blocked-files.js';
import { isAddedByMacOs } from '../../packaging/index.js';

/** The record behind the list of files, with its comment (APPNOTE 4.3.16). */
const MAX_TAIL_BYTES = 22 + 0xffff;
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
/** Bytes between the header of an entry and its data: name and extra fields. */
const MAX_HEADER_BYTES = 2 * 0xffff;

/** A file of a package, as it was when the package was checked. */
export interface KeptFile extends FileDigest {
  /** Unpacked, in bytes. */
  readonly size: number;
}

/** `Open.custom` with the options that its types leave out. */
type OpenZip = (
  source: { size(): Promise<number>; stream(start: number, length?: number): Readable },
  options: { tailSize: number; padding: number },
) => Promise<CentralDirectory>;

/**
 * A package that broke no rule when it came in, read one file at a time: unlike `PackageContents.open` this unpacks nothing else of it.
 * Names and digests are those written down by the check, never what the ZIP says, and nothing is written to the disk; a file
 * that unpacks to anything but what was checked is refused.
 */
export class KeptPackage {
  private readonly packed = new Map<string, { file: KeptFile; entry: File }>();

  private constructor(
    digests: readonly FileDigest[],
    entries: readonly File[],
    /** Bytes of everything unpacked, with what macOS added. */
    readonly totalSize: number,
    /** Rejects where the ZIP cannot be read: unzipper would wait for ever. */
    private readonly failure: Promise<never>,
  ) {
    for (const [index, entry] of entries.entries()) {
      const file = { ...digests[index]!, size: entry.uncompressedSize };
      this.packed.set(file.path, { file, entry });
    }
  }

  /**
   * Opens the ZIP at `path` for as long as `work` takes.
   *
   * @param digests of its files, in its order, as they were written down when it was checked
   * @throws Error where the ZIP is another one, or cannot be read
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
      if (entries.length !== digests.length) throw new Error('The package is not the one that was checked.');
      const totalSize = all.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
      return await work(new KeptPackage(digests, entries, totalSize, failure));
    } finally {
      for (const bytes of streams) bytes.destroy();
    }
  }

  /** In the order of the ZIP. */
  get files(): KeptFile[] {
    return [...this.packed.values()].map(({ file }) => file);
  }

  /** The file at `path` below the root folder. */
  file(path: string): KeptFile | undefined {
    return this.packed.get(path)?.file;
  }

  /**
   * The first `maxBytes` of a file; hardly more than that is unpacked.
   *
   * @throws Error where the content is not what was checked
   */
  async content({ path, size, sha256 }: KeptFile, maxBytes: number): Promise<Buffer> {
    if (size === 0) return Buffer.alloc(0);
    const bytes = await Promise.race([unpack(this.packed.get(path)!.entry, maxBytes), this.failure]);
    if (bytes.length > maxBytes) return bytes.subarray(0, maxBytes);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${path} is not what was checked.`);
    return bytes;
  }
}

/** The content of an entry, up to the chunk that passes `maxBytes`. */
async function unpack(entry: File, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of entry.stream() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Bytes of a ZIP, and how many of them begin with its end record: the last such record, as the check lets no second one pass. */
async function measure(path: string): Promise<{ size: number; tailSize: number }> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const tail = Buffer.alloc(Math.min(size, MAX_TAIL_BYTES));
    const { bytesRead } = await handle.read(tail, 0, tail.length, size - tail.length);
    const at = tail.subarray(0, bytesRead).lastIndexOf(END_RECORD);
    if (at < 0) throw new Error('The package is no ZIP.');
    return { size, tailSize: tail.length - at };
  } finally {
    await handle.close();
  }
}

/** A promise that only ever rejects, and is no unhandled rejection where nobody waits for it. */
function withReject(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject!: (error: unknown) => void;
  const promise = new Promise<never>((_resolve, rejects) => (reject = rejects));
  promise.catch(() => undefined);
  return { promise, reject };
}
