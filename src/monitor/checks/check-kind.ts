import type { MonitorTask } from '../entities/index.js';

import type { CheckOutcome } from './outcome.js';

/** A kind of check. */
export interface CheckKind {
  /**
   * Runs the check. Never rejects for a failure of the target; takes no longer than the monitor's timeout. @returns null while there is no
   * result yet
   */
  check(task: MonitorTask): Promise<CheckOutcome | null>;
}

/** Returns the milliseconds since `start`. */
export const since = (start: number): number => Math.round(performance.now() - start);
