import type { CronExpression } from './cron-expression.js';

/** One run of a job, for the work. */
export interface JobTurn {
  /** Aborted when the run has taken too long, or was taken for dead: end as soon as nothing is left half done. */
  readonly signal: AbortSignal;
}

/** Runs at every minute of the UTC day that its period divides: 60 is each full hour. */
export interface Repeated {
  /** 1 to 1440. */
  readonly everyMinutes: number;
  /** Whether a time nobody was up for is made up for, once, when somebody is. Without it the next time will do. */
  readonly catchUp?: boolean;
}

/** Runs once a day from that time on: one that was missed because nothing was up runs later the same day. */
export interface Daily {
  /** `HH:MM` in the configured zone. */
  readonly dailyAt: string;
}

/** Runs in every minute in which clocks of the configured zone show such a time; one that was missed is left out. */
export interface ByExpression {
  readonly cron: CronExpression;
}

/** When a job runs, and how long it may. */
export type JobTiming = (Repeated | Daily | ByExpression) & {
  /** Minutes after which it is told to stop, 1 to 1440; 30 without it. It does not run again before it has. */
  readonly timeoutMinutes?: number;
};

/** Something the tick runs: once at each time it is due, in one process of however many, and never twice at once. */
export type ScheduledJob = JobTiming & {
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  /** Unique among the owner's jobs; together with the owner at most 80 characters. */
  readonly name: string;
  /** The work. */
  readonly run: (turn: JobTurn) => unknown;
};

const DAILY_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DAY_MINUTES = 1_440;

/** The job's name in logs and in the table of runs. */
export function jobKey(job: ScheduledJob): string {
  return `${job.owner}:${job.name}`;
}

/** @throws Error naming what is wrong with the declaration */
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
    throw new Error(`The job "${key}" needs a time-out of 1 to 1440 minutes, not ${timeoutMinutes}.`);
}

const isMinutes = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= DAY_MINUTES;
