import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { NodeIdentity } from '../access/index.js';
import { type ClaimedAgentTask, TaskSignals } from '../tasks/index.js';
import { actionOf, type ActionName, type ActionPayload, isAction, MAX_ACTION_BYTES, sealSecrets, type SiteRef } from '../wire/index.js';

const SEALED = 'node_task.secrets';

/** An action to be queued. */
export interface AskedAction {
  readonly nodeId: string;
  readonly action: ActionName;
  readonly site: SiteRef | null;
  readonly args: Readonly<Record<string, unknown>>;
  /** Description of the request body, if the action has one. */
  readonly body: ActionPayload['body'];
}

/** State of an action's task. */
export interface EndedAction {
  readonly status: string;
  /** JSON text. */
  readonly result: string | null;
  readonly error: string | null;
  /** How often an agent has pulled it. */
  readonly attempts: number;
}

/**
 * Task rows of actions: queued, pulled once, cancelled. Their secrets are encrypted in the row and sealed to the node when it pulls the
 * task.
 */
@Injectable()
export class ActionTasks {
  private readonly insert;
  private readonly find;
  private readonly endWaiting;
  private readonly endRunning;
  private readonly takeBody;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly signals: TaskSignals,
  ) {
    this.insert = database.statement(
      `INSERT INTO {NodeTask} ({NodeTask.taskId}, {NodeTask.nodeId}, {NodeTask.action}, {NodeTask.payload}, {NodeTask.status},
        {NodeTask.createdAt},
        {NodeTask.deadline}, {NodeTask.sealed}, {NodeTask.bodyState}) VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?)`,
    );
    this.find = database.statement<EndedAction>(
      `SELECT {NodeTask.status} AS status, {NodeTask.result} AS result, {NodeTask.error} AS error, {NodeTask.attempts} AS attempts
       FROM {NodeTask} WHERE {NodeTask.taskId} = ?`,
    );
    const giveUp = `UPDATE {NodeTask} SET {NodeTask.status} = 'expired', {NodeTask.finishedAt} = ?, {NodeTask.leaseUntil} = NULL,
      {NodeTask.sealed} = NULL
       WHERE {NodeTask.taskId} = ? AND {NodeTask.status} =`;
    this.endWaiting = database.statement(`${giveUp} 'pending'`);
    this.endRunning = database.statement(`${giveUp} 'running'`);
    this.takeBody = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.bodyState} = ? WHERE {NodeTask.taskId} = ? AND {NodeTask.nodeId} = ? AND {NodeTask.attempts} = ?
        AND {NodeTask.status} = 'running' AND {NodeTask.bodyState} = 'open' AND {NodeTask.deadline} > ?`,
    );
  }

  /** Returns an id for a new task. */
  newId(): string {
    return `act_${randomBytes(12).toString('hex')}`;
  }

  /** @throws Error if the arguments are too long for a task */
  async add(taskId: string, { nodeId, action, site, args, body }: AskedAction): Promise<void> {
    const traits = actionOf(action);
    const open = Object.fromEntries(Object.entries(args).filter(([key]) => !traits.secrets.includes(key)));
    const secret = Object.fromEntries(Object.entries(args).filter(([key]) => traits.secrets.includes(key)));
    const payload = JSON.stringify({ site, args: open, body });
    if (Buffer.byteLength(payload) > MAX_ACTION_BYTES) throw new Error(`The arguments of ${action} are too large for a task.`);
    const sealed = traits.secrets.length === 0 ? null : this.secrets.seal(JSON.stringify(secret), SEALED);
    const now = this.clock.now();
    const deadline = new Date(now.getTime() + traits.seconds * 1_000);
    await this.insert.run(taskId, nodeId, action, payload, now, deadline, sealed, traits.body ? 'open' : '');
    this.signals.added([nodeId]);
  }

  /** Returns the payload of a claimed task for the agent, with secrets sealed to the node. */
  payloadFor(task: ClaimedAgentTask, node: NodeIdentity): Record<string, unknown> {
    if (!isAction(task.action) || task.deadline === null) return task.payload;
    const { site = null, args = {}, body = null } = task.payload as Partial<ActionPayload>;
    const secrets = task.sealed === null ? null : this.secrets.open(task.sealed, SEALED);
    const sealed =
      secrets === null
        ? null
        : sealSecrets(JSON.parse(secrets) as Record<string, unknown>, {
            nodeId: node.nodeId,
            nodeSecret: node.secret,
            taskId: task.taskId,
            action: task.action,
          });
    const left = Math.max(0, task.deadline.getTime() - this.clock.now().getTime());
    return { site, args, sealed, left, body } satisfies ActionPayload;
  }

  /** Returns the state of a task. */
  state(taskId: string): Promise<EndedAction | undefined> {
    return this.find.get(taskId);
  }

  /** Cancels a task the caller no longer waits for. @returns whether it was never pulled, was running, or had ended */
  async cancel(taskId: string): Promise<'waiting' | 'running' | 'ended'> {
    if (await this.cancelPending(taskId)) return 'waiting';
    return (await this.endRunning.run(this.clock.now(), taskId)).affected === 1 ? 'running' : 'ended';
  }

  /** Cancels a task that was not pulled; its waiting caller learns that it was not done. @returns false if it was pulled */
  async cancelPending(taskId: string): Promise<boolean> {
    const { affected } = await this.endWaiting.run(this.clock.now(), taskId);
    if (affected === 1) this.signals.changed(taskId);
    return affected === 1;
  }

  /** Claims the single transfer of a task's body. @param way `taken`: the caller is in this process; `relayed`: in another one */
  async claimBody(taskId: string, nodeId: string, attempt: number, way: 'taken' | 'relayed'): Promise<boolean> {
    const { affected } = await this.takeBody.run(way, taskId, nodeId, attempt, this.clock.now());
    if (affected === 1) this.signals.changed(taskId);
    return affected === 1;
  }
}
