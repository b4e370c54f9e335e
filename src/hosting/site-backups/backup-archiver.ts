import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { TaskTurn } from '../../jobs/index.js';
import type { ArchivePlace, DeedTurn, KeptArchive } from '../driver/index.js';
import type { SiteBackup } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

import { SiteBackupError, siteBackupError } from './backup-errors.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupStorage } from './backup-storage.js';
import { PartedArchive } from './parted-archive.js';

/** Has the archives of backups made where they belong: on the disk of the site's server, or in the storage. */
@Injectable()
export class SiteBackupArchiver {
  constructor(
    private readonly storage: SiteBackupStorage,
    private readonly records: SiteBackupRecords,
  ) {}

  /** Makes the archive of a row. @returns false where the row was taken away meanwhile */
  async make(site: OpenSite, row: SiteBackup, turn: TaskTurn, tell: DeedTurn['progress']): Promise<boolean> {
    const { name, place } = row;
    const parts = place === 's3' ? this.partsOf(row) : null;
    const to: ArchivePlace = parts ? { name, url: this.storage.address('PUT', name), parts } : { name };
    const made = await site.ask(
      'backups',
      (backups, account) => backups.make(account, to, deedOf(turn, 'make', tell)),
      siteBackupError,
      turn.signal,
    );
    await parts?.complete(made.size);
    // A storage that says yes to everything keeps nothing.
    if (parts && (await this.storage.size(name)) !== made.size) throw new SiteBackupError('BACKUP_DAMAGED');
    return this.records.done(row.id, made);
  }

  /** The archive of a row as whoever puts it back is told of it. */
  kept({ name, size, sha256, content, place }: SiteBackup): KeptArchive {
    return { name, size, sha256, content, ...(place === 's3' ? { url: this.storage.address('GET', name) } : {}) };
  }

  private partsOf({ id, name }: SiteBackup): PartedArchive {
    return new PartedArchive(this.storage, name, (sha256) => this.records.sends(id, sha256));
  }
}

/** What a driver is told of the work it does in a step of a task. */
export function deedOf(turn: TaskTurn, step: string, progress: DeedTurn['progress']): DeedTurn {
  return { id: hash('sha256', `${turn.id}:${step}`, 'hex').slice(0, 32), signal: turn.signal, progress };
}
