import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '@svc/sdk';

import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import type { Plan } from './plan-terms.js';

/** Limits of a plan that its server does not enforce. */
export type Ineffective = ReadonlySet<string>;

/** A server open for new hosts, or a group of servers. */
interface OpenServer {
  readonly code: string;
  readonly name: string;
  /** Codes of the servers in it. */
  readonly servers: readonly string[];
  readonly unenforced: readonly string[];
}

/** For unknown servers all limits of a plan are shown. */
const NOTHING: Ineffective = new Set();

/** Snapshot of the servers and groups that accept new hosts. */
export class OpenServers {
  private readonly ineffectiveOf: ReadonlyMap<string, Ineffective>;

  constructor(readonly list: readonly OpenServer[]) {
    this.ineffectiveOf = new Map(list.map(({ code, unenforced }) => [code, new Set(unenforced)]));
  }

  /** Returns the limits a plan's server does not enforce; undefined if no host can be opened on it. */
  ineffective({ node }: Pick<Plan, 'node'>): Ineffective | undefined {
    return this.ineffectiveOf.get(node);
  }

  /** Returns the limits of a plan that are not shown. */
  untold(plan: Pick<Plan, 'node'>): Ineffective {
    return this.ineffective(plan) ?? NOTHING;
  }

  /** Whether hosts of a plan are placed on this server. */
  isOn({ node }: Pick<Plan, 'node'>, server: string): boolean {
    return node === server || (this.list.find(({ code }) => code === node)?.servers.includes(server) ?? false);
  }

  /** Returns the display name of a plan's server; its code if it no longer exists. */
  nameOf({ node }: Pick<Plan, 'node'>): string {
    return this.list.find(({ code }) => code === node)?.name ?? node;
  }

  /** Returns the names of servers that do not enforce a limit. */
  withoutEffect(limit: string): string[] {
    return this.list.filter(({ code }) => this.ineffectiveOf.get(code)!.has(limit)).map(({ name }) => name);
  }
}

/** Determines which limits servers enforce: only these are shown to buyers and sold as options. */
@Injectable()
export class EffectiveLimits {
  constructor(@Inject(HostsService) private readonly hosts: HostsService) {}

  /** Loads the servers. */
  async servers(): Promise<OpenServers> {
    const [nodes, groups] = await Promise.all([this.hosts.nodes(), this.hosts.groups()]);
    return new OpenServers([...nodes.map((node) => ({ ...node, servers: [node.code] })), ...groups]);
  }
}

/** Returns a plan's options that extend an enforced limit. */
export function effective(extras: readonly Extra[], ineffective: Ineffective): Extra[] {
  return extras.filter(({ kind }) => !ineffective.has(EXTRA_KINDS[kind]));
}
