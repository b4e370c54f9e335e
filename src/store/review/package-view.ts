import { Injectable } from '@nestjs/common';

import { Semaphore } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreItem, StoreVersion } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { PackageContents, type PackageEntry, PackageStorage } from '../packages/index.js';

import { lineDiff } from './line-diff.js';

/** Bytes of one file that are shown. */
const MAX_SHOWN = 512 * 1024;
/** Characters of all differences together. */
const MAX_DIFF = 2 * 1024 * 1024;

/** Packages as reviewers read them in the browser: lists of files, and text. */
@Injectable()
export class PackageView {
  /** Opening a package checks all of it again. */
  private readonly turns = new Semaphore(2);

  constructor(
    private readonly database: Database,
    private readonly storage: PackageStorage,
  ) {}

  /** The files of a version. @throws StoreError NOT_FOUND */
  async files(itemId: number, version: string | undefined) {
    const row = await this.version(itemId, version);
    return this.opened(row, async (contents) => ({
      version: row.version,
      root: contents.root,
      total_size: contents.totalSize,
      files: contents.entries.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    }));
  }

  /** The beginning of a text file, at most 512 KB. @throws StoreError NOT_FOUND, INVALID (no text) */
  async content(itemId: number, version: string | undefined, path: string): Promise<string> {
    return this.opened(await this.version(itemId, version), async (contents) => {
      const entry = contents.entry(path);
      if (!entry) throw new StoreError('FILE_GONE');
      const text = await readText(contents, entry);
      if (text === null) throw new StoreError('FILE_NOT_TEXT');
      return text;
    });
  }

  /** What changed between two versions, at most 2 MB of it; files that are no text are named only. @throws StoreError NOT_FOUND */
  async diff(itemId: number, from: string, to: string): Promise<string> {
    const [older, newer] = [await this.version(itemId, from), await this.version(itemId, to)];
    return this.opened(older, (before) => this.opened(newer, (after) => diffPackages(before, after)));
  }

  private async version(itemId: number, version: string | undefined): Promise<StoreVersion> {
    const versions = this.database.repository(StoreVersion);
    if (version) {
      const row = await versions.findOneBy({ itemId, versionKey: version.toLowerCase() });
      if (!row) throw new StoreError('VERSION_NOT_FOUND');
      return row;
    }
    const waiting = await versions.findOne({ where: { itemId, status: 'pending' }, order: { id: 'DESC' } });
    if (waiting) return waiting;
    const item = await this.database.repository(StoreItem).findOneBy({ id: itemId });
    const current = item && (await versions.findOneBy({ itemId, versionKey: item.version.toLowerCase() }));
    if (!current) throw new StoreError('ITEM_NOT_FOUND');
    return current;
  }

  private opened<T>({ sha256 }: StoreVersion, work: (contents: PackageContents) => Promise<T>): Promise<T> {
    return this.storage.withFile(sha256, async (path) => work(await this.turns.take(() => PackageContents.open(path))));
  }
}

async function diffPackages(before: PackageContents, after: PackageContents): Promise<string> {
  const paths = [...new Set([...before.entries, ...after.entries].map(({ path }) => path))].sort();
  const parts: string[] = [];
  let length = 0;
  for (const path of paths) {
    const [old, now] = [before.entry(path), after.entry(path)];
    if (old?.sha256 === now?.sha256) continue;
    const part = `--- ${old ? path : '/dev/null'}\n+++ ${now ? path : '/dev/null'}\n${await diffFiles(before, old, after, now)}\n`;
    length += part.length;
    if (length > MAX_DIFF) {
      parts.push(`… ${path}\n`);
      break;
    }
    parts.push(part);
  }
  return parts.join('');
}

async function diffFiles(
  before: PackageContents,
  old: PackageEntry | undefined,
  after: PackageContents,
  now: PackageEntry | undefined,
): Promise<string> {
  const [oldText, newText] = [old ? await readText(before, old) : '', now ? await readText(after, now) : ''];
  if (oldText === null || newText === null) return `@@ ${old?.size ?? 0} -> ${now?.size ?? 0} bytes @@`;
  return lineDiff(oldText, newText);
}

/** The beginning of a file; null for what is no text. */
async function readText(contents: PackageContents, entry: PackageEntry): Promise<string | null> {
  const bytes = await contents.readEntry(entry, MAX_SHOWN);
  if (bytes.includes(0)) return null;
  return bytes.toString('utf8');
}
