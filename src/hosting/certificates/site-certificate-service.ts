import { Injectable } from '@nestjs/common';

import { Clock, timeInSentence } from '../../common/index.js';
import { SiteSettings } from '../../site/index.js';
import { type OpenSite, applyOrUndo } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';

import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateRepository, type Revert } from './certificate-repository.js';
import { refuse } from './certificate-errors.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { readCertificate } from './read-certificate.js';
import { CertificateNames } from './certificate-names.js';

/** Manages the certificate of a site for its owner and administrators. */
@Injectable()
export class SiteCertificateService {
  /** By account: functions that revert failed changes, kept while a later change prevents that. */
  private readonly pendingReverts = new Map<number, Set<Revert>>();

  constructor(
    private readonly repository: CertificateRepository,
    private readonly orders: CertificateOrderRepository,
    private readonly names: CertificateNames,
    private readonly limits: AuthorityLimits,
    private readonly settings: SiteSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Orders a certificate for names of a site.
   *
   * @param given names as entered; empty for those of the present certificate
   * @param replaces whether the site may have a certificate already, which is used until the new one is installed
   * @throws CertificateError OFF, IS_ON, NOT_RUNNING, NO_NAMES, MANY_NAMES, NOT_BOUND, WILDCARD, LOCAL, LIMIT, BUSY; HostingError
   *   PORT_MISSING
   */
  async order(site: OpenSite, given: readonly string[], replaces: boolean, by?: string): Promise<readonly string[]> {
    site.port('certificates');
    const { isOn, directory } = acmeSettings(this.settings.current);
    if (!isOn) refuse('OFF');
    const present = await this.repository.of(site.account.id);
    if (present && !replaces) refuse('IS_ON');
    if (isProofHidden(site)) refuse('NOT_RUNNING');
    const names = await this.names.wanted(site.account, given.length > 0 || !present ? given : present.names);
    const reached = await this.limits.reached(directory, names);
    if (reached) refuse('LIMIT', { until: timeInSentence(reached.until, 'UTC') });
    await this.orders.open(site.account.id, names, directory, present?.source === 'acme' && given.length === 0, by);
    return names;
  }

  /**
   * Installs a certificate uploaded by the owner and cancels an open order, which is reopened if this fails.
   *
   * @returns whether the chain may lack a certificate of its authority
   * @throws CertificateError as `readCertificate`, EMPTY, NAMES; HostingError PORT_MISSING, and errors of the server
   */
  async install(site: OpenSite, key: string, pem: string): Promise<{ isIncomplete: boolean }> {
    site.port('certificates');
    if (key.trim() === '' || pem.trim() === '') refuse('EMPTY');
    const read = readCertificate(key, pem, this.clock.now());
    const own = await this.names.of(site.account);
    if (!own.some((name) => coversName(read.names, name))) refuse('NAMES', { names: read.names.slice(0, 5).join(', ') || '-' });
    const { undo } = await this.replace(site.account.id, async () => ({ back: await this.repository.keep(site.account.id, read, '') }));
    await this.push(site, undo);
    return { isIncomplete: read.isIncomplete };
  }

  /**
   * Changes the certificate of a site and cancels its open order. Reverting the change reopens the order, unless another change followed.
   */
  private replace<Change extends { readonly back: Revert }>(accountId: number, change: () => Promise<Change>) {
    return this.orders.inTransaction(async () => {
      const { back, ...changed } = await change();
      const cancelled = await this.orders.cancel(accountId);
      const undo = (): Promise<boolean> =>
        this.orders.inTransaction(async () => {
          const isBack = await back();
          if (isBack && cancelled) await this.orders.reopen(cancelled);
          return isBack;
        });
      return { ...changed, isCancelled: cancelled !== null, undo };
    });
  }

  /** Sends a change of a certificate to the site's server and reverts it on failure. */
  private async push(site: OpenSite, undo: Revert): Promise<void> {
    const { id } = site.account;
    const waiting = this.pendingReverts.get(id) ?? new Set();
    this.pendingReverts.set(id, waiting);
    await applyOrUndo(
      () => this.repository.push(site),
      () => revertAll(waiting.add(undo)),
    );
    this.pendingReverts.delete(id);
  }

  /**
   * Removes the certificate of a site and cancels its open order.
   *
   * @throws CertificateError NONE; HostingError as {@link install}
   */
  async remove(site: OpenSite): Promise<void> {
    site.port('certificates');
    const { removed, isCancelled, undo } = await this.replace(site.account.id, () => this.repository.remove(site.account.id));
    if (!removed && !isCancelled) refuse('NONE');
    await this.push(site, undo);
  }

  /** Cancels the open order; an existing certificate stays. @throws CertificateError NO_ORDER */
  async cancel(site: OpenSite): Promise<void> {
    if (!(await this.orders.cancel(site.account.id))) refuse('NO_ORDER');
  }

  /** Sets whether `http://` is redirected to `https://`. @throws CertificateError NONE; HostingError as {@link install} */
  async forceHttps(site: OpenSite, isForced: boolean): Promise<void> {
    site.port('certificates');
    const undo = await this.repository.setForceHttps(site.account.id, isForced);
    await this.push(site, undo);
  }
}

/** Reverts changes until a later change prevents it for all that remain. */
async function revertAll(waiting: Set<Revert>): Promise<void> {
  for (const one of waiting) {
    if (!(await one())) continue;
    waiting.delete(one);
    return revertAll(waiting);
  }
}
