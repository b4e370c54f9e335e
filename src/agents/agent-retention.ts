import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Job } from '../jobs/index.js';

import { ScanDays, ScanStore } from './scans/index.js';
import { TaskList } from './tasks/index.js';

/** How long scans and ended tasks are kept, in milliseconds: 90 days. An agent scans by itself, and nobody need tidy up after it. */
const KEPT_MS = 90 * 86_400_000;

/** How long scans that found nothing are kept where they have a row: those of versions before this one had. */
const KEPT_EMPTY_MS = 7 * 86_400_000;

/** Takes away old scans and tasks, so that nobody need tidy up after an agent. */
@Injectable()
export class AgentRetention {
  constructor(
    private readonly scans: ScanStore,
    private readonly days: ScanDays,
    private readonly taskList: TaskList,
    private readonly clock: Clock,
  ) {}

  @Job({ name: 'node-retention', everyMinutes: 60, catchUp: true })
  async removeOld(): Promise<void> {
    const now = this.clock.now().getTime();
    const before = new Date(now - KEPT_MS);
    await this.scans.removeEmptyBefore(new Date(now - KEPT_EMPTY_MS));
    await this.scans.removeBefore(before);
    await this.days.removeBefore(before);
    await this.taskList.removeEndedBefore(before);
  }
}
