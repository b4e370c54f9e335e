import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { Inject, Injectable, Optional } from '@nestjs/common';

import { Clock, loggerFor, makeFolders, waitAtMost, wordsOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { type BackupJob, writeBackup } from './write-backup.js';
import { BackupRecords } from './backup-records.js';
import { openSnapshot } from './database/by-engine.js';
import type { Backup } from './entities/index.js';
import { BackupError } from './errors.js';
import { storageOf } from './backup-storage.js';

const log = loggerFor('backup');
/** How long to wait for the cleanup of a failed backup, in milliseconds; on a hanging disk it never finishes. */
const CLEANUP_TIMEOUT_MS = 5_000;

/** Timing of backups, in milliseconds. */
export interface BackupTimes {
  /** Interval of progress reports. */
  readonly report: number;
  /** A backup that writes nothing for this long is aborted. */
  readonly stall: number;
}

/** Timing in production. */
export const BACKUP_TIMES: BackupTimes = { report: 2_000, stall: 30 * 60_000 };

/** Injection token of {@link BackupTimes}; defaults to {@link BACKUP_TIMES}. */
export const BACKUP_TIMES_TOKEN = Symbol('BackupTimes');

/** Makes backups, removes surplus ones, and cleans up after crashed processes. */
@Injectable()
export class BackupMaker {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly records: BackupRecords,
    @Optional() @Inject(BACKUP_TIMES_TOKEN) private readonly times: BackupTimes = BACKUP_TIMES,
  ) {}

  /**
   * Makes a backup of the current state.
   *
   * @param onProgress called with the progress
   * @throws BackupError `NO_KEY` without a recovery key, `RUNNING`; other errors after the backup was marked as failed: `STALLED` if
   *   nothing was written for half an hour
   */
  async make(cause: Backup['cause'], signal: AbortSignal, onProgress: (backup: Backup) => void = () => undefined): Promise<Backup> {
    const { recipient } = await this.records.setting();
    if (!recipient) throw new BackupError('NO_KEY');
    await this.clearCrashed();
    const storage = storageOf(this.config);
    const now = this.clock.now();
    // The random suffix distinguishes backups of the same second and makes names in a bucket unguessable.
    const second = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
    const name = `svc-${second}-${randomBytes(4).toString('hex')}.tar.gz.age`;
    const backup = await this.records.begin({ name, place: storage.kind, cause });
    const path = this.partOf(backup);
    const abort = new AbortController();
    const both = AbortSignal.any([signal, abort.signal]);
    const progress = { rows: 0, files: 0, size: 0 };
    const stall = new Stall(path, this.times.stall, () => abort.abort(new BackupError('STALLED')));
    const renewal = setInterval(() => {
      onProgress({ ...backup, ...progress });
      void stall.check();
      this.records
        .renew(backup.id, progress)
        .then((held) => held || abort.abort(new Error('The lease of the backup expired: another process counts it as interrupted.')))
        .catch((error: unknown) => log.warn({ err: error }, 'storing the progress of a backup failed'));
    }, this.times.report);
    let work: Promise<void> = Promise.resolve();
    try {
      makeBackupFolder(this.config.backupDir);
      work = this.write({ path, recipient, now, signal: both }, progress);
      await unlessAborted(work, both);
      progress.size = (await stat(path)).size;
      stall.end();
      await storage.store(path, name, both);
      clearInterval(renewal);
      if (!(await this.records.end(backup.id, progress))) await storage.remove(name);
    } catch (error) {
      clearInterval(renewal);
      const cleanup = work
        .catch(() => undefined)
        .then(() => rm(path, { force: true }))
        .catch(() => undefined);
      if (!(await waitAtMost(cleanup, CLEANUP_TIMEOUT_MS)))
        log.warn({ path }, 'the files of a failed backup will be removed once the disk responds');
      const problem = toBackupError(error);
      log.error({ err: error, backup: name }, 'a backup failed');
      await this.records.end(backup.id, { error: wordsOf(problem) });
      throw problem;
    }
    await this.removeSurplus();
    return this.records.find(backup.id);
  }

  /** Marks backups of crashed processes as failed and removes their files. @returns how many */
  async clearCrashed(): Promise<number> {
    const crashed = await this.records.endCrashed();
    for (const backup of crashed) {
      log.warn({ backup: backup.name }, 'a backup was interrupted: its files are removed');
      await rm(this.partOf(backup), { force: true }).catch(() => undefined);
      const storage = storageOf(this.config);
      // Removes the uploaded part of an interrupted transfer.
      if (storage.kind === backup.place)
        await storage
          .remove(backup.name)
          .catch((error: unknown) => log.warn({ err: error, backup: backup.name }, 'the uploaded part of a backup could not be removed'));
    }
    return crashed.length;
  }

  /** Removes a backup: its file, then its row. */
  async remove(backup: Backup): Promise<void> {
    if (backup.state === 'running') throw new BackupError('UNFINISHED');
    if (backup.state === 'done') await this.storageFor(backup).remove(backup.name);
    await this.records.remove(backup.id);
  }

  /** Returns the storage of a backup. @throws BackupError `FILE_GONE` if it is in a bucket that is no longer configured */
  storageFor(backup: Backup): ReturnType<typeof storageOf> {
    const storage = storageOf(this.config);
    if (storage.kind !== backup.place) throw new BackupError('FILE_GONE');
    return storage;
  }

  private async write(
    job: Pick<BackupJob, 'path' | 'recipient' | 'now' | 'signal'>,
    progress: { rows: number; files: number; size: number },
  ): Promise<void> {
    const snapshot = await openSnapshot(this.config);
    try {
      await writeBackup(snapshot, {
        ...job,
        config: this.config,
        folder: this.config.backupDir,
        progress: ({ rows, files, bytes }) => {
          Object.assign(progress, { rows, files, size: bytes });
          job.signal.throwIfAborted();
          return Promise.resolve();
        },
      });
    } finally {
      await snapshot.close();
    }
  }

  private async removeSurplus(): Promise<void> {
    const { keep } = await this.records.setting();
    for (const backup of [...(await this.records.surplus('done', keep)), ...(await this.records.surplus('failed', keep))]) {
      await this.remove(backup).catch((error: unknown) =>
        log.warn({ err: error, backup: backup.name }, 'an old backup could not be removed'),
      );
    }
  }

  private partOf({ name }: Backup): string {
    return join(this.config.backupDir, `${name}.part`);
  }
}

