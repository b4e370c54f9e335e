import { DAY_MS } from '../../common/index.js';

/** The times of background work, in milliseconds. */
export interface TaskSettings {
  /** How long an attempt is taken to be under way without a word of its process. */
  readonly lease: number;
  /** How often that word is given. */
  readonly renewal: number;
  /** Clocks of several servers differ by seconds: nobody is taken for dead before this much more has passed. */
  readonly skew: number;
  /** How often a process looks for what others added, cancelled or left behind. */
  readonly poll: number;
  /** How long a shutdown waits for what runs. */
  readonly shutdown: number;
}

/** What the product runs with. */
export const TASK_SETTINGS: TaskSettings = { lease: 20_000, renewal: 5_000, skew: 5_000, poll: 2_000, shutdown: 10_000 };

/** Injection token of {@link TaskSettings}; without a provider {@link TASK_SETTINGS} hold. */
export const TASK_SETTINGS_TOKEN = Symbol('TaskSettings');

/** How long finished tasks are kept, in milliseconds. */
export const TASKS_KEPT_MS = 7 * DAY_MS;
