import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import type { MonitorTask } from '../entities/index.js';

import type { CheckKind } from './check-kind.js';
import { failed, passed, type CheckOutcome } from './outcome.js';

/** Checks whether the push address of a monitor was called in time. */
@Injectable()
export class PushCheck implements CheckKind {
  constructor(private readonly clock: Clock) {}

  check(task: MonitorTask): Promise<CheckOutcome | null> {
    return Promise.resolve(this.outcome(task));
  }

  private outcome(task: MonitorTask): CheckOutcome | null {
    const allowed = (task.intervalSeconds + task.timeoutSeconds) * 1_000;
    const silent = this.clock.now().getTime() - (task.lastPushAt ?? task.createdAt).getTime();
    if (silent <= allowed) return task.lastPushAt ? passed(null) : null;
    if (!task.lastPushAt) return failed({ key: 'monitor.problem.never_called' });
    return failed({ key: 'monitor.problem.not_called', params: { seconds: Math.round(silent / 1_000) } });
  }
}
