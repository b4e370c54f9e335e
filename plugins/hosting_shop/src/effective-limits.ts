import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '@svc/sdk';

import { EXTRA_KINDS, type Extra } from './extra-terms.js';
import type { Plan } from './plan-terms.js';

/** Limits of a plan that its server keeps without effect. */
export type Ineffective = ReadonlySet<string>;

/** What servers can hold hosts to: nothing else is shown to buyers, and nothing else is sold beside a plan. */
@Injectable()
export class EffectiveLimits {
  constructor(@Inject(HostsService) private readonly hosts: HostsService) {}

  /** Tells of plans which of their limits have no effect on their server. */
  async ineffective(): Promise<(plan: Pick<Plan, 'node'>) => Ineffective> {
    const nodes = new Map((await this.hosts.nodes()).map(({ code, unenforced }) => [code, new Set<string>(unenforced)]));
    return ({ node }) => nodes.get(node) ?? new Set();
  }
}

/** Those of a plan's options that widen something its server measures. */
export function effective(extras: readonly Extra[], ineffective: Ineffective): Extra[] {
  return extras.filter(({ kind }) => !ineffective.has(EXTRA_KINDS[kind]));
}
