import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import { PanelError } from '../panel/panel-error.js';
import { backoffMs } from '../backoff.js';

/** Runs the steps of a round independently; each failing step backs off on its own. */
export class Retries {
  private readonly attempts = new Map<string, { failures: number; notBefore: number }>();

  constructor(
    private readonly intervalMs: number,
    private readonly log: Log,
    private readonly stop: AbortSignal,
    private readonly now: () => number,
  ) {}

  /** Runs a step unless its delay after a failure has not expired. */
  async attempt(name: string, run: () => Promise<void>): Promise<void> {
    const state = this.attempts.get(name) ?? { failures: 0, notBefore: 0 };
    if (this.now() < state.notBefore) return;
    this.attempts.set(name, state);
    try {
      await run();
      state.failures = 0;
      state.notBefore = 0;
    } catch (error) {
      if (this.stop.aborted) return;
      state.failures++;
      const wait = Math.max(backoffMs(state.failures, this.intervalMs), error instanceof PanelError ? error.retryAfterSeconds * 1000 : 0);
      state.notBefore = this.now() + wait;
      this.log.warning(`${name}: ${messageOf(error)}`, { failures: state.failures, next_try_seconds: Math.round(wait / 1000) });
    }
  }
}
