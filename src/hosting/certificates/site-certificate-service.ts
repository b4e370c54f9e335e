import { Injectable } from '@nestjs/common';

import { Clock, timeInSentence } from '../../common/index.js';
import { SiteSettings } from '../../site/index.js';
import { type OpenSite, tellOrUndo } from '../site-tools/index.js';
import { coversName } from '../sites/index.js';

import { acmeSettings } from './acme-settings.js';
import { AuthorityLimits } from './authority-limits.js';
import { CertificateRepository, type WayBack } from './certificate-repository.js';
import { refuse } from './certificate-errors.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { isProofHidden } from './proof-visibility.js';
import { readCertificate } from './read-certificate.js';
import { CertificateNames } from './certificate-names.js';

/** Manages the certificate of a site for its owner and administrators. */
@Injectable()
export class SiteCertificateService {
  /** By account: changes that came to nothing while a later one stood in the way of taking them back. */
  private readonly toUndo = new Map<number, Set<WayBack>>();

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
   * @param given names as they are written; none: those of the certificate there is
   * @param replaces whether the site may have one already, which serves until the new one is here
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
   * Installs a certificate its owner brings; an order that is open is given up, unless nothing becomes of it.
   *
   * @returns whether browsers may miss a certificate between it and its authority
   * @throws CertificateError as `readCertificate`, EMPTY, NAMES; HostingError PORT_MISSING, and what the server comes to
   */
  async install(site: OpenSite, key: string, pem: string): Promise<{ isIncomplete: boolean }> {
    site.port('certificates');
    if (key.trim() === '' || pem.trim() === '') refuse('EMPTY');
    const read = readCertificate(key, pem, this.clock.now());
    const own = await this.names.of(site.account);
    if (!own.some((name) => coversName(read.names, name))) refuse('NAMES', { names: read.names.slice(0, 5).join(', ') || '-' });
    const { undo } = await this.instead(site.account.id, async () => ({ back: await this.repository.keep(site.account.id, read, '') }));
    await this.tell(site, undo);
    return { isIncomplete: read.isIncomplete };
  }

  /**
   * Changes the certificate of a site, in place of whatever is on order for it. Where the change is taken back, the order goes on; it does
   * not where another change has come after it.
   */
  private instead<Change extends { readonly back: WayBack }>(accountId: number, change: () => Promise<Change>) {
    return this.orders.together(async () => {
      const { back, ...changed } = await change();
      const cancelled = await this.orders.cancel(accountId);
      const undo = (): Promise<boolean> =>
        this.orders.together(async () => {
          const isBack = await back();
          if (isBack && cancelled) await this.orders.reopen(cancelled);
          return isBack;
        });
      return { ...changed, isCancelled: cancelled !== null, undo };
    });
  }

  /** Tells a site's server of a change of its certificate, and takes the change back where nothing becomes of it. */
  private async tell(site: OpenSite, undo: WayBack): Promise<void> {
    const { id } = site.account;
    const waiting = this.toUndo.get(id) ?? new Set();
    this.toUndo.set(id, waiting);
    await tellOrUndo(
      () => this.repository.push(site),
      () => takeBack(waiting.add(undo)),
    );
    this.toUndo.delete(id);
  }

  /**
   * Takes the certificate of a site away, and gives up an order that is open.
   *
   * @throws CertificateError NONE; HostingError as {@link install}
   */
  async remove(site: OpenSite): Promise<void> {
    site.port('certificates');
    const { removed, isCancelled, undo } = await this.instead(site.account.id, () => this.repository.remove(site.account.id));
    if (!removed && !isCancelled) refuse('NONE');
    await this.tell(site, undo);
  }

  /** Gives up an order that is open; a certificate there is stays. @throws CertificateError NO_ORDER */
  async cancel(site: OpenSite): Promise<void> {
    if (!(await this.orders.cancel(site.account.id))) refuse('NO_ORDER');
  }

  /** Whether visitors who come by `http://` are sent to `https://`. @throws CertificateError NONE; HostingError as {@link install} */
  async forceHttps(site: OpenSite, isForced: boolean): Promise<void> {
    site.port('certificates');
    const undo = await this.repository.setForceHttps(site.account.id, isForced);
    await this.tell(site, undo);
  }
}

/** Takes changes back until a later one stands in the way of each that is left. */
async function takeBack(waiting: Set<WayBack>): Promise<void> {
  for (const one of waiting) {
    if (!(await one())) continue;
    waiting.delete(one);
    return takeBack(waiting);
  }
}
