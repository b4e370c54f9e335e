import { Injectable } from '@nestjs/common';

import { AppError } from '../../common/index.js';
import { BackgroundQueue, BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { SiteBackupError } from './backup-errors.js';
import { SiteBackupFailures } from './backup-failures.js';
import { SiteBackupMaking } from './backup-making.js';
import { SiteBackupRecords } from './backup-records.js';
import { SiteBackupRestoring } from './backup-restoring.js';
import { SITE_BACKUP_TASK, type SiteBackupOrder } from './backup-work.js';

/** Runs the tasks queued by {@link SiteBackupWork}. */
@Injectable()
export class SiteBackupRunner {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly sites: SiteAccess,
    private readonly records: SiteBackupRecords,
    private readonly making: SiteBackupMaking,
    private readonly restoring: SiteBackupRestoring,
    private readonly failures: SiteBackupFailures,
  ) {}

  /** Retried if the process was killed; any other failure is reported and not retried. */
  @BackgroundTask({ name: SITE_BACKUP_TASK, attempts: 3, timeoutMinutes: 240, concurrency: 2 })
  async run(payload: unknown, turn: TaskTurn): Promise<{ failed?: string }> {
    const row = await this.records.byId((payload as SiteBackupOrder).backup);
    if (row?.taskId !== turn.id) return {};
    try {
      const site = await this.sites.ofHost(row.hostId);
      if (row.state === 'making') await this.making.run(site, row, turn);
      if (row.state === 'restoring') await this.restoring.run(site, row, turn);
      return {};
    } catch (error) {
      const isStopped = await this.queue.isStopped(turn);
      if (turn.signal.aborted && !isStopped) throw error;
      const problem = isStopped ? new SiteBackupError('CANCELLED') : error;
      await this.failures.end(row, problem);
      return { failed: problem instanceof AppError ? problem.code : 'FAILED' };
    }
  }
}
