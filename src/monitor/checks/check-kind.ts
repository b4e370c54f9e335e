import type { MonitorTask } from '../entities/index.js';

import type { CheckOutcome } from './outcome.js';

/** Looks at one kind of thing. */
export interface CheckKind {
  /** Never rejects for what is wrong out there; takes no longer than the monitor's time-out. @returns null while nothing can be said yet */
  check(task: MonitorTask): Promise<CheckOutcome | null>;
}

/** Milliseconds since then. */
export const since = (start: number): number => Math.round(performance.now() - start);
