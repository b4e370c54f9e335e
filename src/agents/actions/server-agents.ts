import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { ONLINE_MS, SITES_CAPABILITY } from '../wire/index.js';

/** The agent of a server, or why none is usable. */
export type ServerAgent = { readonly nodeId: string } | { readonly lacks: 'agent' | 'heartbeat' | 'permission' };

interface AgentRow {
  readonly nodeId: string;
  readonly capabilities: string;
  readonly lastHeartbeatAt: string | null;
}

/** Finds the agent of a server: among several with hosting, the one with the latest heartbeat. */
@Injectable()
export class ServerAgents {
  private readonly find;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.find = database.statement<AgentRow>(
      `SELECT a.{AgentNode.nodeId} AS nodeId, a.{AgentNode.capabilities} AS capabilities, a.{AgentNode.lastHeartbeatAt} AS lastHeartbeatAt
       FROM {AgentNode} a JOIN {HostingNode} b ON b.{HostingNode.id} = a.{AgentNode.hostingNodeId}
       WHERE b.{HostingNode.code} = ? AND a.{AgentNode.enabled} = 1 ORDER BY a.{AgentNode.lastHeartbeatAt} DESC, a.{AgentNode.id} DESC
       LIMIT 20`,
    );
  }

  /** @param code of the server @param node id of a specific agent; chosen automatically if omitted */
  async of(code: string, node?: string): Promise<ServerAgent> {
    const agents = (await this.find.all(code)).filter(({ nodeId }) => node === undefined || nodeId === node);
    const connected = agents.filter(({ lastHeartbeatAt }) => lastHeartbeatAt !== null);
    if (connected.length === 0) return { lacks: 'agent' };
    const able = connected.find(({ capabilities }) => (JSON.parse(capabilities) as string[]).includes(SITES_CAPABILITY));
    if (!able) return { lacks: 'permission' };
    const isOnline = fromSqlTime(able.lastHeartbeatAt!).getTime() >= this.clock.now().getTime() - ONLINE_MS;
    return isOnline ? { nodeId: able.nodeId } : { lacks: 'heartbeat' };
  }
}
