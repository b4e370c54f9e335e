import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Task } from '../state/state-store.js';
import type { PanelClient } from './panel-client.js';

/** Renews the leases of running tasks, so that the panel does not assign them again. */
export class Leases {
  private canExtend = true;

  constructor(
    private readonly client: PanelClient,
    private readonly log: Log,
    private readonly stop: AbortSignal,
    private readonly everyMs: number,
  ) {}

  /** Renews leases periodically. @param tasks returns the currently running tasks @returns a function that stops it */
  hold(tasks: () => readonly Task[]): () => void {
    // Skipped while the previous request is still pending.
    let asking: Promise<void> | null = null;
    const timer = setInterval(() => void (asking ??= this.extend(tasks()).finally(() => (asking = null))), this.everyMs);
    return () => clearInterval(timer);
  }

  private async extend(tasks: readonly Task[]) {
    if (!this.canExtend) return;
    for (const { task_id } of tasks) {
      try {
        const answer = await this.client.call('extend_lease', { task_id }, this.stop);
        if (answer.success) continue;
        if (answer.message.includes('unknown action')) {
          this.canExtend = false;
          return;
        }
        this.log.warning(`The panel did not renew the lease: ${answer.message}`, { task: task_id });
      } catch (error) {
        if (!this.stop.aborted) this.log.warning(`extend_lease: ${messageOf(error)}`, { task: task_id });
      }
    }
  }
}
