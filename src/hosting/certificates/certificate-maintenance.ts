import { Injectable } from '@nestjs/common';

import { Job, type JobTurn } from '../../jobs/index.js';

import { AuthorityLimits } from './authority-limits.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { CertificateRenewals } from './certificate-renewals.js';
import { CertificateWarnings } from './certificate-warnings.js';
import { ProofRepository } from './proof-repository.js';

/** Renews certificates before they end, resumes orders that wait, and warns owners. */
@Injectable()
export class CertificateMaintenance {
  constructor(
    private readonly orders: CertificateOrderRepository,
    private readonly proofs: ProofRepository,
    private readonly limits: AuthorityLimits,
    private readonly renewals: CertificateRenewals,
    private readonly warnings: CertificateWarnings,
  ) {}

  /** @returns how many orders were begun or resumed */
  @Job({ name: 'certificates', everyMinutes: 10 })
  async run(turn?: JobTurn): Promise<number> {
    await Promise.all([this.proofs.forget(), this.limits.forget(), this.orders.forget()]);
    const resumed = await this.orders.resume();
    const renewed = await this.renewals.run(turn);
    await this.warnings.run(turn);
    return resumed + renewed;
  }
}
