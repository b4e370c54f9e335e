import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { type ServerLoad, ServerLoads } from '../hosting/index.js';

import { AgentNode } from './entities/index.js';
import { ONLINE_MS } from './wire/index.js';

/** Provides the load of servers from the last heartbeats of their agents. */
@Injectable()
export class AgentLoads {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    loads: ServerLoads,
  ) {
    loads.add((nodes) => this.of(nodes.map(({ id }) => id)));
  }

  /** If a server has several agents, the latest heartbeat wins. */
  private async of(ids: readonly number[]): Promise<Map<number, ServerLoad>> {
    const agents = await this.database.repository(AgentNode).find({
      where: { hostingNodeId: In([...ids]), enabled: true },
      order: { lastHeartbeatAt: 'ASC', id: 'ASC' },
      take: 1_000,
    });
    const connected = agents.filter(({ lastHeartbeatAt }) => lastHeartbeatAt !== null);
    return new Map(connected.map((agent) => [agent.hostingNodeId!, this.loadOf(agent)]));
  }

  private loadOf({ load, disks, lastHeartbeatAt }: AgentNode): ServerLoad {
    const percents = (disks ?? []).map(({ percent }) => percent);
    const isOnline = lastHeartbeatAt!.getTime() >= this.clock.now().getTime() - ONLINE_MS;
    return { load, diskPercent: percents.length > 0 ? Math.max(...percents) : null, isOnline };
  }
}
