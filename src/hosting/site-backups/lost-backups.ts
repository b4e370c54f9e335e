import { Injectable } from '@nestjs/common';

import { Clock, MINUTE_MS } from '../../common/index.js';
import { BackgroundQueue } from '../../jobs/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupFailures } from './backup-failures.js';
import { SiteBackupRecords } from './backup-records.js';

/** Backups younger than this are left alone, in milliseconds: their task may not be in the queue yet. */
const LOST_AFTER_MS = 10 * MINUTE_MS;

/** Ends backups whose background task is gone: it was killed too often, or removed from the queue. */
@Injectable()
export class LostSiteBackups {
  constructor(
    private readonly records: SiteBackupRecords,
    private readonly failures: SiteBackupFailures,
    private readonly queue: BackgroundQueue,
    private readonly clock: Clock,
  ) {}

  async end(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LOST_AFTER_MS);
    for (const row of await this.records.begun(before)) {
      const task = row.taskId === null ? null : await this.queue.find(row.taskId);
      if (task?.state === 'waiting' || task?.state === 'running') continue;
      await this.failures.end(row, new SiteBackupError(task?.state === 'cancelled' ? 'CANCELLED' : 'INTERRUPTED'));
    }
  }
}
