import type { HostQuota } from './hosts.js';

/**
 * A time a host may be renewed for, and what that costs. See the hook `host.renewal.offers`.
 *
 * @example
 * ```ts
 * const year: RenewalOffer = { months: 12, amount: 9_900, name: 'Starter' };
 * svc.svc_add_action('host.renewal.offers', (offers, host) => (host.node === 'bj01' ? [...offers, year] : offers));
 * ```
 * @since 1.84.0
 */
export interface RenewalOffer {
  /** 1 to 120. */
  months: number;
  /** In minor units (fen). 0: it costs nothing, and is made at once, without an order, from seven days before the last day on. */
  amount: number;
  /** What is renewed, such as the name of a plan: part of the order's name, 1 to 80 characters. */
  name: string;
  /** What is bought by it, as `product` of {@link CreateOrderRequest}: coupons may be limited to it. */
  product?: string;
  /** Key of the package the host is of once it is renewed; left out: as before. */
  package?: string;
}

/**
 * A package a host may be changed to, or the one it is of. See the hook `host.package.offers`.
 *
 * @example
 * ```ts
 * const prices = [{ months: 1, amount: 990 }, { months: 12, amount: 9_900 }];
 * const large: PackageOffer = { package: 'coupons:large', name: 'Large', prices, limits: { webMb: 4_096, domains: 10 } };
 * svc.svc_add_action('host.package.offers', (offers, host) => (host.node === 'bj01' ? [...offers, large] : offers));
 * ```
 * @since 1.84.0
 */
export interface PackageOffer {
  /** The plugin's slug, a colon, and what the plugin calls it: at most 185 visible ASCII characters. */
  package: string;
  /** For people, 1 to 80 characters. */
  name: string;
  /** What it costs now, in minor units (fen), for the times it is sold for: 1 to 120 months. All 0: it is free. */
  prices: readonly { readonly months: number; readonly amount: number }[];
  /** What a host of it has. What is left out stays as it is. */
  limits: HostQuota;
  /** What is bought by changing to it, as `product` of {@link CreateOrderRequest}: coupons may be limited to it. */
  product?: string;
}
