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

/** The content of an archive, on the disk. */
export class Unpacked implements ArchiveVisitor {
  private readonly links: { readonly path: string; readonly to: string }[] = [];

  constructor(private readonly folder: string) {}

  /** Where the files of the data folder lie. */
  get files(): string {
    return join(this.folder, ENTRIES.files);
  }

  async entry({ name, type, mode = 0o600, linkname }: Header, content: Readable): Promise<void> {
    const path = this.placeOf(name);
    if (type === 'directory') return void (await mkdir(path, { recursive: true, mode: mode | 0o700 }));
    // Made in the end: nothing is written through one.
    if (type === 'symlink') return void this.links.push({ path, to: linkname ?? '' });
    if (type !== 'file') throw new ArchiveError(`The backup holds something that is no file: ${name}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode }));
    await chmod(path, mode);
  }

  /** Once all of it is there. */
  async makeLinks(): Promise<void> {
    for (const { path, to } of this.links) await symlink(to, path);
  }

  private placeOf(name: string): string {
    const clean = name.replace(/\/$/, '');
    const isOurs = Object.values(ENTRIES).some((beginning) => clean.startsWith(beginning));
    if (!isOurs || clean.includes('\0') || clean.split('/').some((part) => part === '' || part === '.' || part === '..'))
      throw new ArchiveError(`The backup holds a name that is none: ${JSON.stringify(name.slice(0, 200))}`);
    return join(this.folder, ...clean.split('/'));
  }

  /** Puts its tables and rows into a database. @throws ArchiveError for what a database of the other engine does not take */
  async fill(target: RestoreTarget, manifest: Manifest): Promise<void> {
    const schema = JSON.parse(await readFile(join(this.folder, ENTRIES.schema), 'utf8')) as SchemaStatement[];
    const parts = await this.parts();
    if (manifest.engine !== target.engine) return carryOver(schema, parts, manifest, target);
    await target.begin(schema);
    for (const part of parts) for await (const { table, columns, rows } of rowsOf(part)) await target.insert(table, columns, rows);
  }

  /** Files of rows, a table after the other, each in its order. */
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
