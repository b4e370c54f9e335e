import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { Database } from '../../database/index.js';
import { StoreItem, StoreVersion, StoreVersionFile } from '../entities/index.js';
import { StoreError } from '../errors.js';
import { KeptPackage, PackageStorage, type KeptFile } from '../packages/index.js';

import { lineDiff } from './line-diff.js';

/** Maximum bytes shown of one file. */
const MAX_SHOWN = 512 * 1024;
/** Maximum characters of a whole diff. */
const MAX_DIFF = 2 * 1024 * 1024;

/** Package contents for reviewers in the browser: file lists and text. */
@Injectable()
export class PackageView {
  constructor(
    private readonly database: Database,
    private readonly storage: PackageStorage,
  ) {}

  /** Returns the files of a version. @throws StoreError NOT_FOUND */
  async files(itemId: number, version: string | undefined) {
    const row = await this.version(itemId, version);
    const { slug } = await this.database.repository(StoreItem).findOneByOrFail({ id: itemId });
    // The root folder is named like the slug; the package check enforces this.
    return this.opened(row, (contents) =>
      Promise.resolve({
        version: row.version,
        root: slug,
        total_size: contents.totalSize,
        files: contents.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
      }),
    );
  }

  /** Returns the beginning of a text file, at most 512 KB. @throws StoreError NOT_FOUND, INVALID (not text) */
  async content(itemId: number, version: string | undefined, path: string): Promise<string> {
    return this.opened(await this.version(itemId, version), async (contents) => {
      const file = contents.file(path);
      if (!file) throw new StoreError('FILE_GONE');
      const text = await readText(contents, file);
      if (text === null) throw new StoreError('FILE_NOT_TEXT');
      return text;
    });
  }

  /** Returns the diff of two versions, at most 2 MB; binary files are only named. @throws StoreError NOT_FOUND */
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

  private async opened<T>({ id, sha256 }: StoreVersion, work: (contents: KeptPackage) => Promise<T>): Promise<T> {
    const rows = await this.database.repository(StoreVersionFile).find({ where: { versionId: id, path: Not('') }, order: { id: 'ASC' } });
    return this.storage.withFile(sha256, (path) => KeptPackage.use(path, rows, work));
  }
}

async function diffPackages(before: KeptPackage, after: KeptPackage): Promise<string> {
  const paths = [...new Set([...before.files, ...after.files].map(({ path }) => path))].sort();
  const parts: string[] = [];
  let length = 0;
  for (const path of paths) {
    const [old, now] = [before.file(path), after.file(path)];
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

async function diffFiles(before: KeptPackage, old: KeptFile | undefined, after: KeptPackage, now: KeptFile | undefined): Promise<string> {
  const [oldText, newText] = [old ? await readText(before, old) : '', now ? await readText(after, now) : ''];
  if (oldText === null || newText === null) return `@@ ${old?.size ?? 0} -> ${now?.size ?? 0} bytes @@`;
  return lineDiff(oldText, newText);
}

/** Returns the beginning of a file; null if it is not text. */
async function readText(contents: KeptPackage, file: KeptFile): Promise<string | null> {
  const bytes = await contents.content(file, MAX_SHOWN);
  if (bytes.includes(0)) return null;
  return bytes.toString('utf8');
}
