import { DAY_MS } from '../../common/index.js';

/** Timings of background work, in milliseconds. */
export interface TaskSettings {
  /** How long an attempt counts as running without a renewal by its process. */
  readonly lease: number;
  /** How often the lease is renewed. */
  readonly renewal: number;
  /** Tolerance for clock differences between servers: added to a lease before its process is considered crashed. */
  readonly skew: number;
  /** How often a process checks for tasks that others added, cancelled or left behind. */
  readonly poll: number;
  /** How long a shutdown waits for running tasks. */
  readonly shutdown: number;
}

/** Timings used in production. */
export const TASK_SETTINGS: TaskSettings = { lease: 20_000, renewal: 5_000, skew: 5_000, poll: 2_000, shutdown: 10_000 };

/** Injection token of {@link TaskSettings}; {@link TASK_SETTINGS} by default. */
export const TASK_SETTINGS_TOKEN = Symbol('TaskSettings');

/** Retention of finished tasks, in milliseconds. */
export const TASKS_KEPT_MS = 7 * DAY_MS;
