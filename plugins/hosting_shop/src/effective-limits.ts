import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '@svc/sdk';

import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import type { Plan } from './plan-terms.js';

/** Limits of a plan that its server keeps without effect. */
export type Ineffective = ReadonlySet<string>;

/** A server that is open for new hosts, or a group of some. */
interface OpenServer {
  readonly code: string;
  readonly name: string;
  /** Codes of the servers hosts of it are on. */
  readonly servers: readonly string[];
  readonly unenforced: readonly string[];
}

/** Where nothing is known of a server: whatever a plan says is told. */
const NOTHING: Ineffective = new Set();

/** The servers and groups hosts can be opened on, as they were when they were looked at: one look answers everything asked of them. */
export class OpenServers {
  private readonly ineffectiveOf: ReadonlyMap<string, Ineffective>;

  constructor(readonly list: readonly OpenServer[]) {
    this.ineffectiveOf = new Map(list.map(({ code, unenforced }) => [code, new Set(unenforced)]));
  }

  /** Limits a plan's server keeps without effect; undefined where nothing can be opened on it. */
  ineffective({ node }: Pick<Plan, 'node'>): Ineffective | undefined {
    return this.ineffectiveOf.get(node);
  }

  /** Limits of a plan that are not told of. */
  untold(plan: Pick<Plan, 'node'>): Ineffective {
    return this.ineffective(plan) ?? NOTHING;
  }

  /** Whether hosts of a plan are on this server. */
  isOn({ node }: Pick<Plan, 'node'>, server: string): boolean {
    return node === server || (this.list.find(({ code }) => code === node)?.servers.includes(server) ?? false);
  }

  /** What people call what a plan names; its code where it is not there (any more). */
  nameOf({ node }: Pick<Plan, 'node'>): string {
    return this.list.find(({ code }) => code === node)?.name ?? node;
  }

  /** Names of those that keep a limit without effect. */
  withoutEffect(limit: string): string[] {
    return this.list.filter(({ code }) => this.ineffectiveOf.get(code)!.has(limit)).map(({ name }) => name);
  }
}

/** What servers can hold hosts to: nothing else is shown to buyers, and nothing else is sold beside a plan. */
@Injectable()
export class EffectiveLimits {
  constructor(@Inject(HostsService) private readonly hosts: HostsService) {}

  /** Looks at the servers. */
  async servers(): Promise<OpenServers> {
    const [nodes, groups] = await Promise.all([this.hosts.nodes(), this.hosts.groups()]);
    return new OpenServers([...nodes.map((node) => ({ ...node, servers: [node.code] })), ...groups]);
  }
}

/** Those of a plan's options that widen something its server measures. */
export function effective(extras: readonly Extra[], ineffective: Ineffective): Extra[] {
  return extras.filter(({ kind }) => !ineffective.has(EXTRA_KINDS[kind]));
}
