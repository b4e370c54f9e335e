import { Injectable } from '@nestjs/common';

import { waitAtMost } from '../common/index.js';

/** How long a request waits for an exchange, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** The called handler was removed after it was found: it may be registered again in a moment. */
export class TakenBack extends Error {}

/**
 * Periods in which operations and routes of an owner are exchanged, such as during an upgrade. A request that finds nothing during such a
 * period waits for its end and looks again, so that an upgrade causes no "not found" answers.
 */
@Injectable()
export class Changeovers {
  private started = 0;
  private readonly running = new Set<Promise<unknown>>();

  /** Number of periods so far, for {@link passed}. */
  get mark(): number {
    return this.started;
  }

  /** Runs an exchange. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.started += 1;
    const running = work();
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /**
   * Waits for running exchanges, at most five seconds.
   *
   * @param mark value of {@link mark} when the request arrived
   * @returns whether an exchange happened since then, so that another lookup is worthwhile
   */
  async passed(mark: number): Promise<boolean> {
    if (this.running.size > 0) await waitAtMost(Promise.allSettled(this.running), TIMEOUT_MS);
    else if (this.started === mark) return false;
    return true;
  }
}
