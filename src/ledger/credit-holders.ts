import { Injectable } from '@nestjs/common';

import { Customers, type Customer } from '../customers/index.js';
import { Database } from '../database/index.js';
import { HostingService } from '../hosting/index.js';
import type { OrderOwner } from '../sdk/index.js';

import { LedgerError } from './errors.js';
import { Ledger, type CreditHolder } from './ledger.js';

/** Determines the credit account of an owner: a host uses its customer's, or its own if it has no customer. */
@Injectable()
export class CreditHolders {
  private readonly ownCreditsOfHosts;

  constructor(
    database: Database,
    private readonly hosting: HostingService,
    private readonly customers: Customers,
    private readonly ledger: Ledger,
  ) {
    this.ownCreditsOfHosts = database.statement<{ id: number }>(
      `SELECT {Credit}.{Credit.id} AS id FROM {HostingAccount} JOIN {Credit} ON {Credit.holderKind} = 'account'
         AND {Credit.holderId} = {HostingAccount}.{HostingAccount.id} AND {Credit.balance} > 0
       WHERE {HostingAccount.ownerId} = ? ORDER BY {Credit}.{Credit.id} LIMIT 200`,
    );
  }

  /** Returns the credit holder; null if it does not exist (any more). */
  async find(owner: OrderOwner): Promise<CreditHolder | null> {
    if ('customer' in owner) return this.customer(owner.customer);
    const host = await this.hosting.get(owner.account);
    if (!host) return null;
    const customer = host.ownerId === null ? null : await this.customer(host.ownerId);
    return customer ?? { kind: 'account', id: host.id, name: host.user };
  }

  /**
   * Returns the credit holder. Credit that hosts had before they were given to the customer is moved to the customer's credit.
   *
   * @throws LedgerError NO_HOLDER
   */
  async of(owner: OrderOwner | null): Promise<CreditHolder> {
    const holder = owner && (await this.find(owner));
    if (!holder) throw new LedgerError('NO_HOLDER');
    if (holder.kind === 'customer') for (const { id } of await this.ownCreditsOfHosts.all(holder.id)) await this.ledger.join(id, holder);
    return holder;
  }

  /** Finds a customer by user name, ignoring case. */
  async customerNamed(username: string): Promise<CreditHolder | null> {
    return holderOf(await this.customers.findByName(username));
  }

  private async customer(id: number): Promise<CreditHolder | null> {
    return holderOf(await this.customers.find(id));
  }
}

function holderOf(customer: Customer | null): CreditHolder | null {
  return customer && { kind: 'customer', id: customer.id, name: customer.username };
}
