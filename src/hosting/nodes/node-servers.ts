import { Injectable } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import { driverError, refusalText } from '../accounts/index.js';
import {
  callDriver,
  type DriverNode,
  DriverNodes,
  DriverRegistry,
  type DriverResult,
  type DriverSettings,
  type HostDriver,
  type NodeProbe,
  phpVersionsOf,
  succeeded,
} from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { NodeChanges } from './node-changes.js';
import { NodeError } from './node-errors.js';
import { NodesService } from './nodes.service.js';

/** Timeout of a connection test, in milliseconds. */
const PROBE_DEADLINE_MS = 15_000;

/** Queries a node's server about itself: whether it answers, and its PHP versions. */
@Injectable()
export class NodeServers {
  constructor(
    private readonly nodes: NodesService,
    private readonly changes: NodeChanges,
    private readonly registry: DriverRegistry,
    private readonly drivers: DriverNodes,
  ) {}

  /**
   * Tests whether a server answers, and returns its version.
   *
   * @param keeps whether to store field values the server reports, unless they are already set
   * @returns also the stored values
   * @throws NodeError NODE_MISSING, NO_ANSWER, UNREACHABLE; HostingError DRIVER_MISSING, NODE_REFUSED
   */
  async test(id: number, keeps: boolean): Promise<{ node: HostingNode; probe: NodeProbe; learned: DriverSettings }> {
    const node = await this.changes.existing(id);
    const [kind, reached] = [this.registry.driverOf(node), this.drivers.of(node)];
    const { probe, learned } = keeps ? await this.learnAndProbe(kind, reached) : { probe: await this.probe(kind, reached), learned: {} };
    const isKept = Object.keys(learned).length > 0 && (await this.changes.storeLearned(node, learned)) !== null;
    return { node, probe, learned: isKept ? learned : {} };
  }

  /**
   * Tests a server before it is added, unless its kind allows adding it before it exists. An unknown kind is not tested, because adding it
   * is rejected anyway.
   *
   * @returns field values the server reported
   * @throws as {@link test}
   */
  async probeNew(driver: string, node: DriverNode): Promise<DriverSettings> {
    const kind = this.registry.find(driver);
    if (!kind || kind.comesLater) return {};
    return (await this.learnAndProbe(kind, node)).learned;
  }

  /** Returns field values an enabled server reports, unless they are already set. @throws as {@link test} if it does not answer */
  async learn(node: HostingNode): Promise<DriverSettings> {
    const kind = this.registry.find(node.driver);
    return kind ? this.learned(kind, this.drivers.of(node)) : {};
  }

  /** Formats the reported field values, one text per field. */
  describeLearned(driver: string, learned: DriverSettings, locale: Locale): string[] {
    const fields = this.registry.find(driver)?.fields ?? [];
    return fields.flatMap(({ key, label }) => (learned[key] === undefined ? [] : [`${label(locale)}: ${learned[key]}`]));
  }

  /**
   * Returns the PHP versions for new sites of a node, oldest first; `offered` is false and the list empty if its server has no PHP.
   *
   * @throws NodeError NODE_NOT_NAMED, and as {@link probe}
   */
  async php(code: string): Promise<{ node: HostingNode; versions: string[]; offered: boolean }> {
    if (code === '') throw new NodeError('NODE_NOT_NAMED');
    const node = await this.nodes.find(code);
    if (!node) throw new HostingError('NODE_NOT_FOUND', { code });
    const ask = phpVersionsOf(this.registry.driverOf(node));
    if (!ask) return { node, versions: [], offered: false };
    const result = await callDriver((deadline) => ask(this.drivers.of(node), deadline), PROBE_DEADLINE_MS);
    const reported = this.unwrap(this.drivers.of(node), result);
    // `00` means a site without PHP.
    const versions = reported.filter((version) => version !== '00');
    return { node, versions: versions.sort((a, b) => Number(a) - Number(b)), offered: true };
  }

  /**
   * Sets the newest version as the default; returns null without a change if the server has no PHP.
   *
   * @throws NodeError PHP_NONE, and as {@link php}
   */
  async detectPhp(code: string): Promise<string | null> {
    const { node, versions, offered } = await this.php(code);
    if (!offered) return null;
    const latest = versions.at(-1);
    if (latest === undefined) throw new NodeError('PHP_NONE', { code });
    await this.changes.setDefaultPhp(node.id, latest);
    return latest;
  }

  /**
   * Sets a version as the default. On a server without PHP it is stored for later.
   *
   * @returns whether it takes effect
   * @throws NodeError PHP_NOT_INSTALLED, and as {@link php}
   */
  async setPhp(code: string, version: string): Promise<boolean> {
    const { node, versions, offered } = await this.php(code);
    if (offered && !versions.includes(version))
      throw new NodeError('PHP_NOT_INSTALLED', { code, version, versions: versions.join(', ') || '-' });
    await this.changes.setDefaultPhp(node.id, version);
    return offered;
  }

  /** Lets a server report its field values first, then probes it with them. */
  private async learnAndProbe(driver: HostDriver, node: DriverNode): Promise<{ probe: NodeProbe; learned: DriverSettings }> {
    const learned = await this.learned(driver, node);
    return { probe: await this.probe(driver, { ...node, settings: { ...node.settings, ...learned } }), learned };
  }

  private async probe(driver: HostDriver, node: DriverNode): Promise<NodeProbe> {
    return this.unwrap(node, await callDriver((deadline) => driver.probe(node, deadline), PROBE_DEADLINE_MS));
  }

  private async learned({ learn }: HostDriver, node: DriverNode): Promise<DriverSettings> {
    return learn ? this.unwrap(node, await callDriver((deadline) => learn(node, deadline), PROBE_DEADLINE_MS)) : {};
  }

  private unwrap<Value>({ code }: DriverNode, result: DriverResult<Value>): Value {
    if (succeeded(result)) return result.value;
    if (result.outcome === 'unreachable') throw new NodeError('UNREACHABLE', { code, reason: refusalText(result) });
    throw result.outcome === 'unknown' ? new NodeError('NO_ANSWER', { code }) : driverError(result);
  }
}
