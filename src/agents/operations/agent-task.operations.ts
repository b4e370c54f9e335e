import { Injectable } from '@nestjs/common';

import { SuccessReply, NoInput, Operation, ListReply, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AgentError } from '../agent-error.js';
import { AgentList, AgentsService } from '../registry/index.js';
import { ScanList } from '../scans/index.js';
import { TaskActions } from '../task-actions/index.js';
import { translateTaskError, type TaskLine, TaskList, TaskQueue } from '../tasks/index.js';

import { AgentInput, AgentTaskInput, AgentTaskListInput } from './node-inputs.js';

/** Administrators' operations on tasks of agents. Source: docs/panel-api.md "Agents". */
@Injectable()
export class AgentTaskOperations {
  constructor(
    private readonly agents: AgentsService,
    private readonly agentList: AgentList,
    private readonly tasks: TaskQueue,
    private readonly taskList: TaskList,
    private readonly scanList: ScanList,
    private readonly actions: TaskActions,
  ) {}

  /** @throws AgentError NODE_NOT_FOUND, NODE_DISABLED */
  @Operation({
    side: 'admin',
    gn: 'nodeping',
    auth: 'admin',
    input: AgentInput,
    audit: 'node.audit_ping',
    rate: 'write',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
  })
  async ping({ id }: AgentInput): Promise<SuccessReply> {
    const node = await this.agents.get(id);
    if (!node.enabled) throw new AgentError('NODE_DISABLED');
    const [taskId] = await this.tasks.add([node.nodeId], 'ping', {});
    return new SuccessReply('node.ping_sent', { task_id: taskId! });
  }

  @Operation({ side: 'admin', gn: 'nodestats', auth: 'admin', input: NoInput, audit: null, rate: 'read', numericCode: true })
  async stats(): Promise<RawReply> {
    const [numbers, matches, pending] = await Promise.all([
      this.agentList.numbers(),
      this.scanList.matchesToday(),
      this.taskList.pending(),
    ]);
    const data = { ...numbers, today_matches: matches, pending_tasks: pending };
    return new RawReply({ ...data, success: true, qk: 1, code: 1, msg: 'ok', data });
  }

  /** @throws AgentError NODE_NOT_FOUND */
  @Operation({ side: 'admin', gn: 'listnodetask', auth: 'admin', input: AgentTaskListInput, audit: null, rate: 'read', numericCode: true })
  async listTasks({ node_pk, status, action, ...query }: AgentTaskListInput, { locale }: CallContext): Promise<ListReply> {
    const nodeId = node_pk === undefined ? undefined : (await this.agents.get(node_pk)).nodeId;
    const { total, rows } = await this.taskList.page(query, { nodeId, status, action });
    return new ListReply(
      total,
      rows.map((row) => translatedLine(locale, row)),
    );
  }

  /** Returns one task with payload and result; rows contain no secrets. @throws AgentError TASK_MISSING */
  @Operation({ side: 'admin', gn: 'nodetasksj', auth: 'admin', input: AgentTaskInput, audit: null, rate: 'read', numericCode: true })
  async show({ task_id }: AgentTaskInput, { locale }: CallContext): Promise<SuccessReply> {
    const task = await this.taskList.find(task_id);
    if (!task) throw new AgentError('TASK_MISSING');
    return new SuccessReply('node.read', translatedLine(locale, task));
  }

  /** @throws AgentError TASK_MISSING, TASK_NOT_AGAIN, TASK_NOT_FAILED, NODE_DISABLED */
  @Operation({
    side: 'admin',
    gn: 'nodetaskcx',
    auth: 'admin',
    input: AgentTaskInput,
    audit: 'node.audit_task_again',
    rate: 'write',
    numericCode: true,
  })
  async repeat({ task_id }: AgentTaskInput): Promise<SuccessReply> {
    const { action, nodeId } = await this.actions.repeat(task_id);
    return new SuccessReply('node.task_sent_again', { task_id }, { action, node_id: nodeId });
  }

  /** @throws AgentError TASK_MISSING, TASK_NOT_WAITING */
  @Operation({
    side: 'admin',
    gn: 'nodetaskqx',
    auth: 'admin',
    input: AgentTaskInput,
    audit: 'node.audit_task_cancel',
    rate: 'write',
    numericCode: true,
  })
  async cancel({ task_id }: AgentTaskInput): Promise<SuccessReply> {
    const { action, nodeId } = await this.actions.cancel(task_id);
    return new SuccessReply('node.task_was_cancelled', { task_id }, { action, node_id: nodeId });
  }
}

/** Translates the error of a task, also where the result of a scan repeats it. */
function translatedLine(locale: string, row: TaskLine): Record<string, unknown> {
  const error = translateTaskError(locale, row);
  const isScan = row.action === 'forbidden_scan';
  return {
    ...row,
    error,
    ...(isScan ? { result_text: row.result_text.replace(JSON.stringify(row.error), () => JSON.stringify(error)) } : {}),
  };
}
