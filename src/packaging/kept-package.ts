import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { CentralDirectory, File } from 'unzipper';

import { PACKAGE_LIMITS } from './package-limits.js';
import { isAddedByMacOs } from './zip/added-by-macos.js';

/** The record behind the list of files, with its comment (APPNOTE 4.3.16). */
const MAX_TAIL_BYTES = 22 + 0xffff;
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
/** Bytes between the header of an entry and its data: name and extra fields. */
const MAX_HEADER_BYTES = 2 * 0xffff;

/** A file by its content. */
export interface FileDigest {
  /** Below the root folder; empty for the package itself. */
  readonly path: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

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
 * Names and digests are those of the check, never what the ZIP says. unzipper looks at neither size nor CRC, so every file is compared
 * with its digest: one that unpacks to anything but what was checked is refused.
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
   * @throws Error at the first one whose content is not what was checked; the folder is of no use then
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
    // unzipper would look for the end of what has no bytes.
    if (size === 0 || entry.compressedSize === 0) return Readable.from([]);
    // It goes on telling what is wrong when nobody listens any more.
    const content = entry.stream().on('error', () => undefined);
    this.failure.catch((error: Error) => content.destroy(error));
    return content;
  }
}

/** The same bytes, as long as they may be what was checked. */
async function* checked({ path, sha256 }: KeptFile, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let left: number = PACKAGE_LIMITS.fileBytes;
  for await (const chunk of content) {
    left -= chunk.length;
    if (left < 0) break;
    digest.update(chunk);
    yield chunk;
  }
  if (digest.digest('hex') !== sha256) throw new Error(`${path} is not what was checked.`);
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
