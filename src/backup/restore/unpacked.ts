import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Header } from 'tar-stream';

import { ArchiveError, type ArchiveVisitor } from '../archive/archive-reader.js';
import { ENTRIES, type Manifest, type SchemaStatement } from '../archive/manifest.js';
import type { RestoreTarget } from '../database/restore-target.js';

import { carryOver } from './carry-over.js';
import { rowsOf } from './rows-of-part.js';

/** Unpacked content of an archive. */
export class Unpacked implements ArchiveVisitor {
  private readonly links: { readonly path: string; readonly to: string }[] = [];

  constructor(private readonly folder: string) {}

  /** Folder with the files of the data folder. */
  get files(): string {
    return join(this.folder, ENTRIES.files);
  }

  async entry({ name, type, mode = 0o600, linkname }: Header, content: Readable): Promise<void> {
    const path = this.pathOf(name);
    if (type === 'directory') return void (await mkdir(path, { recursive: true, mode: mode | 0o700 }));
    // Created last, so that nothing is written through a link.
    if (type === 'symlink') return void this.links.push({ path, to: linkname ?? '' });
    if (type !== 'file') throw new ArchiveError(`The backup contains an entry that is not a file: ${name}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode }));
    await chmod(path, mode);
  }

  /** Creates the links, after everything else is unpacked. */
  async makeLinks(): Promise<void> {
    for (const { path, to } of this.links) await symlink(to, path);
  }

  private pathOf(name: string): string {
    const clean = name.replace(/\/$/, '');
    const isOurs = Object.values(ENTRIES).some((beginning) => clean.startsWith(beginning));
    if (!isOurs || clean.includes('\0') || clean.split('/').some((part) => part === '' || part === '.' || part === '..'))
      throw new ArchiveError(`The backup contains an invalid file name: ${JSON.stringify(name.slice(0, 200))}`);
    return join(this.folder, ...clean.split('/'));
  }

  /** Inserts its tables and rows into a database. @throws ArchiveError for data the other engine does not support */
  async fill(target: RestoreTarget, manifest: Manifest): Promise<void> {
    const schema = JSON.parse(await readFile(join(this.folder, ENTRIES.schema), 'utf8')) as SchemaStatement[];
    const parts = await this.parts();
    if (manifest.engine !== target.engine) return carryOver(schema, parts, manifest, target);
    await target.begin(schema);
    for (const part of parts) for await (const { table, columns, rows } of rowsOf(part)) await target.insert(table, columns, rows);
  }

  /** Files of rows, grouped by table and in order. */
  private async parts(): Promise<string[]> {
    const folder = join(this.folder, ENTRIES.rows);
    const tables = await readdir(folder);
    const parts = await Promise.all(
      tables.map(async (table) =>
        (await readdir(join(folder, table)))
          .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
          .map((name) => join(folder, table, name)),
      ),
    );
    return parts.flat();
  }
}
