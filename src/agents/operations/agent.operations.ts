import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { MINUTE_MS, legacyTime } from '../../common/index.js';
import { BaseUrl, ZonedClock } from '../../config/index.js';
import { SuccessReply, Operation, ListReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type AgentAddress, agentConfig, AgentList, AgentsService } from '../registry/index.js';

import { AddAgentInput, AgentConfigInput, AgentInput, AgentListInput, AgentStatusInput, RotateInput } from './node-inputs.js';

/** Administrators' operations on agents. Source: docs/panel-api.md "Agents". */
@Injectable()
export class AgentOperations {
  constructor(
    private readonly agents: AgentsService,
    private readonly agentList: AgentList,
    private readonly baseUrl: BaseUrl,
    private readonly clock: ZonedClock,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'listnode',
    auth: 'admin',
    input: AgentListInput,
    audit: null,
    rate: 'read',
    numericCode: true,
    servers: 'listed',
  })
  async list({ keyword, status, ...query }: AgentListInput, { admin }: CallContext): Promise<ListReply> {
    const { total, rows } = await this.agentList.page(query, {
      keyword,
      enabled: status && status === 'enabled',
      servers: accessOf(admin).servers,
    });
    return new ListReply(total, rows);
  }

  /** The only response that contains the secrets. @throws AgentError */
  @Operation({
    side: 'admin',
    gn: 'addnode',
    auth: 'admin',
    input: AddAgentInput,
    audit: 'node.audit_add',
    rate: 'write',
    numericCode: true,
    servers: { of: 'server', field: 'bt_id' },
    secondProof: true,
  })
  async add(input: AddAgentInput): Promise<SuccessReply> {
    const node = await this.agents.add({ hostingNodeId: input.bt_id, name: input.node_name, nodeId: input.node_id });
    return new SuccessReply('node.added', { id: node.id, node_id: node.nodeId, ...agentConfig(node, node, this.addressOf(input)) });
  }

  /** @throws AgentError NODE_NOT_FOUND */
  @Operation({
    side: 'admin',
    gn: 'delnode',
    auth: 'admin',
    input: AgentInput,
    audit: 'node.audit_delete',
    rate: 'write',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
  })
  async delete({ id }: AgentInput): Promise<SuccessReply> {
    await this.agents.delete(id);
    return new SuccessReply('node.deleted');
  }

  /** @throws AgentError NODE_NOT_FOUND */
  @Operation({
    side: 'admin',
    gn: 'setnodestatus',
    auth: 'admin',
    input: AgentStatusInput,
    audit: 'node.audit_status',
    rate: 'write',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
  })
  async setEnabled({ id, enabled }: AgentStatusInput): Promise<SuccessReply> {
    await this.agents.setEnabled(id, enabled);
    return new SuccessReply(enabled ? 'node.enabled' : 'node.disabled');
  }

  /** Returns the configuration without secrets; lost secrets are replaced with `nodemycz`. @throws AgentError NODE_NOT_FOUND */
  @Operation({
    side: 'admin',
    gn: 'nodeconfig',
    auth: 'admin',
    input: AgentConfigInput,
    audit: null,
    rate: 'read',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
  })
  async showConfig(input: AgentConfigInput): Promise<SuccessReply> {
    return new SuccessReply('node.read', agentConfig(await this.agents.get(input.id), null, this.addressOf(input)));
  }

  /** Creates new secrets, shown once. @throws AgentError NODE_NOT_FOUND, NODE_CHANGED */
  @Operation({
    side: 'admin',
    gn: 'nodemycz',
    auth: 'admin',
    input: RotateInput,
    audit: 'node.audit_rotate',
    rate: 'write',
    numericCode: true,
    servers: { of: 'agent', field: 'id' },
    secondProof: true,
  })
  async rotate(input: RotateInput): Promise<SuccessReply> {
    const { node, secrets } = await this.agents.rotate(input.id, input.minutes);
    const until = new Date(this.clock.now().getTime() + input.minutes * MINUTE_MS);
    const extras = {
      id: node.id,
      node_id: node.nodeId,
      ...agentConfig(node, secrets, this.addressOf(input)),
      old_valid_until: legacyTime(until, this.clock.timezone),
    };
    return new SuccessReply('node.rotated', extras, { n: input.minutes });
  }

  private addressOf(input: { svc_url?: string; mnbt_url?: string; interval_seconds: number }): AgentAddress {
    return {
      url: (input.svc_url ?? input.mnbt_url ?? this.baseUrl.current()).replace(/\/+$/, ''),
      intervalSeconds: input.interval_seconds,
    };
  }
}
