import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';

import { HOUR_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import type { DriverProof } from '../driver/index.js';
import { CertificateProof } from '../entities/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** How long a proof is answered: longer than any authority takes. */
const KEPT_MS = 2 * HOUR_MS;

/** Rows of what sites answer authorities, and the way to their servers. */
@Injectable()
export class ProofRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(CertificateProof);
  }

  /** Has a site answer these, besides those it answers already. @throws what its server comes to */
  async add(site: OpenSite, proofs: readonly DriverProof[]): Promise<void> {
    const accountId = site.account.id;
    const endsAt = new Date(this.clock.now().getTime() + KEPT_MS);
    for (const { token, name, answer } of proofs) {
      await this.rows.upsert({ accountId, token, name, answer, endsAt }, { conflictPaths: ['token', 'name'] });
    }
    await this.tell(site);
  }

  /** Has a site answer them no more; all of them where none are named. */
  async remove(site: OpenSite, tokens: readonly string[] | null = null): Promise<void> {
    const accountId = site.account.id;
    if (tokens === null) await this.rows.delete({ accountId });
    else for (const token of tokens) await this.rows.delete({ accountId, token });
    await this.tell(site);
  }

  /** Forgets what nobody took away. */
  async forget(): Promise<void> {
    await this.rows.delete({ endsAt: LessThan(this.clock.now()) });
  }

  private async tell(site: OpenSite): Promise<void> {
    const rows = await this.rows.find({ where: { accountId: site.account.id }, order: { id: 'ASC' }, take: 500 });
    const wanted = rows.map(({ name, token, answer }) => ({ name, token, answer }));
    await site.ask('certificates', (port, account, deadline) => port.prove(account, wanted, deadline));
  }
}
