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
 * Kinds of tasks that can be repeated because the task row is self-contained. Server actions are repeated by their caller, with secrets
 * that are not stored, and quarantined files have their own state.
 */
const REPEATABLE: readonly string[] = ['ping', 'forbidden_scan'];

/** Whether a failed task of this kind can be repeated. */
export function isRepeatable(action: string): boolean {
  return REPEATABLE.includes(action);
}

/** Administrators' actions on single tasks. Each is one conditional update, so that of two concurrent calls one gets an error. */
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

  /** Repeats a failed task. @throws AgentError TASK_MISSING, TASK_NOT_AGAIN, TASK_NOT_FAILED, NODE_DISABLED */
  async repeat(taskId: string): Promise<NodeTask> {
    const task = await this.find(taskId);
    if (!isRepeatable(task.action)) throw new AgentError('TASK_NOT_AGAIN');
    const node = await this.database.repository(AgentNode).findOneBy({ nodeId: task.nodeId });
    if (!node?.enabled) throw new AgentError('NODE_DISABLED');
    if ((await this.repeatRow.run(task.id)).affected === 0) throw new AgentError('TASK_NOT_FAILED');
    this.signals.added([task.nodeId]);
    return task;
  }

  /** Cancels a task its agent has not pulled. @throws AgentError TASK_MISSING, TASK_NOT_WAITING */
  async cancel(taskId: string): Promise<NodeTask> {
    const task = await this.find(taskId);
    if (isAction(task.action)) {
      if ((await this.actions.cancelPending(taskId)) === false) throw new AgentError('TASK_NOT_WAITING');
      return task;
    }
    await this.database.transaction(async () => {
      const { affected } = await this.cancelRow.run(translate(DEFAULT_LOCALE, 'node.task_cancelled'), this.clock.now(), task.id);
      if (affected === 0) throw new AgentError('TASK_NOT_WAITING');
      await this.quarantine.applyTaskEnd(taskId);
    });
    return task;
  }

  private async find(taskId: string): Promise<NodeTask> {
    const task = await this.database.repository(NodeTask).findOneBy({ taskId });
    if (!task) throw new AgentError('TASK_MISSING');
    return task;
  }
}
