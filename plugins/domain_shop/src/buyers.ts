import { Inject, Injectable } from '@nestjs/common';
import { CustomersService, HostsService, type CallContext, type HostRecord, type NameRecord, type OrderOwner } from '@svc/sdk';

/** Who is signed in: a customer, the owner of a host, or both. */
export interface Buyer {
  /** Null: without an account, by his host's own sign-in. */
  readonly customer: { readonly id: number; readonly username: string } | null;
  /** His hosts, the one he is signed in to first. */
  readonly hosts: readonly HostRecord[];
  /** Tells requests of one buyer from those of another. */
  readonly key: string;
}

/** Finds out who buys. */
@Injectable()
export class Buyers {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(HostsService) private readonly hosts: HostsService,
  ) {}

  /** Null: nobody is signed in. */
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

/** Hosts that names of a server can be shown by now. */
export function hostsAt({ hosts }: Buyer, node: string): HostRecord[] {
  return hosts.filter((host) => host.node === node && host.status === 'active');
}

/** Whether a name is somebody's: his own, or of one of his hosts. */
export function hasName({ customer, hosts }: Buyer, name: NameRecord): boolean {
  const isCustomers = customer !== null && name.customer === customer.id;
  return name.state === 'sold' && (isCustomers || hosts.some(({ id }) => id === name.host));
}

/** Whose an order for a host is: the customer's it belongs to, else the host's own. */
export function ownerFor({ customer }: Buyer, host: HostRecord | null): OrderOwner | null {
  if (customer && (host === null || host.ownerId === customer.id)) return { customer: customer.id };
  return host === null ? null : { account: host.id };
}
