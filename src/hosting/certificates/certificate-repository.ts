import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { DriverCertificate } from '../driver/index.js';
import { HostingAccount, SiteCertificate } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import type { OpenSite } from '../site-tools/index.js';
import { CERTIFICATE_KEY_PLACE } from '../sites/index.js';

import { refuse } from './certificate-errors.js';
import type { ReadCertificate } from './read-certificate.js';

/** A certificate is renewed when so much of its time is left, or a third of it where it lives shorter than three of these. */
export const RENEW_DAYS = 30;
/** So that not all of a day's certificates are renewed at once, each is up to this much earlier. */
const JITTER_MS = 12 * HOUR_MS;
/** Longest wait after renewals that failed. */
const LONGEST_WAIT_MS = DAY_MS;
/** How soon one that is due is looked at again while its site is stopped and nothing can be ordered for it, in milliseconds. */
export const STOPPED_MS = 1_800_000;

/** Takes a change of a certificate back. @returns false where somebody has changed it again since: then it stays as it is */
export type WayBack = () => Promise<boolean>;

/** Rows of the certificates of sites, and the way to their servers. */
@Injectable()
export class CertificateRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(SiteCertificate);
  }

  /** The certificate of a site; null where it has none. */
  of(accountId: number): Promise<SiteCertificate | null> {
    return this.rows.findOneBy({ accountId });
  }

  /**
   * Keeps a certificate as that of a site, in place of the one it had. The server is not told yet: see {@link tell}.
   *
   * @param directory of the authority it was ordered from; empty: its owner brought it
   * @returns the way back, as far as nobody has changed it since
   * @throws HostingError ACCOUNT_STATE where the site is gone
   */
  keep(accountId: number, read: ReadCertificate, directory: string): Promise<WayBack> {
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingAccount', 'id', accountId);
      if (!(await this.database.repository(HostingAccount).existsBy({ id: accountId }))) throw new HostingError('ACCOUNT_STATE');
      const before = await this.of(accountId);
      const values = {
        version: newVersion(),
        source: directory === '' ? ('own' as const) : ('acme' as const),
        names: [...read.names],
        chain: read.chain,
        sealedKey: this.secrets.seal(read.key, CERTIFICATE_KEY_PLACE),
        issuer: read.issuer,
        beginsAt: read.beginsAt,
        endsAt: read.endsAt,
        directory,
        renewAt: directory === '' ? null : renewalOf(read),
        renewFailures: 0,
        warnedDays: 0,
        revokedAt: null,
        installedAt: this.clock.now(),
      };
      if (before) await this.rows.update({ accountId }, values);
      else await this.rows.insert({ accountId, forceHttps: false, ...values });
      this.note(accountId, before, { ...values, forceHttps: before?.forceHttps ?? false });
      return this.wayBack(accountId, values.version, before);
    });
  }

  /** Removes the certificate of a site. @returns whether there was one, and the way back to what was */
  remove(accountId: number): Promise<{ removed: boolean; back: WayBack }> {
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const before = await this.of(accountId);
      if (before) {
        await this.rows.delete({ accountId });
        this.note(accountId, before, null);
      }
      return { removed: before !== null, back: this.wayBack(accountId, null, before) };
    });
  }

  /** Writes down that a certificate was declared void: another one is ordered as soon as can be. */
  async revoked(accountId: number, version: string): Promise<void> {
    await this.database.transaction(async () => {
      const now = this.clock.now();
      const { affected } = await this.rows.update({ accountId, version }, { revokedAt: now, renewAt: now });
      if (affected === 1)
        this.database.noteChange({ of: 'certificate', id: accountId }, { 'certificate.revoked': false }, { 'certificate.revoked': true });
    });
  }

  /** @returns the way back @throws CertificateError NONE */
  setForceHttps(accountId: number, forceHttps: boolean): Promise<WayBack> {
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const before = (await this.of(accountId)) ?? refuse('NONE');
      const version = newVersion();
      await this.rows.update({ accountId }, { forceHttps, version });
      this.note(accountId, before, { ...before, forceHttps });
      return this.wayBack(accountId, version, before);
    });
  }

  /** Makes the row again what it was, where it is still what it was made. @param version of that; null: there is none */
  private wayBack(accountId: number, version: string | null, before: SiteCertificate | null): WayBack {
    return () =>
      this.database.transaction(async () => {
        await this.database.lockRow('HostingAccount', 'id', accountId);
        const now = await this.of(accountId);
        if ((now?.version ?? null) !== version || !(await this.database.repository(HostingAccount).existsBy({ id: accountId })))
          return false;
        if (now && before) await this.rows.update({ accountId }, before);
        else if (now) await this.rows.delete({ accountId });
        else if (before) await this.rows.insert(before);
        if (now || before) this.note(accountId, now, before);
        return true;
      });
  }

  /** The certificate as the site's server is to have it; undefined where its key cannot be opened: whatever the server has stays there. */
  async wanted(accountId: number): Promise<DriverCertificate | null | undefined> {
    const row = await this.of(accountId);
    return row && this.installable(row);
  }

  /** Has the site's server install what the row says; a repetition mends what did not get there. @throws what the server comes to */
  async push(site: OpenSite): Promise<void> {
    const wanted = await this.wanted(site.account.id);
    if (wanted === undefined) return;
    await site.ask('certificates', (port, account, deadline) => port.apply(account, wanted, deadline));
  }

  /**
   * Counts an order that was to renew a certificate and failed: it is tried again in 1, 2, 4 … hours, 24 at most.
   *
   * @returns how many there are in a row
   */
  async renewalFailed(accountId: number): Promise<number> {
    const row = await this.of(accountId);
    if (!row?.renewAt) return 0;
    const failures = row.renewFailures + 1;
    const wait = Math.min(HOUR_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
    // A quarter more or less by chance: those that failed together do not come back together.
    const renewAt = new Date(this.clock.now().getTime() + wait * (0.75 + Math.random() / 2));
    await this.rows.update({ accountId, version: row.version }, { renewFailures: failures, renewAt });
    return failures;
  }

  /** Has one that was ordered looked at again as while its site is stopped, without counting a failure. */
  async renewWhenRunning(accountId: number): Promise<void> {
    await this.rows.update({ accountId, source: 'acme' }, { renewAt: new Date(this.clock.now().getTime() + STOPPED_MS) });
  }

  private installable({ names, chain, sealedKey, forceHttps }: SiteCertificate): DriverCertificate | undefined {
    const key = this.secrets.open(sealedKey, CERTIFICATE_KEY_PLACE);
    return key === null ? undefined : { names, chain, key, forceHttps };
  }

  private note(id: number, before: LoggedCertificate | null, after: LoggedCertificate | null): void {
    this.database.noteChange({ of: 'certificate', id }, before && told(before), after && told(after));
  }
}

/** What the operation log tells of a certificate. */
type LoggedCertificate = Pick<SiteCertificate, 'names' | 'issuer' | 'endsAt' | 'forceHttps'>;

const told = ({ names, issuer, endsAt, forceHttps }: LoggedCertificate): Record<string, unknown> => ({
  'certificate.names': names.join(', '),
  'certificate.issuer': issuer,
  'certificate.endsAt': endsAt.toISOString().slice(0, 10),
  'certificate.forceHttps': forceHttps,
});

const newVersion = (): string => randomBytes(12).toString('hex');

/** When a certificate is due: 30 days before its end, and of short-lived ones when a third of their time is left. */
function renewalOf({ beginsAt, endsAt }: ReadCertificate): Date {
  const lead = Math.min(RENEW_DAYS * DAY_MS, (endsAt.getTime() - beginsAt.getTime()) / 3);
  return new Date(endsAt.getTime() - lead - Math.random() * Math.min(JITTER_MS, lead / 4));
}
