import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { NodeIdentity } from '../access/index.js';
import { NodeApiError } from '../node-api-error.js';
import { clip, type DiskUse, type HeartbeatData, type HeartbeatRequest } from '../wire/index.js';

const LENGTHS = { status: 20, name: 100, version: 30, capability: 50, ip: 64, mount: 100 } as const;
const MAX_CAPABILITIES = 32;
const MAX_DISKS = 32;
const MAX_LOAD = 1_000_000;

/** Stores heartbeats. Every agent sends one every few seconds, so this is a single write. */
@Injectable()
export class Heartbeats {
  private readonly beat;

  constructor(
    database: Database,
    private readonly clock: ZonedClock,
  ) {
    // Fields the agent omits keep their value, except disks: an old measurement says nothing about now.
    this.beat = database.statement(
      `UPDATE {AgentNode} SET {AgentNode.lastHeartbeatAt} = ?, {AgentNode.status} = ?, {AgentNode.ip} = ?, {AgentNode.load} = COALESCE(?,
        {AgentNode.load}),
        {AgentNode.name} = COALESCE(?, {AgentNode.name}), {AgentNode.version} = COALESCE(?, {AgentNode.version}),
        {AgentNode.capabilities} = COALESCE(?, {AgentNode.capabilities}), {AgentNode.disks} = ?
       WHERE {AgentNode.id} = ? AND {AgentNode.enabled} = 1`,
    );
  }

  /** @throws NodeApiError NODE_UNKNOWN if the node was just deleted or disabled */
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
      disksOf(body.disks),
      node.id,
    );
    if (affected === 0) throw new NodeApiError('NODE_UNKNOWN');
    return { server_time: legacyTime(now, this.clock.timezone), timestamp: Math.floor(now.getTime() / 1_000) };
  }
}

function loadOf(value: unknown): number | null {
  if (value === null || value === '' || (typeof value !== 'number' && typeof value !== 'string')) return null;
  const load = Number(value);
  return load >= 0 && load <= MAX_LOAD ? load : null;
}

function disksOf(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const disks = (value as unknown[]).slice(0, MAX_DISKS).flatMap((disk): DiskUse[] => {
    const { mount, percent } = (disk ?? {}) as Partial<Record<keyof DiskUse, unknown>>;
    const place = clip(mount, LENGTHS.mount);
    return place !== '' && typeof percent === 'number' && percent >= 0 && percent <= 100 ? [{ mount: place, percent }] : [];
  });
  return disks.length > 0 ? JSON.stringify(disks) : null;
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
