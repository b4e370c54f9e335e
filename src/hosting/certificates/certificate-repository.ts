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

/** Days before expiry at which a certificate is renewed; certificates with a shorter life are renewed at a third of it. */
export const RENEW_DAYS = 30;
/** Random part by which renewals are earlier, in milliseconds, to spread them over the day. */
const JITTER_MS = 12 * HOUR_MS;
/** Longest wait after failed renewals, in milliseconds. */
const MAX_WAIT_MS = DAY_MS;
/** How soon a due renewal is checked again while its site is stopped and nothing can be ordered, in milliseconds. */
export const STOPPED_MS = 1_800_000;

/** Reverts a change of a certificate. @returns false when it was changed again since, and is left unchanged */
export type Revert = () => Promise<boolean>;

/** Rows of the certificates of sites, and their installation on servers. */
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

  /** Returns the certificate of a site; null if it has none. */
  of(accountId: number): Promise<SiteCertificate | null> {
    return this.rows.findOneBy({ accountId });
  }

  /**
   * Stores a certificate for a site, replacing the previous one. The server is updated separately: see {@link push}.
   *
   * @param directory of the authority it was ordered from; empty for one uploaded by the owner
   * @returns a function that reverts the change, unless it was changed since
   * @throws HostingError ACCOUNT_STATE when the site no longer exists
   */
  keep(accountId: number, read: ReadCertificate, directory: string): Promise<Revert> {
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
      return this.revertTo(accountId, values.version, before);
    });
  }

  /** Removes the certificate of a site. @returns whether there was one, and a function that reverts the change */
  remove(accountId: number): Promise<{ removed: boolean; back: Revert }> {
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const before = await this.of(accountId);
      if (before) {
        await this.rows.delete({ accountId });
        this.note(accountId, before, null);
      }
      return { removed: before !== null, back: this.revertTo(accountId, null, before) };
    });
  }

  /** Marks a certificate as revoked, so that another one is ordered as soon as possible. */
  async revoked(accountId: number, version: string): Promise<void> {
    await this.database.transaction(async () => {
      const now = this.clock.now();
      const { affected } = await this.rows.update({ accountId, version }, { revokedAt: now, renewAt: now });
      if (affected === 1)
        this.database.noteChange({ of: 'certificate', id: accountId }, { 'certificate.revoked': false }, { 'certificate.revoked': true });
    });
  }

  /** @returns a function that reverts the change @throws CertificateError NONE */
  setForceHttps(accountId: number, forceHttps: boolean): Promise<Revert> {
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingAccount', 'id', accountId);
      const before = (await this.of(accountId)) ?? refuse('NONE');
      const version = newVersion();
      await this.rows.update({ accountId }, { forceHttps, version });
      this.note(accountId, before, { ...before, forceHttps });
      return this.revertTo(accountId, version, before);
    });
  }

  /** Restores the earlier row if the present one is unchanged. @param version of the changed row; null if it was deleted */
  private revertTo(accountId: number, version: string | null, before: SiteCertificate | null): Revert {
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

  /**
   * Returns the certificate the site's server should have; undefined if its key cannot be decrypted, so that the server keeps what it has.
   */
  async wanted(accountId: number): Promise<DriverCertificate | null | undefined> {
    const row = await this.of(accountId);
    return row && this.installable(row);
  }

  /** Installs the certificate of the row on the site's server; repeating the call repairs a failed one. @throws errors of the server */
  async push(site: OpenSite): Promise<void> {
    const wanted = await this.wanted(site.account.id);
    if (wanted === undefined) return;
    await site.ask('certificates', (port, account, deadline) => port.apply(account, wanted, deadline));
  }

  /**
   * Counts a failed renewal: it is retried after 1, 2, 4 … hours, 24 at most.
   *
   * @returns the number of consecutive failures
   */
  async renewalFailed(accountId: number): Promise<number> {
    const row = await this.of(accountId);
    if (!row?.renewAt) return 0;
    const failures = row.renewFailures + 1;
    const wait = Math.min(HOUR_MS * 2 ** (failures - 1), MAX_WAIT_MS);
    // A random quarter more or less, so that renewals that failed together are not retried together.
    const renewAt = new Date(this.clock.now().getTime() + wait * (0.75 + Math.random() / 2));
    await this.rows.update({ accountId, version: row.version }, { renewFailures: failures, renewAt });
    return failures;
  }

  /** Postpones the renewal of an ordered certificate while its site is stopped, without counting a failure. */
  async renewWhenRunning(accountId: number): Promise<void> {
    await this.rows.update({ accountId, source: 'acme' }, { renewAt: new Date(this.clock.now().getTime() + STOPPED_MS) });
  }

  private installable({ names, chain, sealedKey, forceHttps }: SiteCertificate): DriverCertificate | undefined {
    const key = this.secrets.open(sealedKey, CERTIFICATE_KEY_PLACE);
    return key === null ? undefined : { names, chain, key, forceHttps };
  }

  private note(id: number, before: LoggedCertificate | null, after: LoggedCertificate | null): void {
    this.database.noteChange({ of: 'certificate', id }, before && loggedFields(before), after && loggedFields(after));
  }
}

/** Fields of a certificate in the operation log. */
type LoggedCertificate = Pick<SiteCertificate, 'names' | 'issuer' | 'endsAt' | 'forceHttps'>;

const loggedFields = ({ names, issuer, endsAt, forceHttps }: LoggedCertificate): Record<string, unknown> => ({
  'certificate.names': names.join(', '),
  'certificate.issuer': issuer,
  'certificate.endsAt': endsAt.toISOString().slice(0, 10),
  'certificate.forceHttps': forceHttps,
});

const newVersion = (): string => randomBytes(12).toString('hex');

/** Returns the renewal time: 30 days before expiry, or at a third of the life of short-lived certificates. */
function renewalOf({ beginsAt, endsAt }: ReadCertificate): Date {
  const lead = Math.min(RENEW_DAYS * DAY_MS, (endsAt.getTime() - beginsAt.getTime()) / 3);
  return new Date(endsAt.getTime() - lead - Math.random() * Math.min(JITTER_MS, lead / 4));
}
