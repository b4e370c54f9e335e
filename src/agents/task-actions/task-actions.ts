import { Injectable } from '@nestjs/common';

import { Clock, DEFAULT_LOCALE, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { ActionTasks } from '../actions/index.js';
import { AgentError } from '../agent-error.js';
import { AgentNode, NodeTask } from '../entities/index.js';
import { QuarantineEnds } from '../scans/index.js';
import { TaskSignals } from '../tasks/index.js';
import { isAction } from '../wire/index.js';

/**
 * Kinds of tasks that may be sent again: what they are about is in the task alone. Whoever asked a server for an action asks again by
 * himself, with secrets no row keeps, and files in quarantine have a state of their own.
 */
const REPEATABLE: readonly string[] = ['ping', 'forbidden_scan'];

/** Whether a task of this kind may be sent again once it has failed. */
export function isRepeatable(action: string): boolean {
  return REPEATABLE.includes(action);
}

/** What administrators do with single tasks. Each is one conditional update: of two who do it at once, one is told that it is done. */
@Injectable()
export class TaskActions {
  private readonly repeatRow;
  private readonly cancelRow;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly signals: TaskSignals,
    private readonly actions: ActionTasks,
    private readonly quarantine: QuarantineEnds,
  ) {
    this.repeatRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'pending', {NodeTask.result} = NULL, {NodeTask.error} = NULL, {NodeTask.finishedAt} = NULL,
        {NodeTask.leaseUntil} = NULL, {NodeTask.pulledAt} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.status} = 'failed' AND {NodeTask.deadline} IS NULL`,
    );
    this.cancelRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'failed', {NodeTask.error} = ?, {NodeTask.finishedAt} = ?
       WHERE {NodeTask.id} = ? AND {NodeTask.status} = 'pending'`,
    );
  }

  /** Sends a task once more that has failed. @throws AgentError TASK_MISSING, TASK_NOT_AGAIN, TASK_NOT_FAILED, NODE_DISABLED */
  async repeat(taskId: string): Promise<NodeTask> {
    const task = await this.find(taskId);
    if (!isRepeatable(task.action)) throw new AgentError('TASK_NOT_AGAIN');
    const node = await this.database.repository(AgentNode).findOneBy({ nodeId: task.nodeId });
    if (!node?.enabled) throw new AgentError('NODE_DISABLED');
    if ((await this.repeatRow.run(task.id)).affected === 0) throw new AgentError('TASK_NOT_FAILED');
    this.signals.added([task.nodeId]);
    return task;
  }

  /** Ends a task its agent has not come for. @throws AgentError TASK_MISSING, TASK_NOT_WAITING */
  async cancel(taskId: string): Promise<NodeTask> {
    const task = await this.find(taskId);
    if (isAction(task.action)) {
      if ((await this.actions.giveUpWaiting(taskId)) === false) throw new AgentError('TASK_NOT_WAITING');
      return task;
    }
    await this.database.transaction(async () => {
      const { affected } = await this.cancelRow.run(translate(DEFAULT_LOCALE, 'node.task_cancelled'), this.clock.now(), task.id);
      if (affected === 0) throw new AgentError('TASK_NOT_WAITING');
      await this.quarantine.follow(taskId);
    });
    return task;
  }

  private async find(taskId: string): Promise<NodeTask> {
    const task = await this.database.repository(NodeTask).findOneBy({ taskId });
    if (!task) throw new AgentError('TASK_MISSING');
    return task;
  }
}
