import { statfs } from 'node:fs/promises';
import { loadavg } from 'node:os';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import type { HostingNode } from '../entities/index.js';

/** Load of a server, if it is measured. */
export interface ServerLoad {
  /** Load average of one minute, as reported by the system; null: not measured. */
  readonly load: number | null;
  /** Usage of the fullest disk, in percent from 0 to 100; null: not measured. */
  readonly diskPercent: number | null;
  /** Whether the measuring agent is connected now. While it is not, the last values are kept. */
  readonly isOnline: boolean;
}

/** Returns the loads of the servers it measures, by id. */
export type LoadMeasuring = (nodes: readonly HostingNode[]) => Promise<ReadonlyMap<number, ServerLoad>>;

/** Loads of servers from all registered sources; this machine's is measured by the panel itself. */
@Injectable()
export class ServerLoads {
  private readonly measurings: LoadMeasuring[] = [(nodes) => this.own(nodes)];

  constructor(private readonly config: AppConfig) {}

  add(measuring: LoadMeasuring): void {
    this.measurings.push(measuring);
  }

  /** Returns loads by server id; servers that are not measured are left out. */
  async of(nodes: readonly HostingNode[]): Promise<ReadonlyMap<number, ServerLoad>> {
    if (nodes.length === 0) return new Map();
    const all = await Promise.all(this.measurings.map((measuring) => measuring(nodes)));
    return new Map(all.flatMap((loads) => [...loads]));
  }

  private async own(nodes: readonly HostingNode[]): Promise<Map<number, ServerLoad>> {
    const own = nodes.filter(({ driver }) => driver === 'embedded');
    if (own.length === 0) return new Map();
    const { bavail, blocks } = await statfs(this.config.dataDir);
    const diskPercent = Math.round((1 - bavail / Math.max(blocks, 1)) * 100);
    // Windows has no load average.
    const load = process.platform === 'win32' ? null : Math.round(loadavg()[0]! * 100) / 100;
    return new Map(own.map(({ id }) => [id, { load, diskPercent, isOnline: true }]));
  }
}
