import { PerformanceObserver } from 'node:perf_hooks';

/** Minimum length of a recorded pause, in milliseconds. */
const MIN_PAUSE_MS = 20;
/** How long pauses are kept, in milliseconds. */
const RETENTION_MS = 60_000;

/** Records the pauses of the garbage collector. */
export class GarbagePauses {
  private pauses: { start: number; end: number }[] = [];
  private readonly observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (duration >= MIN_PAUSE_MS) this.pauses.push({ start: startTime, end: startTime + duration });
    }
    const oldest = performance.now() - RETENTION_MS;
    this.pauses = this.pauses.filter(({ end }) => end > oldest);
  });

  constructor() {
    this.observer.observe({ entryTypes: ['gc'] });
  }

  /**
   * Returns the milliseconds of collection between two times of `performance.now()`; a pause is known some event loop ticks after it ended.
   */
  between(from: number, to: number): number {
    return this.pauses.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
  }

  close(): void {
    this.observer.disconnect();
  }
}
