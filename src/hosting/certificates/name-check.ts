import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { OutboundHttp, type OutboundAnswer } from '../../common/index.js';
import { DomainCheck, type DomainCheckResult, type DomainTarget } from '../domains/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { PROOFS } from '../sites/index.js';

import { ProofRepository } from './proof-repository.js';

/** How long the look may take, in milliseconds. */
const PATIENCE_MS = 8_000;

/**
 * Who answers a name on port 80, as this machine sees it: the site itself; somebody `elsewhere`; nobody (`silent`); `internal`: the name
 * leads to an address of an internal network, which is not asked.
 */
export interface NameAnswer {
  readonly state: 'here' | 'elsewhere' | 'silent' | 'internal';
  /** Status of who answered; 0 where nobody did. */
  readonly status: number;
}

/** Result of the check of a name. */
export interface NameLook {
  readonly dns: DomainCheckResult;
  /** Where it has to lead; null where nobody told the panel. */
  readonly target: DomainTarget | null;
  readonly answer: NameAnswer;
}

/** Looks whether an authority would find a site under a name, as the authority does: by asking it on port 80 for a proof. */
@Injectable()
export class NameCheck {
  /** Asks an address; tests give their own. */
  ask: (url: string) => Promise<Pick<OutboundAnswer, 'code' | 'body' | 'failure'>>;

  constructor(
    private readonly domains: DomainCheck,
    private readonly proofs: ProofRepository,
    outbound: OutboundHttp,
  ) {
    this.ask = (url) => outbound.request({ url, timeoutMs: PATIENCE_MS, maxBytes: 4_096 });
  }

  /** @param name of the site, no wildcard @throws what the site's server comes to */
  async look(site: OpenSite, name: string): Promise<NameLook> {
    const target = await this.domains.target(site.account);
    const [dns, answer] = await Promise.all([this.domains.check(name, target), this.answerOf(site, name)]);
    return { dns, target, answer };
  }

  private async answerOf(site: OpenSite, name: string): Promise<NameAnswer> {
    const [token, proof] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    await this.proofs.add(site, [{ name, token, answer: proof }]);
    try {
      const { code, body, failure } = await this.ask(`http://${name}${PROOFS}${token}`);
      if (code === 0) return { state: failure === 'INTERNAL' ? 'internal' : 'silent', status: 0 };
      return { state: body.trim() === proof ? 'here' : 'elsewhere', status: code };
    } finally {
      await this.proofs.remove(site, [token]);
    }
  }
}
