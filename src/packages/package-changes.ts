import { Injectable } from '@nestjs/common';

import { Clock, legacyDay, MAX_AMOUNT } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { HostingService, PAUSE_REASON } from '../hosting/index.js';
import type { HostRecord, PackageOffer } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments } from './host-payments.js';
import { PackageFit, type TooMuch } from './package-fit.js';
import { limitsOf, PackageOffers } from './package-offers.js';
import { changeOf, daysLeft, priceOfRest, rateMonths, type Change, type PaidTime } from './package-value.js';

/** Pauses a change of package does not wait for: it may end the one for limits, and a renewal the one for expiry. */
const PASSING: readonly string[] = [PAUSE_REASON.quota, PAUSE_REASON.expiry, PAUSE_REASON.idle];

/** A change of package as it would be at this moment. */
export interface QuotedChange {
  readonly offer: PackageOffer;
  readonly change: Change;
  /** What the host uses more of than the package has. */
  readonly tooMuch: readonly TooMuch[];
}

/** A host with what it may be changed to. */
export interface Changeable {
  readonly host: HostRecord & { readonly package: string; readonly expiresOn: string };
  readonly today: string;
  readonly daysLeft: number;
  /** The package it is of, where its shop still knows it. */
  readonly present: PackageOffer | undefined;
  readonly others: readonly PackageOffer[];
  readonly paid: readonly PaidTime[];
}

/** What changing the package of a host would come to now; nothing is changed here. */
@Injectable()
export class PackageChanges {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: PackageOffers,
    private readonly payments: HostPayments,
    private readonly fit: PackageFit,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** @throws PackageError HOST_MISSING, NO_PACKAGE, NEVER_EXPIRES, STANDS_STILL */
  async of(hostId: number): Promise<Changeable> {
    const host = await this.hosting.get(hostId);
    if (!host) throw new PackageError('HOST_MISSING');
    if (host.package === null) throw new PackageError('NO_PACKAGE');
    if (host.expiresOn === null) throw new PackageError('NEVER_EXPIRES');
    if (!host.pauseReasons.every((reason) => PASSING.includes(reason)) || host.status === 'provisioning')
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

  /** What a change would be. */
  async quote(subject: Changeable, to: PackageOffer): Promise<QuotedChange> {
    const { host, present: from, today, paid } = subject;
    const change = changeOf({ from, to, paid, today, expiresOn: host.expiresOn });
    return { offer: to, change, tooMuch: await this.fit.problems(host.id, limitsOf(to)) };
  }

  /** All of them, without those no order could be made of. */
  async quotes(subject: Changeable): Promise<QuotedChange[]> {
    const quotes = await Promise.all(subject.others.map((offer) => this.quote(subject, offer)));
    return quotes.filter(({ change }) => change.when === 'renewal' || change.amount <= MAX_AMOUNT);
  }

  /** One of them. @throws PackageError SAME_PACKAGE, NOT_OFFERED */
  async find(subject: Changeable, key: string): Promise<QuotedChange> {
    if (key === subject.host.package) throw new PackageError('SAME_PACKAGE', {}, { spid: 'packages.same_package' });
    const offer = subject.others.find((one) => one.package === key);
    const quote = offer && (await this.quote(subject, offer));
    if (!quote || (quote.change.when === 'now' && quote.change.amount > MAX_AMOUNT))
      throw new PackageError('NOT_OFFERED', {}, { spid: 'packages.not_offered' });
    return quote;
  }

  /** What the days a host has left cost at a package's price, in fen. */
  restPrice(offer: PackageOffer, paid: readonly PaidTime[], expiresOn: string): number {
    const today = this.today();
    return priceOfRest(offer, rateMonths(paid, today), { today, expiresOn });
  }

  /** The day it is for the installation. */
  today(): string {
    return legacyDay(this.clock.now(), this.config.timezone);
  }
}
