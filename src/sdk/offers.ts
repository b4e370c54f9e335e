import type { HostQuota } from './hosts.js';

/**
 * A period a host may be renewed for, and its price. See the hook `host.renewal.offers`.
 *
 * @example
 * ```ts
 * const year: RenewalOffer = { months: 12, amount: 9_900, name: 'Starter' };
 * svc.svc_add_action('host.renewal.offers', (offers, host) => (host.node === 'bj01' ? [...offers, year] : offers));
 * ```
 * @since 1.84.0
 */
export interface RenewalOffer {
  /** Length in months, 1 to 120. */
  months: number;
  /** In minor units (fen). 0 means free: the renewal is done immediately, without an order, from seven days before the last day on. */
  amount: number;
  /** What is renewed, such as the name of a plan; becomes part of the order's name. 1 to 80 characters. */
  name: string;
  /** The product bought, as `product` of {@link CreateOrderRequest}: coupons may be limited to it. */
  product?: string;
  /** Key of the host's package after the renewal; unchanged if omitted. */
  package?: string;
}

/**
 * A package a host may change to, or its current package. See the hook `host.package.offers`.
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
  /** The plugin's slug, a colon, and the plugin's own name for the package: at most 185 visible ASCII characters. */
  package: string;
  /** Display name, 1 to 80 characters. */
  name: string;
  /** Current prices, in minor units (fen), for the periods it is sold for: 1 to 120 months. All 0: it is free. */
  prices: readonly { readonly months: number; readonly amount: number }[];
  /** Limits of a host with this package. Omitted limits stay unchanged. */
  limits: HostQuota;
  /** The product bought by the change, as `product` of {@link CreateOrderRequest}: coupons may be limited to it. */
  product?: string;
}
