import { Injectable } from '@nestjs/common';

import { legacyTime, type Locale } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { DriverRegistry } from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';
import { CallingKeys, hasOverlap } from '../nodes/index.js';
import { type ServerLoad, ServerLoads } from '../placement/index.js';
import { nodeRow } from '../wire/index.js';

/** Converts servers to the wire format. */
@Injectable()
export class NodeRows {
  constructor(
    private readonly clock: ZonedClock,
    private readonly drivers: DriverRegistry,
    private readonly keys: CallingKeys,
    private readonly loads: ServerLoads,
  ) {}

  /** Returns the rows of the server list. @param hosts number of hosts by code */
  async listed(nodes: readonly HostingNode[], hosts: ReadonlyMap<string, number>, locale: Locale) {
    const loads = await this.loads.of(nodes);
    return nodes.map((node) => ({
      ...this.of(node),
      ...this.kindOf(node, locale),
      ...loadFields(loads.get(node.id)),
      zjs: String(hosts.get(node.code) ?? 0),
      lxsj: node.awaySince ? legacyTime(node.awaySince, this.clock.timezone) : '',
    }));
  }

  of(node: HostingNode) {
    const without = { limits: this.drivers.unenforced(node), fields: this.drivers.unenforcedFields(node) };
    return nodeRow(node, this.keys.of(node), this.clock.timezone, this.clock.now(), without);
  }

  /** Returns the name of its kind, whether its driver is available, and whether it has fields of its own. */
  private kindOf({ driver }: HostingNode, locale: Locale) {
    const kind = this.drivers.find(driver);
    return { drvmc: kind?.title(locale) ?? driver, drvzt: String(kind !== undefined), zdy: String((kind?.fields.length ?? 0) > 0) };
  }

  /** Returns the key callers send as `svc_keye`, and until when the previous one is valid; empty if there is none. */
  keyOf(node: HostingNode): { dymy: string; jmsj: string } {
    const overlaps = node.previousUntil && hasOverlap(node, this.clock.now());
    return { dymy: this.keys.of(node), jmsj: overlaps ? legacyTime(node.previousUntil!, this.clock.timezone) : '' };
  }
}

/** Returns `fz` load, `cp` fullest disk in percent, `zx` whether the monitoring agent answers; empty without monitoring. */
function loadFields(load: ServerLoad | undefined): Record<'fz' | 'cp' | 'zx', string> {
  const text = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));
  return { fz: text(load?.load), cp: text(load?.diskPercent), zx: load ? String(load.isOnline) : '' };
}
