import { type BackgroundQueue, percentOf } from '../jobs/index.js';

/** A row that a background task works on. */
export interface WorkedOn {
  /** Null once no work is in progress. */
  readonly busy: number | null;
  readonly taskId: string | null;
}

/** Returns the progress of the work on a row, in percent; null if unknown. */
export async function workProgress(queue: BackgroundQueue, { busy, taskId }: WorkedOn): Promise<number | null> {
  return busy === null || taskId === null ? null : percentOf((await queue.find(taskId))?.progress);
}
