import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';

import { HOUR_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { DriverProof } from '../driver/index.js';
import { CertificateProof } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** How long a proof is served, in milliseconds: longer than any authority takes. */
const RETENTION_MS = 2 * HOUR_MS;

/** Rows of the challenge responses of sites, and their publication on servers. */
@Injectable()
export class ProofRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(CertificateProof);
  }

  /** Adds challenge responses to a site. @throws errors of its server */
  async add(site: OpenSite, proofs: readonly DriverProof[]): Promise<void> {
    const accountId = site.account.id;
    const endsAt = new Date(this.clock.now().getTime() + RETENTION_MS);
    for (const { token, name, answer } of proofs) {
      await this.rows.upsert({ accountId, token, name, answer, endsAt }, { conflictPaths: ['token', 'name'] });
    }
    await this.push(site);
  }

  /** Removes challenge responses of a site; all of them by default. */
  async remove(site: OpenSite, tokens: readonly string[] | null = null): Promise<void> {
    const accountId = site.account.id;
    if (tokens === null) await this.rows.delete({ accountId });
    else for (const token of tokens) await this.rows.delete({ accountId, token });
    await this.push(site);
  }

  /** Deletes expired rows. */
  async forget(): Promise<void> {
    await this.rows.delete({ endsAt: LessThan(this.clock.now()) });
  }

  private async push(site: OpenSite): Promise<void> {
    const rows = await this.rows.find({ where: { accountId: site.account.id }, order: { id: 'ASC' }, take: 500 });
    const wanted = rows.map(({ name, token, answer }) => ({ name, token, answer }));
    await site.ask('certificates', (port, account, deadline) => port.prove(account, wanted, deadline));
  }
}
