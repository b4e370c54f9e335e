import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { errorMessage, makeFolders } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';
import { toSqlTime } from '../../database/index.js';

import { ArchiveError, readArchive } from '../archive/archive-reader.js';
import type { Manifest } from '../archive/manifest.js';
import { restoreTarget } from '../database/by-engine.js';
import type { RestoreTarget } from '../database/restore-target.js';

import { FileMoves } from './file-moves.js';
import { Unpacked } from './unpacked.js';

/** Entries ignored when checking for an empty data folder. */
const IGNORED_NAMES = new Set(['backups', 'lost+found']);

/** Options of a restore. */
export interface RestoreOptions {
  readonly config: AppConfig;
  readonly path: string;
  readonly recoveryKey: string;
  /** Whether existing data may be set aside. */
  readonly overwrite: boolean;
  readonly now: Date;
}

/** Whether the data folder or the database contains anything. */
export async function isUsed(config: AppConfig): Promise<boolean> {
  const names = existsSync(config.dataDir) ? await readdir(config.dataDir) : [];
  if (names.some((name) => !IGNORED_NAMES.has(name) && !name.startsWith('.'))) return true;
  const target = restoreTarget(config);
  try {
    return await target.isUsed();
  } finally {
    await target.close();
  }
}

/**
 * Restores a backup: unpacks and verifies all of it next to the existing files, fills the database, then moves everything into place. If
 * interrupted before, existing data is at most set aside: the same command starts again, and {@link undoRestore} recovers it.
 *
 * @throws ArchiveError for a backup that cannot be used here; Error of disk or database
 */
export async function restoreBackup({ config, path, recoveryKey, overwrite, now }: RestoreOptions): Promise<Manifest> {
  if (!overwrite && (await isUsed(config)))
    throw new ArchiveError(
      `There is an installation in ${config.dataDir} or its database already. Add --overwrite to replace it with the backup.`,
    );
  const target = restoreTarget(config);
  const moves = new FileMoves(config.dataDir);
  try {
    await finishOrUndo(target, moves, now);
    makeFolders(moves.staging, 0o700);
    const unpacked = new Unpacked(moves.staging);
    const manifest = await readArchive({ name: path, content: createReadStream(path) }, recoveryKey, unpacked);
    await unpacked.makeLinks();
    await putInPlace(unpacked, manifest, target, moves, now);
    await moves.commit(now);
    return manifest;
  } catch (error) {
    await finishOrUndo(target, moves, now).catch((problem: unknown) => {
      throw new RollbackFailed(error, problem);
    });
    throw error;
  } finally {
    await target.close();
  }
}

/** A failed restore whose previous state could not be recovered completely. */
export class RollbackFailed extends Error {
  constructor(error: unknown, problem: unknown) {
    super(
      `${errorMessage(error)} The previous state could not be recovered ` +
        `(${errorMessage(problem)}): run svc restore --undo once that problem is fixed.`,
      { cause: error },
    );
  }
}

/** Fills the database and moves everything into place. The files must be committed afterwards. @param unpacked complete and verified */
export async function putInPlace(
  unpacked: Unpacked,
  manifest: Manifest,
  target: RestoreTarget,
  moves: FileMoves,
  now: Date,
): Promise<void> {
  await unpacked.fill(target, manifest);
  // The files with the key come first: a database whose secrets cannot be decrypted is worse than a key without its database.
  await moves.apply(unpacked.files);
  await target.finish({ madeAt: toSqlTime(new Date(manifest.madeAt)), restoredAt: toSqlTime(now), panel: manifest.panel });
}

/**
 * Completes or rolls back a restore, also one interrupted earlier: the files follow the state of the database.
 *
 * @returns whether anything was rolled back
 */
export async function finishOrUndo(target: RestoreTarget, moves: FileMoves, now: Date): Promise<boolean> {
  if (moves.isOpen && !(await target.isInterrupted())) {
    await moves.commit(now);
    return false;
  }
  const isOpen = moves.isOpen;
  await moves.undo();
  return (await target.undo()) || isOpen;
}

/**
 * Prevents a start on restored files whose database is not restored.
 *
 * @throws Error with instructions
 */
export async function refusePartialRestore(config: AppConfig, now: Date): Promise<void> {
  const moves = new FileMoves(config.dataDir);
  if (!moves.isOpen) return;
  const target = restoreTarget(config);
  try {
    if (await target.isInterrupted())
      throw new Error(
        `A restore into ${config.dataDir} was interrupted: run svc restore again, which starts ` +
          'over, or svc restore --undo, which recovers the previous state.',
      );
    await moves.commit(now);
  } finally {
    await target.close();
  }
}

/**
 * Rolls back an interrupted restore: recovers database and files and removes what was unpacked.
 *
 * @returns whether there was one
 */
export async function undoRestore(config: AppConfig, now: Date): Promise<boolean> {
  const target = restoreTarget(config);
  try {
    return await finishOrUndo(target, new FileMoves(config.dataDir), now);
  } finally {
    await target.close();
  }
}