/** Detects that a file no longer grows. */
class Stall {
  private size = -1;
  private since = performance.now();
  private isChecking = false;
  private ended = false;

  constructor(
    private readonly path: string,
    private readonly limitMs: number,
    private readonly onAbort: () => void,
  ) {}

  async check(): Promise<void> {
    if (this.ended) return;
    if (performance.now() - this.since > this.limitMs) {
      this.end();
      return this.onAbort();
    }
    // On a hanging disk, the previous `stat` may still be pending.
    if (this.isChecking) return;
    this.isChecking = true;
    const size = await stat(this.path).then(
      (found) => found.size,
      () => -1,
    );
    this.isChecking = false;
    if (size === this.size) return;
    this.size = size;
    this.since = performance.now();
  }

  end(): void {
    this.ended = true;
  }
}

/**
 * Resolves with `work`, or rejects with the abort reason even if `work` cannot be interrupted, for example while waiting for a disk or
 * server.
 */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws BackupError `NO_FOLDER` if it cannot be created */
function makeBackupFolder(path: string): void {
  try {
    makeFolders(path, 0o700);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw toBackupError(error) instanceof BackupError ? error : new BackupError('NO_FOLDER', { path, code }, undefined, { cause: error });
  }
}

/** Converts disk errors to {@link BackupError}s. */
function toBackupError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new BackupError('DISK_FULL');
  return code === 'EACCES' || code === 'EROFS' || code === 'EPERM' ? new BackupError('FOLDER') : error;
}
