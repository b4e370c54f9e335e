import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { errorMessage, makeFolders } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';
import { toSqlTime } from '../../database/index.js';

import { ArchiveError, readArchive } from '../archive/archive-reader.js';
import type { Manifest } from '../archive/manifest.js';
import { restoreTarget } from '../database/by-engine.js';
import type { RestoreTarget } from '../database/restore-target.js';

import { FilePlaces } from './file-places.js';
import { Unpacked } from './unpacked.js';

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
 * Puts a backup back: all of it is unpacked beside the data folder's own files and checked first, then the database is filled, then
 * everything takes its place. An interruption before that leaves what there was, if set aside; the same command begins anew, and
 * {@link undoRestore} puts it back.
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
    await finishLast(target, places, now);
    makeFolders(places.staging, 0o700);
    const unpacked = new Unpacked(places.staging);
    const manifest = await readArchive({ name: path, content: createReadStream(path) }, recoveryKey, unpacked);
    await unpacked.makeLinks();
    await putInPlace(unpacked, manifest, target, places, now);
    await places.commit(now);
    return manifest;
  } catch (error) {
    await finishLast(target, places, now).catch((problem: unknown) => {
      throw new NotPutBack(error, problem);
    });
    throw error;
  } finally {
    await target.close();
  }
}

/** A restore that failed has left what there was before half in its place. */
export class NotPutBack extends Error {
  constructor(error: unknown, problem: unknown) {
    super(
      `${errorMessage(error)} What was there before could not be put back ` +
        `(${errorMessage(problem)}): run svc restore --undo once that is mended.`,
      { cause: error },
    );
  }
}

/** Fills the database, then has everything take its place. The files still have to be committed. @param unpacked whole, and checked */
export async function putInPlace(
  unpacked: Unpacked,
  manifest: Manifest,
  target: RestoreTarget,
  places: FilePlaces,
  now: Date,
): Promise<void> {
  await unpacked.fill(target, manifest);
  // The key goes first: a database whose secrets nobody can open is worse than a key without a database.
  await places.take(unpacked.files);
  await target.finish({ madeAt: toSqlTime(new Date(manifest.madeAt)), restoredAt: toSqlTime(now), panel: manifest.panel });
}

/**
 * Ends what a restore has begun, now or before it was killed: its files stay where its database does, and go where that goes.
 *
 * @returns whether anything was undone
 */
export async function finishLast(target: RestoreTarget, places: FilePlaces, now: Date): Promise<boolean> {
  if (places.isOpen && !(await target.isInterrupted())) {
    await places.commit(now);
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
        `A restore into ${config.dataDir} was interrupted: run svc restore again, which begins ` +
          'anew, or svc restore --undo, which puts back what was there before.',
      );
    await places.commit(now);
  } finally {
    await target.close();
  }
}

/**
 * Puts database and files back as they were before a restore that was interrupted, and clears away what that had unpacked.
 *
 * @returns whether there was one
 */
export async function undoRestore(config: AppConfig, now: Date): Promise<boolean> {
  const target = restoreTarget(config);
  try {
    return await finishLast(target, new FilePlaces(config.dataDir), now);
  } finally {
    await target.close();
  }
}
