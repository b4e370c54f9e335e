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

/** What a folder of a package may be called; the slug has the same form. */
export const ROOT_PATTERN = /^[a-zA-Z0-9_-]{1,63}$/;

/** A file of a package. */
export interface PackageEntry {
  /** Below the root folder, such as `lib/index.js`; of what macOS adds the whole name. */
  readonly path: string;
  /** Unpacked, in bytes. */
  readonly size: number;
  /** In the ZIP, in bytes. */
  readonly compressedSize: number;
  readonly crc: number;
  /** Where its bytes begin in the ZIP. */
  readonly offset: number;
  /** Of the unpacked content, 64 hex digits. */
  readonly sha256: string;
}

/** A ZIP all of whose rules were checked, its content unpacked once and compared with its checksums. */
export class PackageContents {
  private readonly located = new WeakMap<PackageEntry, LocatedEntry>();
  private readonly byPath: ReadonlyMap<string, PackageEntry>;

  private constructor(
    /** The ZIP on disk; it must stay as it is while this is used. */
    readonly path: string,
    /** Name of the one folder in it. */
    readonly root: string,
    /** Files below the root folder, in the order of the ZIP. */
    readonly entries: readonly PackageEntry[],
    /** What macOS packs beside (`__MACOSX/`, `.DS_Store`): checked like the rest, and to be left out when unpacking. */
    readonly ignored: readonly PackageEntry[],
    /** Bytes of everything unpacked, ignored files included. */
    readonly totalSize: number,
    located: ReadonlyMap<PackageEntry, LocatedEntry>,
  ) {
    for (const [entry, place] of located) this.located.set(entry, place);
    this.byPath = new Map(entries.map((entry) => [entry.path, entry]));
  }

  /**
   * Checks and opens the ZIP at `path`: everything its headers say first, and only then its content. Nothing stays open.
   *
   * @param slug what the root folder must be called; any valid name where nothing is given
   * @throws PackageRefusal whatever rule it breaks
   */
  static async open(path: string, slug?: string): Promise<PackageContents> {
    const all = await readHeaders(path, slug);
    const root = rootOf(all);
    const located = new Map<PackageEntry, LocatedEntry>();
    for (const entry of all) {
      // A folder may say that its nothing is deflated.
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

  /** The file at `path` below the root folder. */
  entry(path: string): PackageEntry | undefined {
    return this.byPath.get(path);
  }

  [Symbol.iterator](): Iterator<PackageEntry> {
    return this.entries[Symbol.iterator]();
  }

  /**
   * The content of one of this package's files. It is checked again on the way, and fails with PackageRefusal when the ZIP
   * has changed since.
   *
   * @throws Error for an entry of another package
   */
  openEntry(entry: PackageEntry): Readable {
    const located = this.located.get(entry);
    if (!located) throw new Error('The entry belongs to another package.');
    return openContent(this.path, located);
  }

  /**
   * The first `maxBytes` of a file.
   *
   * @param maxBytes at most; the whole file where nothing is given (10 MB)
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
