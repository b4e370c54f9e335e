import { Injectable } from '@nestjs/common';

import { SuccessReply, NoInput, Operation, ListReply, RawReply } from '../../operations/index.js';
import { AgentError } from '../agent-error.js';
import { AgentList, AgentsService } from '../registry/index.js';
import { ScanList } from '../scans/index.js';
import { TaskList, TaskQueue } from '../tasks/index.js';

import { AgentInput, TaskListInput } from './node-inputs.js';

/** The administrators' operations on tasks of agents. Source: docs/panel-api.md "Agents". */
@Injectable()
export class AgentTaskOperations {
  constructor(
    private readonly agents: AgentsService,
    private readonly agentList: AgentList,
    private readonly tasks: TaskQueue,
    private readonly taskList: TaskList,
    private readonly scanList: ScanList,
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
  @Operation({ side: 'admin', gn: 'listnodetask', auth: 'admin', input: TaskListInput, audit: null, rate: 'read', numericCode: true })
  async listTasks({ node_pk, status, action, ...query }: TaskListInput): Promise<ListReply> {
    const nodeId = node_pk === undefined ? undefined : (await this.agents.get(node_pk)).nodeId;
    const { total, rows } = await this.taskList.page(query, { nodeId, status, action });
    return new ListReply(total, rows as Record<string, unknown>[]);
  }
}
