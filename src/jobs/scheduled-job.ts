import type { CronExpression } from './cron-expression.js';

/** One run of a job, passed to its function. */
export interface JobTurn {
  /** Aborted if the run exceeds its timeout or its lease was lost: stop as soon as nothing is left half done. */
  readonly signal: AbortSignal;
}

/** Runs at every minute of the UTC day that is a multiple of its period: 60 is each full hour. */
export interface Repeated {
  /** 1 to 1440. */
  readonly everyMinutes: number;
  /** Whether a time missed while no process ran is made up for, once. Without it the job waits for its next time. */
  readonly catchUp?: boolean;
}

/** Runs once a day from that time on: a missed run happens later the same day. */
export interface Daily {
  /** `HH:MM` in the configured time zone. */
  readonly dailyAt: string;
}

/** Runs in every minute that matches in the configured time zone; missed times are skipped. */
export interface ByExpression {
  readonly cron: CronExpression;
}

/** Schedule of a job, and its timeout. */
export type JobTiming = (Repeated | Daily | ByExpression) & {
  /** Minutes after which it is asked to stop, 1 to 1440; 30 by default. It does not run again before it has finished. */
  readonly timeoutMinutes?: number;
};

/** A scheduled job: runs once at each due time, in one of all processes, and never concurrently with itself. */
export type ScheduledJob = JobTiming & {
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  /** Unique among the owner's jobs; owner and name together have at most 80 characters. */
  readonly name: string;
  /** The job's function. */
  readonly run: (turn: JobTurn) => unknown;
};

const DAILY_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_MINUTES = 1_440;

/** Returns the job's name in logs and in the table of runs. */
export function jobKey(job: ScheduledJob): string {
  return `${job.owner}:${job.name}`;
}

/** @throws Error describing what is wrong with the declaration */
export function checkJob(job: ScheduledJob): void {
  const key = jobKey(job);
  if (!job.owner || !job.name || key.length > 80)
    throw new Error(`The job "${key}" needs an owner and a name of at most 80 characters together.`);
  if ('dailyAt' in job) {
    if (!DAILY_TIME.test(job.dailyAt)) throw new Error(`The job "${key}" needs a time such as 04:10, not "${job.dailyAt}".`);
  } else if ('everyMinutes' in job && !isMinutes(job.everyMinutes)) {
    throw new Error(`The job "${key}" needs a period of 1 to 1440 minutes, not ${job.everyMinutes}.`);
  }
  const { timeoutMinutes } = job;
  if (timeoutMinutes !== undefined && !isMinutes(timeoutMinutes))
    throw new Error(`The job "${key}" needs a timeout of 1 to 1440 minutes, not ${timeoutMinutes}.`);
}

const isMinutes = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES;
