import type { PullTaskRequest } from '../../../src/agents/wire/node-api.js';
import { asRecord } from '../record.js';
import type { PanelClient } from './panel-client.js';
import { accepted } from './refusals.js';

/**
 * Asks for tasks. Until the panel has answered once, every request names what this agent still has of what it was given before its start:
 * the rest was lost with the process that had it, and the panel settles it at once.
 */
export class TaskRequest {
  private isAnswered = false;

  /** @param held ids of the tasks that are queued here or whose report waits */
  constructor(
    private readonly client: PanelClient,
    private readonly held: () => Promise<string[]>,
  ) {}

  /** @param wait seconds the panel is asked to wait for one @returns null where there is none @throws PanelError */
  async next(stop: AbortSignal, wait = 0): Promise<Record<string, unknown> | null> {
    const body: PullTaskRequest = { ...(wait > 0 ? { wait } : {}), ...(this.isAnswered ? {} : { held: await this.held() }) };
    const answer = accepted(await this.client.call('pull_task', body, stop, wait * 1_000), this.client);
    this.isAnswered = true;
    return asRecord(answer.field('task'));
  }
}
