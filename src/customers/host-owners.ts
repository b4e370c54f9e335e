import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

import { CustomerError } from './errors.js';

/** Maximum hosts returned per customer. */
const MAX_HOSTS = 1_000;

/**
 * Ownership of hosts: each belongs to one customer or to nobody, as stored in its row (`SVC_zj.owner_id`). It ends when the host is
 * deleted permanently or transferred; written by {@link HostOwnership} of hosting.
 */
@Injectable()
export class HostOwners {
  private readonly selectOwner;
  private readonly selectHosts;
  private readonly selectBinned;
  private readonly lock;

  constructor(database: Database) {
    const isThere = "{HostingAccount.state} NOT IN ('terminating', 'failed')";
    this.selectOwner = database.statement<{ owner: number | null }>(
      `SELECT {HostingAccount.ownerId} AS owner FROM {HostingAccount} WHERE {HostingAccount.id} = ? AND ${isThere}`,
    );
    this.selectHosts = database.statement<{ id: number }>(
      `SELECT {HostingAccount.id} AS id FROM {HostingAccount} WHERE {HostingAccount.ownerId} = ? AND ${isThere}
       ORDER BY {HostingAccount.id} LIMIT ${MAX_HOSTS}`,
    );
    this.selectBinned = database.statement<{ count: number }>('SELECT COUNT(*) AS count FROM {BinnedSite} WHERE {BinnedSite.ownerId} = ?');
    // MySQL waits for a concurrent deletion of the customer; SQLite has a single writer.
    const locked = database.engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    this.lock = database.statement<{ id: number }>(`SELECT {Customer.id} AS id FROM {Customer} WHERE {Customer.id} = ?${locked}`);
  }

  /** Returns the id of the customer a host belongs to; null if it has no owner or does not exist. */
  async ownerOf(hostId: number): Promise<number | null> {
    return (await this.selectOwner.get(hostId))?.owner ?? null;
  }

  /** Returns the ids of a customer's hosts, the oldest first, at most 1,000. */
  async hostsOf(customerId: number): Promise<number[]> {
    return (await this.selectHosts.all(customerId)).map(({ id }) => id);
  }

  /** Returns the number of the customer's deleted sites in the recycle bin: restoring them restores the ownership. */
  async binnedOf(customerId: number): Promise<number> {
    return Number((await this.selectBinned.get(customerId))?.count ?? 0);
  }

  /** Locks the customer until the end of a transaction that assigns something to them. @throws CustomerError CUSTOMER_MISSING */
  async require(customerId: number): Promise<void> {
    if (!(await this.lock.get(customerId))) throw new CustomerError('CUSTOMER_MISSING');
  }
}
