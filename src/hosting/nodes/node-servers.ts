import { Injectable } from '@nestjs/common';

import { driverError } from '../accounts/account-driver.js';
import { callDriver, DriverRegistry, hasPhp, succeeded, type NodeProbe } from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { NodeChanges } from './node-changes.js';
import { NodeError } from './node-errors.js';
import { NodesService } from './nodes.service.js';

/** A connection test waits this long, in milliseconds. */
const PROBE_DEADLINE_MS = 15_000;

/** What a node's server itself says: whether it answers, which PHP it has. */
@Injectable()
export class NodeServers {
  constructor(
    private readonly nodes: NodesService,
    private readonly changes: NodeChanges,
    private readonly registry: DriverRegistry,
  ) {}

  /** @throws NodeError NODE_MISSING; HostingError DRIVER_MISSING, NODE_REFUSED, NODE_UNREACHABLE, NODE_UNCERTAIN */
  async probe(id: number): Promise<NodeProbe> {
    const node = await this.changes.existing(id);
    const driver = this.registry.driverOf(node);
    const result = await callDriver((deadline) => driver.probe(node, deadline), PROBE_DEADLINE_MS);
    if (!succeeded(result)) throw result.outcome === 'unknown' ? new NodeError('NO_ANSWER', { code: node.code }) : driverError(result);
    return result.value;
  }

  /** Versions of PHP new sites of a node can use, oldest first. @throws NodeError PHP_UNSUPPORTED, and as {@link probe} */
  async php(code: string): Promise<{ node: HostingNode; versions: string[] }> {
    if (code === '') throw new NodeError('NODE_NOT_NAMED');
    const node = await this.nodes.find(code);
    if (!node) throw new HostingError('NODE_NOT_FOUND', { code });
    const driver = this.registry.driverOf(node);
    if (!hasPhp(driver)) throw new NodeError('PHP_UNSUPPORTED', { code, driver: node.driver });
    const result = await callDriver((deadline) => driver.phpVersions(node, deadline), PROBE_DEADLINE_MS);
    if (!succeeded(result)) throw result.outcome === 'unknown' ? new NodeError('NO_ANSWER', { code }) : driverError(result);
    // `00` is a site without PHP.
    const versions = result.value.filter((version) => version !== '00');
    return { node, versions: versions.sort((a, b) => Number(a) - Number(b)) };
  }

  /** Makes the newest version the default. @throws NodeError PHP_NONE, and as {@link php} */
  async detectPhp(code: string): Promise<string> {
    const { node, versions } = await this.php(code);
    const latest = versions.at(-1);
    if (latest === undefined) throw new NodeError('PHP_NONE', { code });
    await this.changes.setDefaultPhp(node.id, latest);
    return latest;
  }

  /** @throws NodeError PHP_NOT_INSTALLED, and as {@link php} */
  async setPhp(code: string, version: string): Promise<void> {
    const { node, versions } = await this.php(code);
    if (!versions.includes(version)) throw new NodeError('PHP_NOT_INSTALLED', { code, version, versions: versions.join(', ') || '-' });
    await this.changes.setDefaultPhp(node.id, version);
  }
}
