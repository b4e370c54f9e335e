import type { CheckOutcome } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';

/** A claimed monitor and what was found; `resting`: it is in a maintenance window and was not looked at. */
export interface FinishedCheck {
  readonly task: MonitorTask;
  readonly outcome: CheckOutcome | 'resting' | null;
}
