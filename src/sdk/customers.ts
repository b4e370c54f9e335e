import type { CallContext } from './context.js';
import type { HostRecord } from './records.js';

/**
 * A customer: somebody who buys, signs in at `/account`, and may own several hosts. Never with a secret.
 *
 * @example
 * ```ts
 * const customer: CustomerRecord | null = await svc.customers.get(7);
 * if (customer?.emailVerified) svc.log.info('reached by mail', { customer: customer.id });
 * ```
 * @since 1.84.0
 */
export interface CustomerRecord {
  id: number;
  username: string;
  /** Empty where none was given. */
  email: string;
  /** Whether the customer has shown that the address is his. */
  emailVerified: boolean;
  /** Empty where none was given. */
  qq: string;
  /** `locked` where the reseller has locked the customer out; `svc.customers.current` never answers one. */
  status: 'active' | 'locked';
  createdAt: string;
}

/**
 * Who buys, and whose hosts are. Needs `customers` among the `permissions` of plugin.json. The class is also the token a Nest module
 * injects it by.
 *
 * @example
 * ```ts
 * svc.svc_register_route('GET', '/coupons/mine', async (_params, ctx) => {
 *   const customer = await svc.customers.current(ctx);
 *   if (!customer) return { status: 302, headers: { Location: '/account/login?next=/coupons/mine' }, body: '' };
 *   const hosts = await svc.customers.hostsOf(customer.id);
 *   return { customer: customer.username, hosts: hosts.map((host) => host.user) };
 * });
 * ```
 * @since 1.84.0
 */
export abstract class CustomersService {
  /** The customer who is signed in, by the cookie of the request; null for nobody. */
  abstract current(ctx: Pick<CallContext, 'cookies'>): Promise<CustomerRecord | null>;
  /** The customer by id, locked ones too; null where there is none. */
  abstract get(id: number): Promise<CustomerRecord | null>;
  /** Whose a host is; null for nobody's. */
  abstract ownerOf(hostId: number): Promise<CustomerRecord | null>;
  /** The hosts of a customer, the oldest first, at most 1,000; those being deleted are left out. */
  abstract hostsOf(customerId: number): Promise<HostRecord[]>;
  /**
   * Says whose a host is; null: nobody's. The login of the host stays what it is.
   *
   * @throws Error with `code` `CUSTOMER_MISSING` where there is no such customer, or such as `ACCOUNT_NOT_FOUND`
   */
  abstract assignHost(hostId: number, customerId: number | null): Promise<HostRecord>;
}
