import { type BackgroundQueue, percentOf } from '../jobs/index.js';

/** A row that a background task works on. */
export interface WorkedOn {
  /** Null once nothing is done with it any more. */
  readonly busy: number | null;
  readonly taskId: string | null;
}

/** How far the work on a row is, in percent; null where nothing is known. */
export async function workProgress(queue: BackgroundQueue, { busy, taskId }: WorkedOn): Promise<number | null> {
  return busy === null || taskId === null ? null : percentOf((await queue.find(taskId))?.progress);
}
