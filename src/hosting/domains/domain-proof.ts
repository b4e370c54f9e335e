import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import type { HostingAccount } from '../entities/index.js';

import { refuse } from './domain-errors.js';
import type { DomainName } from './domain-name.js';
import { DomainRecords } from './domain-records.js';

/** A TXT record that only the owner of a domain can set. */
export interface ProofRecord {
  readonly record: string;
  readonly value: string;
}

/** Verifies that a domain belongs to the account that binds it. */
@Injectable()
export class DomainProof {
  constructor(private readonly records: DomainRecords) {}

  /** Returns the record that proves ownership for this account only. It is not secret: setting it is the proof. */
  recordOf(account: Pick<HostingAccount, 'id' | 'siteName'>, { base }: DomainName): ProofRecord {
    const print = createHash('sha256').update(`host:${account.id}:${account.siteName}:${base}`).digest('hex').slice(0, 32);
    return { record: `_svc-verify.${base}`, value: `svc-verify=${print}` };
  }

  /** Looks up the record now. @throws DomainError PROOF when it is not set, PROOF_LATE when DNS did not answer */
  async require(account: Pick<HostingAccount, 'id' | 'siteName'>, domain: DomainName): Promise<void> {
    const { record, value } = this.recordOf(account, domain);
    const found = await this.records.find(record, 'TXT');
    if (found?.some((text) => text.trim() === value)) return;
    refuse(found === null ? 'PROOF_LATE' : 'PROOF', { domain: domain.name, record, value });
  }
}
