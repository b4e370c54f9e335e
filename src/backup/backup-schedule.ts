import { Injectable } from '@nestjs/common';

import { legacyTime } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { BackgroundQueue, BackgroundTask, FinalFailure, Job, type TaskTurn } from '../jobs/index.js';

import { BackupMaker } from './backup-maker.js';
import { BackupNotices } from './backup-notices.js';
import { BackupRecords } from './backup-records.js';
import type { Backup } from './entities/index.js';
import { BackupError } from './errors.js';

/** Name of the background task. */
const TASK = 'backup.make';

/** Schedules backups: daily at the configured time, and on request. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly clock: ZonedClock,
    private readonly queue: BackgroundQueue,
    private readonly records: BackupRecords,
    private readonly maker: BackupMaker,
    private readonly notices: BackupNotices,
  ) {}

  /** Queues a backup. @returns id of the task @throws BackupError `NO_KEY` */
  async order(cause: Backup['cause'], by?: string): Promise<string> {
    if (!(await this.records.setting()).recipient) throw new BackupError('NO_KEY');
    return this.queue.add(TASK, { cause }, { key: 'backup', by });
  }

  /** Whether a queued backup is not finished yet. */
  async isOrdered(): Promise<boolean> {
    const open = await Promise.all(
      (['waiting', 'running'] as const).map((state) => this.queue.list({ name: TASK, state }, { page: 1, limit: 1 })),
    );
    return open.some(({ total }) => total > 0);
  }

  /**
   * Queues the daily backup once it is due and no other one is running, and cleans up after a crash.
   *
   * @returns number of queued backups
   */
  @Job({ name: 'backup', everyMinutes: 5, catchUp: true })
  async orderDue(): Promise<number> {
    await this.maker.clearCrashed();
    const { dailyAt, recipient } = await this.records.setting();
    const now = legacyTime(this.clock.now(), this.clock.timezone);
    if (!recipient || dailyAt === '' || now.slice(11, 16) < dailyAt) return 0;
    const last = await this.records.lastScheduled();
    if (last && legacyTime(last.startedAt, this.clock.timezone).slice(0, 10) === now.slice(0, 10)) return 0;
    const running = await this.records.running();
    if (running) {
      await this.notices.notifyWaiting(running);
      return 0;
    }
    await this.order('schedule');
    return 1;
  }

  /** A failure is not retried before the next day, unless manually; the second attempt is for a crashed process. */
  @BackgroundTask({ name: TASK, attempts: 2, timeoutMinutes: 720 })
  async run(payload: unknown, turn: TaskTurn): Promise<{ name: string; size: number }> {
    const { cause } = payload as { cause: Backup['cause'] };
    try {
      const made = await this.maker.make(cause, turn.signal, ({ rows, files }) => turn.progress(rows + files, 0));
      return { name: made.name, size: made.size };
    } catch (error) {
      // These errors would recur: a full disk stays full.
      throw error instanceof BackupError ? new FinalFailure(error.shape.text) : error;
    }
  }
}
