import { Injectable } from '@nestjs/common';

import { AppError, loggerFor, type Words } from '../../common/index.js';
import type { SiteBackup } from '../entities/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupNotices } from './backup-notices.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRemoval } from './backup-removal.js';

const log = loggerFor('hosting');

/** Ends failed work on backups: stores the reason in the row, and removes partial archives. */
@Injectable()
export class SiteBackupFailures {
  constructor(
    private readonly records: SiteBackupRecords,
    private readonly removal: SiteBackupRemoval,
    private readonly notices: SiteBackupNotices,
  ) {}

  /** Ends failed work on a backup. @param row its state during the work */
  async end(row: SiteBackup, error: unknown): Promise<void> {
    const isOurs = error instanceof AppError;
    const words: Words = isOurs ? error.told : new SiteBackupError('FAILED').told;
    log[isOurs ? 'warn' : 'error']({ err: error, backup: row.name, host: row.hostId }, 'work on a backup of a site failed');
    const wasUnderWay = await this.records.failed(row, words);
    if (row.state === 'making') await this.removal.leftOver(row);
    if (!wasUnderWay) return;
    const safety = row.taskId === null ? null : await this.records.safetyOf(row.hostId, row.taskId);
    if (safety?.state === 'making') {
      await this.records.failed(safety, words);
      await this.removal.leftOver(safety);
    }
    if (row.kind === 'scheduled' && row.state === 'making') await this.notices.notifyFailed(row, error, words);
  }
}
