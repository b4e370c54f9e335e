import type { PullTaskRequest } from '../../../src/agents/wire/node-api.js';
import { asRecord } from '../record.js';
import type { PanelClient } from './panel-client.js';
import { accepted } from './refusals.js';

/**
 * Requests tasks. The first successful request lists the tasks this agent still holds from before its start, so that the panel immediately
 * requeues or fails the ones lost with the old process. Until then requests are sent one at a time and without long polling: a task
 * received by a parallel request would be missing from the list.
 */
export class TaskRequest {
  private first: Promise<Record<string, unknown> | null> | null = null;
  private isAnswered = false;

  /** @param held returns the ids of tasks that are queued or have an unsent report */
  constructor(
    private readonly client: PanelClient,
    private readonly held: () => Promise<string[]>,
  ) {}

  /**
   * Requests the next task. @param wait long-polling time in seconds @returns null if there is none @throws PanelError
   * @param wait seconds the panel is asked to wait for one @returns null where there is none @throws PanelError
   */
  async next(stop: AbortSignal, wait = 0): Promise<Record<string, unknown> | null> {
    while (this.first) await this.first.catch(() => undefined);
    if (this.isAnswered) return this.ask(wait > 0 ? { wait } : {}, stop, wait);
    this.first = this.held().then((held) => this.ask({ held }, stop));
    try {
      const task = await this.first;
      this.isAnswered = true;
      return task;
    } finally {
      this.first = null;
    }
  }

  private async ask(body: PullTaskRequest, stop: AbortSignal, wait = 0): Promise<Record<string, unknown> | null> {
    const answer = accepted(await this.client.call('pull_task', body, stop, wait * 1_000), this.client);
    return asRecord(answer.field('task'));
  }
}
