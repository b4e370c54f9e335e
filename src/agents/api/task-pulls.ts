import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { Quiet } from '../../jobs/index.js';
import type { NodeConnection, NodeIdentity } from '../access/index.js';
import { ActionTasks } from '../actions/index.js';
import { TaskQueue, TaskSignals } from '../tasks/index.js';
import { LEASE_SECONDS, type PulledTask, type PullTaskData, type PullTaskRequest } from '../wire/index.js';

const log = loggerFor('node-api');

/** Maximum long-polling time in seconds, below the timeout of most proxies. */
const MAX_WAIT = 25;

/** Delivers tasks to agents, with optional long polling. */
@Injectable()
export class TaskPulls {
  constructor(
    private readonly tasks: TaskQueue,
    private readonly actions: ActionTasks,
    private readonly signals: TaskSignals,
    private readonly quiet: Quiet,
  ) {}

  async pull(
    node: NodeIdentity,
    { wait, held }: Readonly<Partial<Record<keyof PullTaskRequest, unknown>>>,
    connection: NodeConnection,
  ): Promise<PullTaskData> {
    const until = performance.now() + (typeof wait === 'number' && wait > 0 ? Math.min(wait, MAX_WAIT) * 1_000 : 0);
    if (Array.isArray(held)) await this.tasks.endLeases(node.nodeId, new Set<unknown>(held));
    let end = (): void => undefined;
    if (until > performance.now()) connection.onGone(() => end());
    for (;;) {
      const task = await this.next(node, connection);
      const left = until - performance.now();
      if (task || left <= 0 || this.quiet.active || connection.isGone()) return { task };
      if (!(await this.signals.waitForTask(node.nodeId, left, (ends) => (end = ends)))) return { task: null };
    }
  }

  private async next(node: NodeIdentity, connection: NodeConnection): Promise<PulledTask | null> {
    // After a restore the panel may not know what the server has done since, so no task is delivered before an administrator has reviewed
    // it.
    const task = this.quiet.active ? null : await this.tasks.claim(node.nodeId);
    if (!task) return null;
    if (connection.isGone()) {
      await this.tasks.giveBack(task);
      return null;
    }
    log.info({ node: node.nodeId, task: task.taskId, action: task.action, attempt: task.attempt }, 'a task was pulled');
    return {
      task_id: task.taskId,
      action: task.action,
      payload: this.actions.payloadFor(task, node),
      attempt: task.attempt,
      lease_seconds: LEASE_SECONDS,
    };
  }
}
