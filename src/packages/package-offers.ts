import { Injectable } from '@nestjs/common';

import { MAX_AMOUNT } from '../common/index.js';
import { PRODUCT } from '../coupons/index.js';
import { HookRegistry } from '../hooks/index.js';
import { isPackage } from '../hosting/index.js';
import type { HostQuota, HostRecord, PackageOffer } from '../sdk/index.js';

const MAX_MONTHS = 120;
const MAX_NAME = 80;
const MAX_PRICES = 20;
const LIMITS: readonly (keyof HostQuota)[] = ['webMb', 'databaseMb', 'trafficGb', 'domains', 'monitors', 'backups'];

/** Packages available to hosts, collected from shops by the hook `host.package.offers`; only shops set prices. */
@Injectable()
export class PackageOffers {
  constructor(private readonly hooks: HookRegistry) {}

  /** Returns the packages for a host, including its current one if the shop still offers it, in the shops' order. */
  async of(host: HostRecord): Promise<PackageOffer[]> {
    const given: unknown = await this.hooks.applyByReference('host.package.offers', [], host);
    const offers = new Map<string, PackageOffer>();
    for (const offer of Array.isArray(given) ? (given as unknown[]) : []) {
      if (isOffer(offer) && !offers.has(offer.package)) offers.set(offer.package, { ...offer, name: offer.name.trim() });
    }
    return [...offers.values()];
  }
}

/** Plugin data is untrusted: invalid offers are dropped. */
function isOffer(value: unknown): value is PackageOffer {
  if (typeof value !== 'object' || value === null) return false;
  const { package: key, name, prices, limits, product } = value as Record<string, unknown>;
  if (!isPackage(key)) return false;
  if (product !== undefined && !(typeof product === 'string' && PRODUCT.test(product))) return false;
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME) return false;
  if (!Array.isArray(prices) || prices.length === 0 || prices.length > MAX_PRICES) return false;
  return (prices as unknown[]).every(isPrice) && isLimits(limits);
}

function isPrice(value: unknown): boolean {
  const { months, amount } = (value ?? {}) as Record<string, unknown>;
  return isWhole(months, 1, MAX_MONTHS) && isWhole(amount, 0, MAX_AMOUNT);
}

function isLimits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const limits = value as Record<string, unknown>;
  return LIMITS.every((name) => limits[name] === undefined || limits[name] === null || isWhole(limits[name], 0, 2_000_000_000));
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** Returns only the known limits of an offer. */
export function limitsOf({ limits }: PackageOffer): HostQuota {
  return Object.fromEntries(LIMITS.filter((name) => limits[name] !== undefined).map((name) => [name, limits[name]]));
}
