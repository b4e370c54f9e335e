import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Header } from 'tar-stream';

import type { AppConfig } from '../../config/index.js';
import { toSqlTime } from '../../database/index.js';

import { ArchiveError, readArchive } from '../archive/archive-reader.js';
import { ENTRIES, type Manifest, type SchemaStatement } from '../archive/manifest.js';
import { restoreTarget, type RestoreTarget } from '../database/restore-target.js';

import { carryOver } from './carry-over.js';
import { rowsOf } from './rows-of-part.js';

/** What may lie in a data folder that counts as empty. */
const NOTHING = new Set(['backups', 'lost+found']);

/** What a restore is told. */
export interface RestoreOptions {
  readonly config: AppConfig;
  readonly path: string;
  readonly recoveryKey: string;
  /** Whether what there is may be set aside. */
  readonly overwrite: boolean;
  readonly now: Date;
}

/** Whether the folder or the database has anything in it. */
export async function isUsed(config: AppConfig): Promise<boolean> {
  const names = existsSync(config.dataDir) ? await readdir(config.dataDir) : [];
  if (names.some((name) => !NOTHING.has(name) && !name.startsWith('.'))) return true;
  const target = restoreTarget(config);
  try {
    return await target.isUsed();
  } finally {
    await target.close();
  }
}

/**
 * Puts a backup back: all of it is unpacked beside the data folder's own files and checked first, then the database is filled, then everything takes its place. An
 * interruption before that leaves what there was; the same command begins anew.
 *
 * @throws ArchiveError for a backup that cannot be used here; Error of disk or database
 */
export async function restoreBackup({ config, path, recoveryKey, overwrite, now }: RestoreOptions): Promise<Manifest> {
  if (!overwrite && (await isUsed(config)))
    throw new ArchiveError(
      `There is an installation in ${config.dataDir} or its database already. Add --overwrite to put the backup in its place.`,
    );
  const target = restoreTarget(config);
  const staging = join(config.dataDir, '.restoring');
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: 0o700 });
    const unpacked = new Unpacked(staging);
    const manifest = await readArchive(path, recoveryKey, unpacked);
    await unpacked.makeLinks();
    await fillDatabase(unpacked, target, manifest);
    // The key goes first: a database whose secrets nobody can open is worse than a key without a database.
    await takePlaces(join(staging, 'data'), config.dataDir, now);
    await target.finish({ madeAt: toSqlTime(new Date(manifest.madeAt)), restoredAt: toSqlTime(now), panel: manifest.panel });
    return manifest;
  } finally {
    await target.close();
    await rm(staging, { recursive: true, force: true });
  }
}

/** The content of an archive, on the disk. */
class Unpacked {
  readonly parts: string[] = [];
  schema = '';
  private readonly links: { readonly path: string; readonly to: string }[] = [];

  constructor(private readonly folder: string) {}

  async entry({ name, type, mode = 0o600, linkname }: Header, content: Readable): Promise<void> {
    const path = this.placeOf(name);
    if (type === 'directory') return void (await mkdir(path, { recursive: true, mode: mode | 0o700 }));
    // Made in the end: nothing is written through one.
    if (type === 'symlink') return void this.links.push({ path, to: linkname ?? '' });
    if (type !== 'file') throw new ArchiveError(`The backup holds something that is no file: ${name}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode }));
    await chmod(path, mode);
    if (name === ENTRIES.schema) this.schema = path;
    else if (name.startsWith(ENTRIES.rows)) this.parts.push(path);
  }

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
}

async function fillDatabase({ schema: path, parts }: Unpacked, target: RestoreTarget, manifest: Manifest): Promise<void> {
  const schema = JSON.parse(await readFile(path, 'utf8')) as SchemaStatement[];
  if (manifest.engine !== target.engine) return carryOver(schema, parts, manifest, target);
  await target.begin(schema);
  for (const part of parts) for await (const { table, columns, rows } of rowsOf(part)) await target.insert(table, columns, rows);
}

/** Moves what was unpacked to where it belongs; what was there is set aside, not removed. */
async function takePlaces(from: string, dataDir: string, now: Date): Promise<void> {
  const aside = join(dataDir, `before-restore-${now.getTime()}`);
  for (const name of await readdir(from)) {
    const place = join(dataDir, name);
    if (existsSync(place)) {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      await rename(place, join(aside, name));
    }
    await rename(join(from, name), place);
  }
}
