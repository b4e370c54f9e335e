import { Inject, Injectable } from '@nestjs/common';
import { CustomersService, HostsService, type CallContext, type HostRecord, type NameRecord, type OrderOwner } from '@svc/sdk';

/** The signed-in buyer: a customer, the owner of a host, or both. */
export interface Buyer {
  /** Null for a host owner without a customer account. */
  readonly customer: { readonly id: number; readonly username: string } | null;
  /** The buyer's hosts, the signed-in one first. */
  readonly hosts: readonly HostRecord[];
  /** Distinguishes requests of different buyers. */
  readonly key: string;
}

/** Determines the buyer of a request. */
@Injectable()
export class Buyers {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(HostsService) private readonly hosts: HostsService,
  ) {}

  /** Returns null if nobody is signed in. */
  async of(ctx: CallContext): Promise<Buyer | null> {
    const customer = await this.customers.current(ctx);
    const host = ctx.user ? await this.hosts.get(ctx.user.id) : null;
    if (!customer && !host) return null;
    const others = customer ? await this.customers.hostsOf(customer.id) : [];
    const hosts = [...(host ? [host] : []), ...others.filter(({ id }) => id !== host?.id)];
    const key = customer ? `c:${customer.id}` : `h:${host!.id}`;
    return { customer: customer && { id: customer.id, username: customer.username }, hosts, key };
  }
}

/** Returns the buyer's hosts that can serve names of a server now. */
export function hostsAt({ hosts }: Buyer, node: string): HostRecord[] {
  return hosts.filter((host) => host.node === node && host.status === 'active');
}

/** Whether a name belongs to a buyer, directly or through a host. */
export function hasName({ customer, hosts }: Buyer, name: NameRecord): boolean {
  const isCustomers = customer !== null && name.customer === customer.id;
  return name.state === 'sold' && (isCustomers || hosts.some(({ id }) => id === name.host));
}

/** Returns the owner of an order for a host: its customer, else the host itself. */
export function ownerFor({ customer }: Buyer, host: HostRecord | null): OrderOwner | null {
  if (customer && (host === null || host.ownerId === customer.id)) return { customer: customer.id };
  return host === null ? null : { account: host.id };
}
