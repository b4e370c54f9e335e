import { Injectable } from '@nestjs/common';

import { MINUTE_MS, Clock, waitAtMost } from '../common/index.js';
import { Database } from '../database/index.js';
import { CronScheduler, Quiet } from '../jobs/index.js';

import { MaintenanceTriggers } from './maintenance-triggers.js';
import { CALL_TIMEOUT_MS, minuteOf } from './triggered-job.js';

/** Answer while a restored installation waits for confirmation. */
const HELD = '本系统由备份恢复，尚未放行，没有执行任何操作。';

/**
 * The addresses that a crontab calls for older panels. The scheduler needs none of them; a call runs what is due immediately, at most once
 * a minute and in one process, and the answer says what was done. Source: docs/panel-api.md "Addresses for a crontab".
 */
@Injectable()
export class ClockTriggers {
  private readonly checked;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly scheduler: CronScheduler,
    private readonly maintenance: MaintenanceTriggers,
    private readonly quiet: Quiet,
  ) {
    this.checked = database.statement<{ tasks: number }>('SELECT COUNT(*) AS tasks FROM {MonitorTask} WHERE {MonitorTask.lastRunAt} >= ?');
  }

  /** Runs everything due this minute. */
  async runDue(): Promise<string> {
    if (this.quiet.active) return HELD;
    const now = this.clock.now();
    await waitAtMost(this.scheduler.tick(minuteOf(now)), CALL_TIMEOUT_MS);
    const found = await this.checked.get(new Date(now.getTime() - MINUTE_MS));
    return `执行完成，检测任务：${found?.tasks ?? 0}`;
  }

  /** Runs the maintenance that `gn` names, and returns which hosts that paused or deleted. */
  async maintain(gn: string): Promise<string> {
    return this.quiet.active ? HELD : this.maintenance.run(gn);
  }

  /** Answers that there are no containers. */
  runContainers(): string {
    return this.quiet.active ? HELD : '本版本没有容器功能，没有执行任何操作。';
  }
}
