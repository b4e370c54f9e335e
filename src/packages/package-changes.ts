import { Injectable } from '@nestjs/common';

import { MAX_AMOUNT } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { HostingService, PAUSE_REASON } from '../hosting/index.js';
import type { HostRecord, PackageOffer } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments } from './host-payments.js';
import { PackageFit, type TooMuch } from './package-fit.js';
import { limitsOf, PackageOffers } from './package-offers.js';
import { changeOf, daysLeft, priceOfRest, rateMonths, type Change, type PaidTime } from './package-value.js';

/** Pause reasons that do not block a package change: it may resolve a quota pause, and a renewal an expiry pause. */
const NON_BLOCKING: readonly string[] = [PAUSE_REASON.quota, PAUSE_REASON.expiry, PAUSE_REASON.idle];

/** A package change at current prices. */
export interface QuotedChange {
  readonly offer: PackageOffer;
  readonly change: Change;
  /** Usage that exceeds the new package's limits. */
  readonly tooMuch: readonly TooMuch[];
}

/** A host with its possible package changes. */
export interface Changeable {
  readonly host: HostRecord & { readonly package: string; readonly expiresOn: string };
  readonly today: string;
  readonly daysLeft: number;
  /** Its current package, if the shop still offers it. */
  readonly present: PackageOffer | undefined;
  readonly others: readonly PackageOffer[];
  readonly paid: readonly PaidTime[];
}

/** Computes possible package changes of a host and their prices; changes nothing. */
@Injectable()
export class PackageChanges {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: PackageOffers,
    private readonly payments: HostPayments,
    private readonly fit: PackageFit,
    private readonly clock: ZonedClock,
  ) {}

  /** Loads a host with its offers and payments. @throws PackageError HOST_MISSING, NO_PACKAGE, NEVER_EXPIRES, STANDS_STILL */
  async of(hostId: number): Promise<Changeable> {
    const host = await this.hosting.get(hostId);
    if (!host) throw new PackageError('HOST_MISSING');
    if (host.package === null) throw new PackageError('NO_PACKAGE');
    if (host.expiresOn === null) throw new PackageError('NEVER_EXPIRES');
    if (!host.pauseReasons.every((reason) => NON_BLOCKING.includes(reason)) || host.status === 'provisioning')
      throw new PackageError('STANDS_STILL');
    const [offers, today] = [await this.offers.of(host), this.today()];
    return {
      host: { ...host, package: host.package, expiresOn: host.expiresOn },
      today,
      daysLeft: daysLeft({ today, expiresOn: host.expiresOn }),
      present: offers.find((offer) => offer.package === host.package),
      others: offers.filter((offer) => offer.package !== host.package),
      paid: await this.payments.of(host.id, today),
    };
  }

  /** Computes a change to one package. */
  async quote(subject: Changeable, to: PackageOffer): Promise<QuotedChange> {
    const { host, present: from, today, paid } = subject;
    const change = changeOf({ from, to, paid, today, expiresOn: host.expiresOn });
    return { offer: to, change, tooMuch: await this.fit.problems(host.id, limitsOf(to)) };
  }

  /** Computes all changes, except those whose amount exceeds the maximum of an order. */
  async quotes(subject: Changeable): Promise<QuotedChange[]> {
    const quotes = await Promise.all(subject.others.map((offer) => this.quote(subject, offer)));
    return quotes.filter(({ change }) => change.when === 'renewal' || change.amount <= MAX_AMOUNT);
  }

  /** Computes one change by package key. @throws PackageError SAME_PACKAGE, NOT_OFFERED */
  async find(subject: Changeable, key: string): Promise<QuotedChange> {
    if (key === subject.host.package) throw new PackageError('SAME_PACKAGE', {}, { spid: 'packages.same_package' });
    const offer = subject.others.find((one) => one.package === key);
    const quote = offer && (await this.quote(subject, offer));
    if (!quote || (quote.change.when === 'now' && quote.change.amount > MAX_AMOUNT))
      throw new PackageError('NOT_OFFERED', {}, { spid: 'packages.not_offered' });
    return quote;
  }

  /** Price of a host's remaining days in a package, in fen. */
  restPrice(offer: PackageOffer, paid: readonly PaidTime[], expiresOn: string): number {
    const today = this.today();
    return priceOfRest(offer, rateMonths(paid, today), { today, expiresOn });
  }

  /** Today's date in the installation's time zone. */
  today(): string {
    return this.clock.today();
  }
}
