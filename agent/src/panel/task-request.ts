import type { PullTaskRequest } from '../../../src/agents/wire/node-api.js';
import { asRecord } from '../record.js';
import type { PanelClient } from './panel-client.js';
import { accepted } from './refusals.js';

/**
 * Asks for tasks. The first request that is answered names what this agent still has of what it was given before its start: the rest was
 * lost with the process that had it, and the panel puts it back, or gives it up, at once. Until then there is one request at a time, which
 * does not wait: what one of two is given would be missing from what the other names.
 */
export class TaskRequest {
  private first: Promise<Record<string, unknown> | null> | null = null;
  private isAnswered = false;

  /** @param held ids of the tasks that are queued here or whose report waits */
  constructor(
    private readonly client: PanelClient,
    private readonly held: () => Promise<string[]>,
  ) {}

  /** @param wait seconds the panel is asked to wait for one @returns null where there is none @throws PanelError */
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
