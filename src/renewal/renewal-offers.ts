import { Injectable } from '@nestjs/common';

import { MAX_AMOUNT } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { PRODUCT } from '../coupons/index.js';
import { HookRegistry } from '../hooks/index.js';
import { isPackage, renewedByMonths } from '../hosting/index.js';
import { PackageRenewals } from '../packages/index.js';
import type { HostRecord, RenewalOffer } from '../sdk/index.js';

import { freeFrom } from './free-renewals.js';

/** Maximum months of one renewal. */
export const MAX_MONTHS = 120;
const MAX_NAME = 80;

/** An offer with its resulting last day. */
export interface DatedOffer extends RenewalOffer {
  /** `YYYY-MM-DD`. */
  readonly until: string;
  /** First day on which it is available, if in the future: free hosts are renewed shortly before their last day. */
  readonly from?: string;
}

/** Renewal offers of hosts, provided only by shops through the hook `host.renewal.offers`. */
@Injectable()
export class RenewalOffers {
  constructor(
    private readonly hooks: HookRegistry,
    private readonly clock: ZonedClock,
    private readonly packages: PackageRenewals,
  ) {}

  /** Returns the offers for a host, the shortest first; empty if it never expires. */
  async of(host: HostRecord): Promise<DatedOffer[]> {
    if (host.expiresOn === null) return [];
    // A planned package change takes effect with the renewal, so the price is that of the new package.
    const { package: key } = await this.packages.of(host);
    const given: unknown = await this.hooks.applyByReference('host.renewal.offers', [], { ...host, package: key });
    const offers = new Map<number, RenewalOffer>();
    for (const offer of Array.isArray(given) ? (given as unknown[]) : []) {
      if (isOffer(offer) && !offers.has(offer.months)) offers.set(offer.months, offer);
    }
    return [...offers.values()]
      .sort((a, b) => a.months - b.months)
      .map(({ months, amount, name, product, package: of }) => ({
        months,
        amount,
        name: name.trim(),
        until: this.lastDay(host, months),
        ...(amount === 0 && freeFrom(host.expiresOn!) > this.today() ? { from: freeFrom(host.expiresOn!) } : {}),
        ...(product === undefined ? {} : { product }),
        ...(of === undefined ? {} : { package: of }),
      }));
  }

  /** Returns the last day of a host if it is renewed now. */
  lastDay({ expiresOn, graceDays }: Pick<HostRecord, 'expiresOn' | 'graceDays'>, months: number): string {
    return renewedByMonths({ expiresOn: expiresOn!, graceDays }, months, this.today());
  }

  private today(): string {
    return this.clock.today();
  }
}

/** Plugins may return anything: invalid entries are ignored. */
function isOffer(value: unknown): value is RenewalOffer {
  if (typeof value !== 'object' || value === null) return false;
  const { months, amount, name, product, package: key } = value as Record<string, unknown>;
  if (key !== undefined && !isPackage(key)) return false;
  if (!Number.isInteger(months) || (months as number) < 1 || (months as number) > MAX_MONTHS) return false;
  if (!Number.isInteger(amount) || (amount as number) < 0 || (amount as number) > MAX_AMOUNT) return false;
  if (product !== undefined && !(typeof product === 'string' && PRODUCT.test(product))) return false;
  return typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME;
}
