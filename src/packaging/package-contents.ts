import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

import { PACKAGE_LIMITS } from './package-limits.js';
import { PackageRefusal } from './package-refusal.js';
import { isAddedByMacOs } from './zip/added-by-macos.js';
import { openContent } from './zip/content.js';
import { readDirectory, type DirectoryEntry } from './zip/directory.js';
import { locateEntries, type LocatedEntry } from './zip/local-headers.js';
import { checkCollisions } from './zip/name-collisions.js';
import { checkPath } from './zip/path-rules.js';
import { ZipFile } from './zip/zip-file.js';

/** Valid name of the root folder; slugs have the same form. */
export const ROOT_PATTERN = /^[a-zA-Z0-9_-]{1,63}$/;

/** A file in a package. */
export interface PackageEntry {
  /** Path below the root folder, such as `lib/index.js`; the full name for macOS metadata. */
  readonly path: string;
  /** Unpacked size in bytes. */
  readonly size: number;
  /** Compressed size in bytes. */
  readonly compressedSize: number;
  readonly crc: number;
  /** Offset of its data in the ZIP. */
  readonly offset: number;
  /** SHA-256 of the unpacked content, 64 hex digits. */
  readonly sha256: string;
}

/** A fully checked ZIP: its content was unpacked once and compared with its checksums. */
export class PackageContents {
  private readonly located = new WeakMap<PackageEntry, LocatedEntry>();
  private readonly byPath: ReadonlyMap<string, PackageEntry>;

  private constructor(
    /** The ZIP file, which must not change while this object is in use. */
    readonly path: string,
    /** Name of the root folder. */
    readonly root: string,
    /** Files below the root folder, in ZIP order. */
    readonly entries: readonly PackageEntry[],
    /** macOS metadata (`__MACOSX/`, `.DS_Store`): checked like other files but skipped when unpacking. */
    readonly ignored: readonly PackageEntry[],
    /** Bytes of all unpacked files, including ignored ones. */
    readonly totalSize: number,
    located: ReadonlyMap<PackageEntry, LocatedEntry>,
  ) {
    for (const [entry, place] of located) this.located.set(entry, place);
    this.byPath = new Map(entries.map((entry) => [entry.path, entry]));
  }

  /**
   * Checks and opens the ZIP at `path`: first all headers, then the content. Leaves no file open.
   *
   * @param slug required name of the root folder; by default any valid name
   * @throws PackageRefusal for any broken rule
   */
  static async open(path: string, slug?: string): Promise<PackageContents> {
    const all = await readHeaders(path, slug);
    const root = rootOf(all);
    const located = new Map<PackageEntry, LocatedEntry>();
    for (const entry of all) {
      // A folder may declare the deflate method for its empty content.
      if (entry.isFolder && entry.compressedSize === 0 && entry.crc === 0) continue;
      const sha256 = await digest(openContent(path, entry));
      if (entry.isFolder) continue;
      const { size, compressedSize, crc, dataOffset: offset } = entry;
      const shown = isAddedByMacOs(entry.name) ? entry.name : entry.name.slice(root.length + 1);
      located.set({ path: shown, size, compressedSize, crc, offset, sha256 }, entry);
    }
    const files = [...located.keys()];
    const ignored = files.filter((file) => isAddedByMacOs(located.get(file)!.name));
    const entries = files.filter((file) => !ignored.includes(file));
    return new PackageContents(
      path,
      root,
      entries,
      ignored,
      all.reduce((sum, { size }) => sum + size, 0),
      located,
    );
  }

  /** Returns the file at `path` below the root folder. */
  entry(path: string): PackageEntry | undefined {
    return this.byPath.get(path);
  }

  [Symbol.iterator](): Iterator<PackageEntry> {
    return this.entries[Symbol.iterator]();
  }

  /**
   * Opens the content of a file in this package. It is verified again while reading; the stream fails with PackageRefusal if the ZIP has
   * changed.
   *
   * @throws Error for an entry of another package
   */
  openEntry(entry: PackageEntry): Readable {
    const located = this.located.get(entry);
    if (!located) throw new Error('The entry belongs to another package.');
    return openContent(this.path, located);
  }

  /**
   * Returns the first `maxBytes` of a file.
   *
   * @param maxBytes default: the maximum file size (10 MB), so the whole file
   */
  async readEntry(entry: PackageEntry, maxBytes: number = PACKAGE_LIMITS.fileBytes): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.openEntry(entry) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes && length < entry.size) break;
    }
    return Buffer.concat(chunks).subarray(0, maxBytes);
  }
}

async function readHeaders(path: string, slug: string | undefined): Promise<LocatedEntry[]> {
  const file = await ZipFile.open(path);
  try {
    if (file.size > PACKAGE_LIMITS.archiveBytes) throw new PackageRefusal('ARCHIVE_TOO_LARGE');
    const directory = await readDirectory(file);
    checkTotals(directory.entries);
    for (const { name } of directory.entries) checkPath(name);
    checkRoot(directory.entries, slug);
    checkCollisions(directory.entries.map(({ name }) => name));
    return await locateEntries(file, directory);
  } finally {
    await file.close();
  }
}

function checkTotals(entries: readonly DirectoryEntry[]): void {
  const files = entries.filter(({ name, isFolder }) => !isFolder && !isAddedByMacOs(name));
  if (files.length > PACKAGE_LIMITS.files) throw new PackageRefusal('TOO_MANY_FILES');
  if (files.length === 0) throw new PackageRefusal('EMPTY');
  if (entries.reduce((sum, { size }) => sum + size, 0) > PACKAGE_LIMITS.totalBytes) throw new PackageRefusal('TOTAL_TOO_LARGE');
}

function rootOf(entries: readonly DirectoryEntry[]): string {
  const first = entries.find(({ name, isFolder }) => !isFolder && !isAddedByMacOs(name))!;
  return first.name.slice(0, first.name.indexOf('/'));
}

function checkRoot(entries: readonly DirectoryEntry[], slug: string | undefined): void {
  const own = entries.filter(({ name }) => !isAddedByMacOs(name));
  const loose = own.find(({ name }) => !name.includes('/'));
  if (loose) throw new PackageRefusal('ROOT_FOLDER', loose.name);
  const root = rootOf(own);
  const other = own.find(({ name }) => !name.startsWith(`${root}/`));
  if (other) throw new PackageRefusal('ROOT_FOLDER', other.name);
  if (!ROOT_PATTERN.test(root)) throw new PackageRefusal('ROOT_NAME', root);
  if (slug !== undefined && root !== slug) throw new PackageRefusal('ROOT_MISMATCH', root, { slug });
}

async function digest(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
