import { Injectable } from '@nestjs/common';

import { settleWithin } from '../common/index.js';

/** Milliseconds somebody waits for what is being exchanged. */
const PATIENCE_MS = 5_000;

/** What was called was taken back between being found and being called: it may be there again in a moment. */
export class TakenBack extends Error {}

/**
 * Times in which somebody's operations and routes are exchanged for others, as at an upgrade. A request that comes in one, and asks for
 * what is not there, waits for its end and looks again: nobody is told that something is missing because of an upgrade.
 */
@Injectable()
export class Changeovers {
  private begun = 0;
  private readonly under = new Set<Promise<unknown>>();

  /** Which have begun so far, for {@link passed}. */
  get mark(): number {
    return this.begun;
  }

  /** Does what exchanges something. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begun += 1;
    const running = work();
    this.under.add(running);
    try {
      return await running;
    } finally {
      this.under.delete(running);
    }
  }

  /**
   * Waits for those under way, at most five seconds.
   *
   * @param mark of when the request came in
   * @returns whether there was one since: what was not there is worth another look
   */
  async passed(mark: number): Promise<boolean> {
    if (this.under.size > 0) await settleWithin(Promise.allSettled(this.under), PATIENCE_MS);
    else if (this.begun === mark) return false;
    return true;
  }
}
