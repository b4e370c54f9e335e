import { statfs } from 'node:fs/promises';
import { loadavg } from 'node:os';

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import type { HostingNode } from '../entities/index.js';

/** How busy a server is, as far as somebody measures it. */
export interface ServerLoad {
  /** Average of a minute, as the system tells it; null where nobody measures it. */
  readonly load: number | null;
  /** How full the fullest disk is, in percent from 0 to 100; null where nobody measures it. */
  readonly diskPercent: number | null;
  /** Whether who measures it answers now. What it told last stands until it does again. */
  readonly isOnline: boolean;
}

/** Tells the loads of those servers it measures, by id. */
export type LoadMeasuring = (nodes: readonly HostingNode[]) => Promise<ReadonlyMap<number, ServerLoad>>;

/** Loads of servers, by whoever measures them; this machine's by the panel itself. */
@Injectable()
export class ServerLoads {
  private readonly measurings: LoadMeasuring[] = [(nodes) => this.own(nodes)];

  constructor(private readonly config: AppConfig) {}

  add(measuring: LoadMeasuring): void {
    this.measurings.push(measuring);
  }

  /** Loads by id of the server; those nobody measures are not in it. */
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
    // Windows has no such average.
    const load = process.platform === 'win32' ? null : Math.round(loadavg()[0]! * 100) / 100;
    return new Map(own.map(({ id }) => [id, { load, diskPercent, isOnline: true }]));
  }
}
