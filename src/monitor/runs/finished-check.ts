import type { CheckOutcome } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';

/** A claimed monitor and its result; `resting`: skipped because of a maintenance window. */
export interface FinishedCheck {
  readonly task: MonitorTask;
  readonly outcome: CheckOutcome | 'resting' | null;
}
