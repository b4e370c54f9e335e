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

/** A connection test waits this long, in milliseconds. */
const PROBE_DEADLINE_MS = 15_000;

/** Asks a node's server about itself: whether it answers, which PHP versions it has. */
@Injectable()
export class NodeServers {
  constructor(
    private readonly nodes: NodesService,
    private readonly changes: NodeChanges,
    private readonly registry: DriverRegistry,
    private readonly drivers: DriverNodes,
  ) {}

  /**
   * Whether a server answers and what it is.
   *
   * @param keeps whether what a server that does tells of its own fields is kept, where nobody has said it yet
   * @returns also what was kept
   * @throws NodeError NODE_MISSING, NO_ANSWER, UNREACHABLE; HostingError DRIVER_MISSING, NODE_REFUSED
   */
  async test(id: number, keeps: boolean): Promise<{ node: HostingNode; probe: NodeProbe; learned: DriverSettings }> {
    const node = await this.changes.existing(id);
    const [kind, reached] = [this.registry.driverOf(node), this.drivers.of(node)];
    const { probe, learned } = keeps ? await this.meet(kind, reached) : { probe: await this.probe(kind, reached), learned: {} };
    const isKept = Object.keys(learned).length > 0 && (await this.changes.keepLearned(node, learned)) !== null;
    return { node, probe, learned: isKept ? learned : {} };
  }

  /**
   * Asks a server that is about to be added, unless its kind comes later. Nothing is asked of a kind that does not exist: adding it is
   * refused by name.
   *
   * @returns what it told of its own fields
   * @throws as {@link test}
   */
  async probeNew(driver: string, node: DriverNode): Promise<DriverSettings> {
    const kind = this.registry.find(driver);
    if (!kind || kind.comesLater) return {};
    return (await this.meet(kind, node)).learned;
  }

  /** What a server that is switched on tells of its own fields, where nobody has said it yet. @throws as {@link test} where it does not */
  async learn(node: HostingNode): Promise<DriverSettings> {
    const kind = this.registry.find(node.driver);
    return kind ? this.learned(kind, this.drivers.of(node)) : {};
  }

  /** What a server told of its own fields, in words: one of each. */
  inWords(driver: string, learned: DriverSettings, locale: Locale): string[] {
    const fields = this.registry.find(driver)?.fields ?? [];
    return fields.flatMap(({ key, label }) => (learned[key] === undefined ? [] : [`${label(locale)}: ${learned[key]}`]));
  }

  /**
   * Versions of PHP new sites of a node can use, oldest first; `offered` is false, and there are none, where its server has no PHP.
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
    const said = this.told(this.drivers.of(node), result);
    // `00` is a site without PHP.
    const versions = said.filter((version) => version !== '00');
    return { node, versions: versions.sort((a, b) => Number(a) - Number(b)), offered: true };
  }

  /**
   * Makes the newest version the default; null, and nothing to be set, on a server without PHP.
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
   * Makes a version the default. A server without PHP keeps it for the day it has some.
   *
   * @returns whether it has any effect there
   * @throws NodeError PHP_NOT_INSTALLED, and as {@link php}
   */
  async setPhp(code: string, version: string): Promise<boolean> {
    const { node, versions, offered } = await this.php(code);
    if (offered && !versions.includes(version))
      throw new NodeError('PHP_NOT_INSTALLED', { code, version, versions: versions.join(', ') || '-' });
    await this.changes.setDefaultPhp(node.id, version);
    return offered;
  }

  /** What a server is, and what it tells of its own fields first. */
  private async meet(driver: HostDriver, node: DriverNode): Promise<{ probe: NodeProbe; learned: DriverSettings }> {
    const learned = await this.learned(driver, node);
    return { probe: await this.probe(driver, { ...node, settings: { ...node.settings, ...learned } }), learned };
  }

  private async probe(driver: HostDriver, node: DriverNode): Promise<NodeProbe> {
    return this.told(node, await callDriver((deadline) => driver.probe(node, deadline), PROBE_DEADLINE_MS));
  }

  private async learned({ learn }: HostDriver, node: DriverNode): Promise<DriverSettings> {
    return learn ? this.told(node, await callDriver((deadline) => learn(node, deadline), PROBE_DEADLINE_MS)) : {};
  }

  private told<Value>({ code }: DriverNode, result: DriverResult<Value>): Value {
    if (succeeded(result)) return result.value;
    if (result.outcome === 'unreachable') throw new NodeError('UNREACHABLE', { code, reason: refusalText(result) });
    throw result.outcome === 'unknown' ? new NodeError('NO_ANSWER', { code }) : driverError(result);
  }
}
