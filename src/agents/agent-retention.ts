import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock } from '../common/index.js';
import { Job } from '../jobs/index.js';

import { BodyRows } from './actions/index.js';
import { Enrollment } from './registry/index.js';
import { ScanDays, ScanStore } from './scans/index.js';
import { TaskList } from './tasks/index.js';

/** How long scans and finished tasks are kept, in milliseconds: 90 days. */
const KEPT_MS = 90 * DAY_MS;

/** How long rows of scans without matches are kept; only versions before this one created them. */
const KEPT_EMPTY_MS = 7 * DAY_MS;

/** How long finished actions are kept, in milliseconds: two days. The operation log records what they did. */
const KEPT_ACTIONS_MS = 2 * DAY_MS;

/** How long unread pieces of bodies are kept, in milliseconds; longer than the time limit of any action. */
const KEPT_BODY_MS = 3 * HOUR_MS;

/** Removes old scans and tasks, which agents create without any administrator. */
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
