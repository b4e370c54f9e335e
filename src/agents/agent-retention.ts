import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock } from '../common/index.js';
import { Job } from '../jobs/index.js';

import { BodyRows } from './actions/index.js';
import { Enrollment } from './registry/index.js';
import { ScanDays, ScanStore } from './scans/index.js';
import { TaskList } from './tasks/index.js';

/** How long scans and ended tasks are kept, in milliseconds: 90 days. An agent scans by itself, and nobody need tidy up after it. */
const KEPT_MS = 90 * DAY_MS;

/** How long scans that found nothing are kept where they have a row: those of versions before this one had. */
const KEPT_EMPTY_MS = 7 * DAY_MS;

/** How long actions of servers are kept once they have ended, in milliseconds: two days. What they did is told by the operation log. */
const KEPT_ACTIONS_MS = 2 * DAY_MS;

/** How long pieces of bodies are kept that nobody came for, in milliseconds: longer than any action has. */
const KEPT_BODY_MS = 3 * HOUR_MS;

/** Takes away old scans and tasks, so that nobody need tidy up after an agent. */
@Injectable()
export class AgentRetention {
  constructor(
    private readonly scans: ScanStore,
    private readonly days: ScanDays,
    private readonly taskList: TaskList,
    private readonly bodies: BodyRows,
    private readonly enrollment: Enrollment,
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
    await this.taskList.removeActionsBefore(new Date(now - KEPT_ACTIONS_MS));
    await this.bodies.removeBefore(new Date(now - KEPT_BODY_MS));
    await this.enrollment.removeExpired();
  }
}
