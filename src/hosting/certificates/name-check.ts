import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { OutboundHttp, type OutboundAnswer } from '../../common/index.js';
import { DomainCheck, type DomainCheckResult, type DomainTarget } from '../domains/index.js';
import type { OpenSite } from '../site-tools/index.js';
import { PROOFS } from '../sites/index.js';

import { ProofRepository } from './proof-repository.js';

/** Timeout of the check, in milliseconds. */
const TIMEOUT_MS = 8_000;

/**
 * Who answers a name on port 80, seen from this machine: the site (`here`), another server (`elsewhere`) or nobody (`silent`); `internal`:
 * the name resolves to an internal address, which is not requested.
 */
export interface NameAnswer {
  readonly state: 'here' | 'elsewhere' | 'silent' | 'internal';
  /** HTTP status; 0 without a response. */
  readonly status: number;
}

/** Result of the check of a name. */
export interface NameCheckResult {
  readonly dns: DomainCheckResult;
  /** The expected DNS target; null if the panel does not know it. */
  readonly target: DomainTarget | null;
  readonly answer: NameAnswer;
}

/** Checks whether an authority could validate a name of a site, in the same way: by requesting a challenge file on port 80. */
@Injectable()
export class NameCheck {
  /** Sends a request; tests replace it. */
  ask: (url: string) => Promise<Pick<OutboundAnswer, 'code' | 'body' | 'failure'>>;

  constructor(
    private readonly domains: DomainCheck,
    private readonly proofs: ProofRepository,
    outbound: OutboundHttp,
  ) {
    this.ask = (url) => outbound.request({ url, timeoutMs: TIMEOUT_MS, maxBytes: 4_096 });
  }

  /** @param name of the site, no wildcard @throws errors of the site's server */
  async inspect(site: OpenSite, name: string): Promise<NameCheckResult> {
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
