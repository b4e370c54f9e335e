import type { TaskProgress } from './background-queue.js';

/** Returns the progress of an unfinished task in whole percent, at most 99; null if unknown. */
export function percentOf(progress: TaskProgress | null | undefined): number | null {
  const { done = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(99, Math.floor((done / total) * 100)) : null;
}
