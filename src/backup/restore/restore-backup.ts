import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Header } from 'tar-stream';

import { errorMessage, makeFolders } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';
import { toSqlTime } from '../../database/index.js';

import { ArchiveError, readArchive } from '../archive/archive-reader.js';
import { ENTRIES, type Manifest, type SchemaStatement } from '../archive/manifest.js';
import { restoreTarget, type RestoreTarget } from '../database/restore-target.js';

import { carryOver } from './carry-over.js';
import { FilePlaces } from './file-places.js';
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
 * interruption before that leaves what there was, if set aside; the same command begins anew, and {@link undoRestore} puts it back.
 *
 * @throws ArchiveError for a backup that cannot be used here; Error of disk or database
 */
export async function restoreBackup({ config, path, recoveryKey, overwrite, now }: RestoreOptions): Promise<Manifest> {
  if (!overwrite && (await isUsed(config)))
    throw new ArchiveError(
      `There is an installation in ${config.dataDir} or its database already. Add --overwrite to put the backup in its place.`,
    );
  const target = restoreTarget(config);
  const places = new FilePlaces(config.dataDir);
  try {
    await settleLast(target, places, now);
    makeFolders(places.staging, 0o700);
    const unpacked = new Unpacked(places.staging);
    const manifest = await readArchive(path, recoveryKey, unpacked);
    await unpacked.makeLinks();
    await fillDatabase(unpacked, target, manifest);
    // The key goes first: a database whose secrets nobody can open is worse than a key without a database.
    await places.take();
    await target.finish({ madeAt: toSqlTime(new Date(manifest.madeAt)), restoredAt: toSqlTime(now), panel: manifest.panel });
    await places.settle(now);
    return manifest;
  } catch (error) {
    await settleLast(target, places, now).catch((problem: unknown) => {
      throw new Error(
        `${errorMessage(error)} What was there before could not be put back (${errorMessage(problem)}): run svc restore --undo once that is mended.`,
        { cause: error },
      );
    });
    throw error;
  } finally {
    await target.close();
  }
}

/** Ends what a restore has begun, now or before it was killed: its files stay where its database does, and go where that goes. @returns whether anything was undone */
async function settleLast(target: RestoreTarget, places: FilePlaces, now: Date): Promise<boolean> {
  if (places.isOpen && !(await target.isInterrupted())) {
    await places.settle(now);
    return false;
  }
  const isOpen = places.isOpen;
  await places.undo();
  return (await target.undo()) || isOpen;
}

/**
 * Refuses to start on files that a restore has put in their places while its database is not in its own.
 *
 * @throws Error saying what to do
 */
export async function refuseHalfPlaced(config: AppConfig, now: Date): Promise<void> {
  const places = new FilePlaces(config.dataDir);
  if (!places.isOpen) return;
  const target = restoreTarget(config);
  try {
    if (await target.isInterrupted())
      throw new Error(
        `A restore into ${config.dataDir} was interrupted: run svc restore again, which begins anew, or svc restore --undo, which puts back what was there before.`,
      );
    await places.settle(now);
  } finally {
    await target.close();
  }
}

/** Puts database and files back as they were before a restore that was interrupted, and clears away what that had unpacked. @returns whether there was one */
export async function undoRestore(config: AppConfig, now: Date): Promise<boolean> {
  const target = restoreTarget(config);
  try {
    return await settleLast(target, new FilePlaces(config.dataDir), now);
  } finally {
    await target.close();
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
