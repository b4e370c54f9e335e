import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock, loggerFor } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { STOPPED_MS } from './certificate-repository.js';
import { CertificateError } from './certificate-errors.js';
import { CertificateNotices } from './certificate-notices.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { ProofRepository } from './proof-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { CertificateNames } from './certificate-names.js';

const log = loggerFor('certificates');
/** Days before the end of a certificate nobody renews at which its owner is told. */
const WARNED_DAYS = [14, 7, 1] as const;
/** How soon a certificate that could not be ordered now is looked at again, in milliseconds. */
const LATER_MS = 6 * HOUR_MS;
const BATCH = 100;
/** Orders begun in one run: an authority is not asked for a thousand at once. */
const MOST_A_RUN = 50;

interface Due {
  readonly id: number;
  readonly version: string;
  readonly names: string;
  readonly failures: number;
}
interface Ending {
  readonly id: number;
  readonly username: string;
  readonly version: string;
  readonly names: string;
  readonly endsAt: string;
  readonly warned: number;
}

/** Renews certificates before they end, goes on with orders that wait, and tells owners of what ends. */
@Injectable()
export class CertificateMaintenance {
  private readonly due;
  private readonly claim;
  private readonly ending;
  private readonly warn;

  constructor(
    database: Database,
    private readonly orders: CertificateOrderRepository,
    private readonly proofs: ProofRepository,
    private readonly limits: AuthorityLimits,
    private readonly access: SiteAccess,
    private readonly names: CertificateNames,
    private readonly notices: CertificateNotices,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
  ) {
    // Sites out of service keep what they have, and are renewed when they are in service again.
    this.due = database.statement<Due>(
      `SELECT c.{SiteCertificate.accountId} AS id, c.{SiteCertificate.version} AS version, c.{SiteCertificate.names} AS names,
         c.{SiteCertificate.renewFailures} AS failures
       FROM {SiteCertificate} c JOIN {HostingAccount} a ON a.{HostingAccount.id} = c.{SiteCertificate.accountId}
       WHERE c.{SiteCertificate.renewAt} <= ? AND a.{HostingAccount.state} = 'active'
       ORDER BY c.{SiteCertificate.renewAt}, c.{SiteCertificate.accountId} LIMIT ${MOST_A_RUN}`,
    );
    this.claim = database.statement(
      `UPDATE {SiteCertificate} SET {SiteCertificate.renewAt} = ? WHERE {SiteCertificate.accountId} = ? AND {SiteCertificate.version} = ?
       AND {SiteCertificate.renewAt} <= ?`,
    );
    this.ending = database.statement<Ending>(
      `SELECT c.{SiteCertificate.accountId} AS id, a.{HostingAccount.username} AS username, c.{SiteCertificate.version} AS version,
         c.{SiteCertificate.names} AS names, c.{SiteCertificate.endsAt} AS endsAt, c.{SiteCertificate.warnedDays} AS warned
       FROM {SiteCertificate} c JOIN {HostingAccount} a ON a.{HostingAccount.id} = c.{SiteCertificate.accountId}
       WHERE c.{SiteCertificate.endsAt} > ? AND c.{SiteCertificate.endsAt} <= ? AND c.{SiteCertificate.accountId} > ?
         AND (c.{SiteCertificate.source} = 'own' OR c.{SiteCertificate.renewFailures} > 0)
       ORDER BY c.{SiteCertificate.accountId} LIMIT ${BATCH}`,
    );
    this.warn = database.statement(
      `UPDATE {SiteCertificate} SET {SiteCertificate.warnedDays} = ? WHERE {SiteCertificate.accountId} = ? AND {SiteCertificate.version} = ?
       AND {SiteCertificate.warnedDays} = ?`,
    );
  }

  /** @returns how many orders were begun or taken up again */
  @Job({ name: 'certificates', everyMinutes: 10 })
  async run(turn?: JobTurn): Promise<number> {
    await Promise.all([this.proofs.forget(), this.limits.forget(), this.orders.forget()]);
    const resumed = await this.orders.resume();
    const renewed = await this.renewDue(turn);
    await this.warnOwners(turn);
    return resumed + renewed;
  }

  private async renewDue(turn?: JobTurn): Promise<number> {
    const settings = acmeSettings(this.settings.current);
    if (!settings.isOn) return 0;
    const now = this.clock.now();
    let begun = 0;
    for (const row of await this.due.all(toSqlTime(now))) {
      turn?.signal.throwIfAborted();
      // Taken before it is ordered: whatever becomes of this process, it comes up again, and not at once.
      const later = toSqlTime(new Date(now.getTime() + LATER_MS));
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

  /** Orders a certificate anew, for those of its names that are still the site's. */
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

  private async warnOwners(turn?: JobTurn): Promise<void> {
    const now = this.clock.now();
    const horizon = toSqlTime(new Date(now.getTime() + WARNED_DAYS[0] * DAY_MS));
    for (let last = 0; ;) {
      turn?.signal.throwIfAborted();
      const rows = await this.ending.all(toSqlTime(now), horizon, last);
      for (const row of rows) await this.warnOwner(row, now);
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  }

  private async warnOwner({ id, username, version, names, endsAt, warned }: Ending, now: Date): Promise<void> {
    const ends = fromSqlTime(endsAt);
    const left = (ends.getTime() - now.getTime()) / DAY_MS;
    const days = [...WARNED_DAYS].reverse().find((day) => left <= day)!;
    if (warned !== 0 && warned <= days) return;
    await this.notices.ends({ id, username }, { names: JSON.parse(names) as string[], version, endsAt: ends }, days);
    await this.warn.run(days, id, version, warned);
  }
}
