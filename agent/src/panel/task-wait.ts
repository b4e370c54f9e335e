import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import { backoffMs } from '../backoff.js';
import { PanelError } from './panel-error.js';
import type { TaskRequest } from './task-request.js';

/** Long-polling time in seconds. */
const WAIT_SECONDS = 25;
/** An empty response before this time means that the panel is stopping or does not support long polling. */
const SOON_MS = 20_000;
const RETRY_MS = 1_000;

/** Long-polls for tasks, so that a new task arrives immediately. */
export class TaskWait {
  constructor(
    private readonly request: TaskRequest,
    private readonly log: Log,
    private readonly intervalMs: number,
  ) {}

  /** Runs until stopped. @param take starts a task */
  async run(take: (task: Record<string, unknown>) => Promise<void>, stop: AbortSignal): Promise<void> {
    let [failures, early] = [0, 0];
    while (!stop.aborted) {
      const began = Date.now();
      let pause = 0;
      try {
        const task = await this.request.next(stop, WAIT_SECONDS);
        failures = 0;
        early = task || Date.now() - began >= SOON_MS ? 0 : early + 1;
        if (task) await take(task);
        else if (early > 0) pause = Math.min(this.intervalMs, RETRY_MS * 2 ** Math.min(early - 1, 10));
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        pause = Math.max(backoffMs(failures, this.intervalMs), error instanceof PanelError ? error.retryAfterSeconds * 1_000 : 0);
        this.log.warning(`pull_task: ${messageOf(error)}`, { failures, next_try_seconds: Math.round(pause / 1_000) });
      }
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
