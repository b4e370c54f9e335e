import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '@svc/sdk';

import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import type { Plan } from './plan-terms.js';

/** Limits of a plan that its server keeps without effect. */
export type Ineffective = ReadonlySet<string>;

/** A server that is open for new hosts. */
type OpenServer = Awaited<ReturnType<HostsService['nodes']>>[number];

/** Where nothing is known of a server: whatever a plan says is told. */
const NOTHING: Ineffective = new Set();

/** The servers hosts can be opened on, as they were when they were looked at: one look answers everything that is asked of them. */
export class OpenServers {
  private readonly ineffectiveOf: ReadonlyMap<string, Ineffective>;

  constructor(readonly list: readonly OpenServer[]) {
    this.ineffectiveOf = new Map(list.map(({ code, unenforced }) => [code, new Set<string>(unenforced)]));
  }

  /** Limits a plan's server keeps without effect; undefined where nothing can be opened on it. */
  ineffective({ node }: Pick<Plan, 'node'>): Ineffective | undefined {
    return this.ineffectiveOf.get(node);
  }

  /** Limits of a plan that are not told of. */
  untold(plan: Pick<Plan, 'node'>): Ineffective {
    return this.ineffective(plan) ?? NOTHING;
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
    return new OpenServers(await this.hosts.nodes());
  }
}

/** Those of a plan's options that widen something its server measures. */
export function effective(extras: readonly Extra[], ineffective: Ineffective): Extra[] {
  return extras.filter(({ kind }) => !ineffective.has(EXTRA_KINDS[kind]));
}
