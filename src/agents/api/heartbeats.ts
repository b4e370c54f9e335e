import { Injectable } from '@nestjs/common';

import { Clock, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { NodeIdentity } from '../access/index.js';
import { NodeApiError } from '../node-api-error.js';
import { clip, type HeartbeatData, type HeartbeatRequest } from '../wire/index.js';

const LENGTHS = { status: 20, name: 100, version: 30, capability: 50, ip: 64 } as const;
const MAX_CAPABILITIES = 32;
const MAX_LOAD = 1_000_000;

/** Takes heartbeats: the request every agent sends every few seconds, so it is one write and nothing else. */
@Injectable()
export class Heartbeats {
  private readonly beat;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    // What this agent does not tell stays as it is.
    this.beat = database.statement(
      `UPDATE {AgentNode} SET {AgentNode.lastHeartbeatAt} = ?, {AgentNode.status} = ?, {AgentNode.ip} = ?, {AgentNode.load} = COALESCE(?, {AgentNode.load}),
        {AgentNode.name} = COALESCE(?, {AgentNode.name}), {AgentNode.version} = COALESCE(?, {AgentNode.version}),
        {AgentNode.capabilities} = COALESCE(?, {AgentNode.capabilities})
       WHERE {AgentNode.id} = ? AND {AgentNode.enabled} = 1`,
    );
  }

  /** @throws NodeApiError NODE_UNKNOWN when the node was deleted or switched off just now */
  async take(node: NodeIdentity, body: Readonly<Partial<Record<keyof HeartbeatRequest, unknown>>>, ip: string): Promise<HeartbeatData> {
    const now = this.clock.now();
    const { affected } = await this.beat.run(
      now,
      clip(body.status, LENGTHS.status) || 'online',
      clip(ip, LENGTHS.ip),
      loadOf(body.load),
      clip(body.node_name, LENGTHS.name) || null,
      clip(body.version, LENGTHS.version) || null,
      capabilitiesOf(body.capabilities),
      node.id,
    );
    if (affected === 0) throw new NodeApiError('NODE_UNKNOWN');
    return { server_time: legacyTime(now, this.config.timezone), timestamp: Math.floor(now.getTime() / 1_000) };
  }
}

function loadOf(value: unknown): number | null {
  if (value === null || value === '' || (typeof value !== 'number' && typeof value !== 'string')) return null;
  const load = Number(value);
  return load >= 0 && load <= MAX_LOAD ? load : null;
}

function capabilitiesOf(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  return JSON.stringify(
    (value as unknown[])
      .slice(0, MAX_CAPABILITIES)
      .map((name) => clip(name, LENGTHS.capability))
      .filter(Boolean),
  );
}
