import { messageOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Task } from '../state/state-store.js';
import type { PanelClient } from './panel-client.js';

/** Tells the panel that tasks are still worked on, so that it does not give them to somebody else. */
export class Leases {
  private canExtend = true;

  constructor(
    private readonly client: PanelClient,
    private readonly log: Log,
    private readonly stop: AbortSignal,
    private readonly everyMs: number,
  ) {}

  /** Extends them now and then. @param tasks those under way at the moment @returns what ends it */
  hold(tasks: () => readonly Task[]): () => void {
    // A panel that answers late is not asked again meanwhile.
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
        this.log.warning(`The panel does not extend the lease: ${answer.message}`, { task: task_id });
      } catch (error) {
        if (!this.stop.aborted) this.log.warning(`extend_lease: ${messageOf(error)}`, { task: task_id });
      }
    }
  }
}
