import type { TaskProgress } from './background-queue.js';

/** How far a task that is not done says it is, in whole percent, at most 99; null where that is not known. */
export function percentOf(progress: TaskProgress | null | undefined): number | null {
  const { done = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(99, Math.floor((done / total) * 100)) : null;
}
