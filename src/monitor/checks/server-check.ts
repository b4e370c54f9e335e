import { Injectable } from '@nestjs/common';

import { AgentNode, ONLINE_MS } from '../../agents/index.js';
import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { MonitorTask } from '../entities/index.js';

import type { CheckKind } from './check-kind.js';
import { failed, passed, unknown, type CheckOutcome } from './outcome.js';

/** Values of a server that can be monitored, as reported by its agent. */
export const SERVER_RESOURCES = ['heartbeat', 'load', 'disk'] as const;

/** Checks a server's heartbeat, load or disk usage as reported by its agent. */
@Injectable()
export class ServerCheck implements CheckKind {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async check({ url, resource, resourceThreshold }: MonitorTask): Promise<CheckOutcome> {
    const agent = await this.database.repository(AgentNode).findOneBy({ nodeId: url });
    if (!agent) return failed({ key: 'monitor.problem.no_agent' });
    if (!agent.enabled) return failed({ key: 'monitor.problem.agent_disabled' });
    const lastHeartbeat = agent.lastHeartbeatAt?.getTime() ?? 0;
    const silent = Math.round((this.clock.now().getTime() - lastHeartbeat) / 1_000);
    if (lastHeartbeat === 0) return failed({ key: 'monitor.problem.agent_never' });
    if (silent * 1_000 > ONLINE_MS) return failed({ key: 'monitor.problem.agent_silent', params: { seconds: silent } });
    if (resource === 'disk') return diskOutcome(agent.disks, resourceThreshold);
    if (resource !== 'load') return passed(null);
    if (agent.load === null) return failed({ key: 'monitor.problem.no_load' });
    const load = Math.round(agent.load * 100) / 100;
    return load <= resourceThreshold
      ? passed(null, Math.round(load))
      : failed({ key: 'monitor.problem.load', params: { load, threshold: resourceThreshold } }, null, Math.round(load));
  }
}

/** The fullest disk decides; the message lists all disks above the threshold. */
function diskOutcome(disks: AgentNode['disks'], threshold: number): CheckOutcome {
  if (!disks) return unknown({ key: 'monitor.problem.no_disks' }, 'quiet');
  const fullest = Math.round(Math.max(...disks.map(({ percent }) => percent)));
  const shown = disks.map(({ mount, percent }) => `${mount} ${percent}%`).join('\n');
  const above = disks.filter(({ percent }) => percent > threshold).map(({ mount, percent }) => `${mount} ${percent}%`);
  if (above.length === 0) return passed(null, fullest, shown);
  return failed({ key: 'monitor.problem.disk', params: { disks: above.join(', '), threshold } }, null, fullest, shown);
}
