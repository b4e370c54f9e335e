import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Clock, loggerFor, wordsOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { writeBackup } from './archive/write-backup.js';
import { BackupRecords } from './backup-records.js';
import { openSnapshot } from './database/snapshot.js';
import type { Backup } from './entities/index.js';
import { BackupError } from './errors.js';
import { placeOf } from './places.js';

const log = loggerFor('backup');
/** How often a backup says how far it is, in milliseconds. */
const SAY_MS = 2_000;

/** Makes backups, keeps as many as wanted, and clears away what those left whose process died. */
@Injectable()
export class BackupMaker {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly records: BackupRecords,
  ) {}

  /**
   * Makes one, from the state of this moment on.
   *
   * @param told hears how far it is
   * @throws BackupError `NO_KEY` before there is a recovery key, `RUNNING`; anything else after it was written down as failed
   */
  async make(cause: Backup['cause'], signal: AbortSignal, told: (backup: Backup) => void = () => undefined): Promise<Backup> {
    const { recipient } = await this.records.setting();
    if (!recipient) throw new BackupError('NO_KEY');
    await this.clearDead();
    const place = placeOf(this.config);
    const now = this.clock.now();
    // The random end keeps two of one second apart, and a name from being guessed in a bucket.
    const name = `svc-${now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(4).toString('hex')}.tar.gz.age`;
    const backup = await this.records.begin({ name, place: place.kind, cause });
    const path = this.partOf(backup);
    const abort = new AbortController();
    const both = AbortSignal.any([signal, abort.signal]);
    const progress = { rows: 0, files: 0, size: 0 };
    const renewal = setInterval(() => {
      told({ ...backup, ...progress });
      this.records
        .renew(backup.id, progress)
        .then((held) => held || abort.abort(new Error('The backup was taken for dead.')))
        .catch((error: unknown) => log.warn({ err: error }, 'the progress of a backup could not be written down'));
    }, SAY_MS);
    try {
      await mkdir(this.config.backupDir, { recursive: true, mode: 0o700 });
      const snapshot = await openSnapshot(this.config);
      try {
        await writeBackup(snapshot, {
          config: this.config,
          path,
          folder: this.config.backupDir,
          recipient,
          now,
          signal: both,
          progress: ({ rows, files, bytes }) => {
            Object.assign(progress, { rows, files, size: bytes });
            both.throwIfAborted();
            return Promise.resolve();
          },
        });
      } finally {
        await snapshot.close();
      }
      progress.size = (await stat(path)).size;
      await place.keep(path, name);
      clearInterval(renewal);
      if (!(await this.records.end(backup.id, progress))) await place.remove(name);
    } catch (error) {
      clearInterval(renewal);
      await rm(path, { force: true }).catch(() => undefined);
      const problem = inWords(error);
      log.error({ err: error, backup: name }, 'a backup failed');
      await this.records.end(backup.id, { error: wordsOf(problem) });
      throw problem;
    }
    await this.removeSurplus();
    return this.records.find(backup.id);
  }

  /** Notes that backups whose process died are over, and removes what they left here. @returns how many */
  async clearDead(): Promise<number> {
    const dead = await this.records.endDead();
    for (const backup of dead) {
      log.warn({ backup: backup.name }, 'a backup was interrupted: what there was of it is removed');
      await rm(this.partOf(backup), { force: true }).catch(() => undefined);
    }
    return dead.length;
  }

  /** Takes a backup away, its file first. */
  async remove(backup: Backup): Promise<void> {
    if (backup.state === 'running') throw new BackupError('UNFINISHED');
    if (backup.state === 'done') await this.placeFor(backup).remove(backup.name);
    await this.records.remove(backup.id);
  }

  /** Where a backup lies. @throws BackupError `FILE_GONE` for one in a bucket that is no longer configured */
  placeFor(backup: Backup): ReturnType<typeof placeOf> {
    const place = placeOf(this.config);
    if (place.kind !== backup.place) throw new BackupError('FILE_GONE');
    return place;
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

/** What the disk says, in words. */
function inWords(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new BackupError('DISK_FULL');
  return code === 'EACCES' || code === 'EROFS' || code === 'EPERM' ? new BackupError('FOLDER') : error;
}
