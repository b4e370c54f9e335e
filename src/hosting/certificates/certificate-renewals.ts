import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock, loggerFor } from '../../common/index.js';
import { Database, toSqlTime } from '../../database/index.js';
import type { JobTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { STOPPED_MS } from './certificate-repository.js';
import { CertificateError } from './certificate-errors.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { CertificateNames } from './certificate-names.js';

const log = loggerFor('certificates');
/** When a certificate that could not be ordered is tried again, in milliseconds. */
const RETRY_MS = 6 * HOUR_MS;
/** Maximum orders per run: an authority does not get a thousand at a time. */
const MAX_PER_RUN = 50;

interface Due {
  readonly id: number;
  readonly version: string;
  readonly names: string;
}

/** Orders new certificates before the present ones end. */
@Injectable()
export class CertificateRenewals {
  private readonly due;
  private readonly claim;

  constructor(
    database: Database,
    private readonly orders: CertificateOrderRepository,
    private readonly limits: AuthorityLimits,
    private readonly access: SiteAccess,
    private readonly names: CertificateNames,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
  ) {
    // Sites out of service keep their certificates, which are renewed once they are back in service.
    this.due = database.statement<Due>(
      `SELECT c.{SiteCertificate.accountId} AS id, c.{SiteCertificate.version} AS version, c.{SiteCertificate.names} AS names
       FROM {SiteCertificate} c JOIN {HostingAccount} a ON a.{HostingAccount.id} = c.{SiteCertificate.accountId}
       WHERE c.{SiteCertificate.renewAt} <= ? AND a.{HostingAccount.state} = 'active'
       ORDER BY c.{SiteCertificate.renewAt}, c.{SiteCertificate.accountId} LIMIT ${MAX_PER_RUN}`,
    );
    this.claim = database.statement(
      `UPDATE {SiteCertificate} SET {SiteCertificate.renewAt} = ? WHERE {SiteCertificate.accountId} = ? AND {SiteCertificate.version} = ?
       AND {SiteCertificate.renewAt} <= ?`,
    );
  }

  /** @returns how many orders were begun */
  async run(turn?: JobTurn): Promise<number> {
    const settings = acmeSettings(this.settings.current);
    if (!settings.isOn) return 0;
    const now = this.clock.now();
    let begun = 0;
    for (const row of await this.due.all(toSqlTime(now))) {
      turn?.signal.throwIfAborted();
      // Claimed before it is ordered: if this process dies, the next attempt comes later, not immediately.
      const later = toSqlTime(new Date(now.getTime() + RETRY_MS));
      if ((await this.claim.run(later, row.id, row.version, toSqlTime(now))).affected === 0) continue;
      const sooner = (): Promise<unknown> => this.claim.run(toSqlTime(new Date(now.getTime() + STOPPED_MS)), row.id, row.version, later);
      await this.renew(row, settings.directory, sooner).then(
        (isBegun) => (begun += Number(isBegun)),
        (error: unknown) => {
          if (!(error instanceof CertificateError)) log.warn({ err: error, account: row.id }, 'a certificate could not be renewed');
        },
      );
    }
    return begun;
  }

  /** Orders a new certificate for those of its names that still belong to the site. */
  private async renew({ id, names }: Due, directory: string, sooner: () => Promise<unknown>): Promise<boolean> {
    const site = await this.access.ofHost(id);
    if (!site.has('certificates')) return false;
    if (isProofHidden(site)) {
      await sooner();
      return false;
    }
    const own = await this.names.orderable(site.account);
    const left = (JSON.parse(names) as string[]).filter((name) => own.includes(name));
    if (left.length === 0) return false;
    if (await this.limits.reached(directory, left)) return false;
    await this.orders.open(id, left, directory, true);
    return true;
  }
}
