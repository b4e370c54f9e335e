/** Something the tick runs. */
interface JobBasics {
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  /** Unique among the owner's jobs; together with the owner at most 80 characters. */
  readonly name: string;
  /**
   * The work. It runs in one process per tick; one that takes longer than its period is not started a second time in the same
   * process, but may be in another one, so it claims what it works on by conditional updates.
   */
  readonly run: () => unknown;
}

/** Runs at every minute of the UTC day that its period divides: 60 is each full hour. A minute nobody was up for is not made up for. */
export interface RepeatedJob extends JobBasics {
  /** 1 to 1440. */
  readonly everyMinutes: number;
}

/** Runs once a day from that time on: one that was missed because nothing was up runs later the same day. */
export interface DailyJob extends JobBasics {
  /** `HH:MM` in the configured zone. */
  readonly dailyAt: string;
}

/** One of the two kinds. */
export type ScheduledJob = RepeatedJob | DailyJob;

const DAILY_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The job's name in logs and claims. */
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
  } else if (!Number.isInteger(job.everyMinutes) || job.everyMinutes < 1 || job.everyMinutes > 1440) {
    throw new Error(`The job "${key}" needs a period of 1 to 1440 minutes, not ${job.everyMinutes}.`);
  }
}
