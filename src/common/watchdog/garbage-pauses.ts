import { PerformanceObserver } from 'node:perf_hooks';

/** Pauses shorter than this, in milliseconds, are not kept. */
const LEAST = 20;
/** How long they are kept, in milliseconds. */
const KEPT = 60_000;

/** Remembers for how long the garbage collector had the thread. */
export class GarbagePauses {
  private pauses: { start: number; end: number }[] = [];
  private readonly observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (duration >= LEAST) this.pauses.push({ start: startTime, end: startTime + duration });
    }
    const oldest = performance.now() - KEPT;
    this.pauses = this.pauses.filter(({ end }) => end > oldest);
  });

  constructor() {
    this.observer.observe({ entryTypes: ['gc'] });
  }

  /** Milliseconds of collection between two moments of `performance.now()`; what ended just now is known some turns of the loop later. */
  between(from: number, to: number): number {
    return this.pauses.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
  }

  close(): void {
    this.observer.disconnect();
  }
}
