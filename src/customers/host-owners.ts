import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

import { CustomerError } from './errors.js';

/** Hosts of one customer that are told of. */
const MOST_HOSTS = 1_000;

/**
 * Whose hosts are: each belongs to one customer or to nobody, as its own row says (`SVC_zj.owner_id`). Deleting the host for good ends it,
 * and so does handing it on; {@link HostOwnership} of hosting writes it.
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
       ORDER BY {HostingAccount.id} LIMIT ${MOST_HOSTS}`,
    );
    this.selectBinned = database.statement<{ count: number }>('SELECT COUNT(*) AS count FROM {BinnedSite} WHERE {BinnedSite.ownerId} = ?');
    // MySQL waits for a customer who is being deleted; SQLite has one writer.
    const locked = database.engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    this.lock = database.statement<{ id: number }>(`SELECT {Customer.id} AS id FROM {Customer} WHERE {Customer.id} = ?${locked}`);
  }

  /** Id of the customer a host belongs to; null for nobody's, and for a host there is not. */
  async ownerOf(hostId: number): Promise<number | null> {
    return (await this.selectOwner.get(hostId))?.owner ?? null;
  }

  /** Ids of a customer's hosts, the oldest first, at most 1,000. */
  async hostsOf(customerId: number): Promise<number[]> {
    return (await this.selectHosts.all(customerId)).map(({ id }) => id);
  }

  /** How many of his deleted sites are still kept: put back, they are his again. */
  async binnedOf(customerId: number): Promise<number> {
    return Number((await this.selectBinned.get(customerId))?.count ?? 0);
  }

  /** Inside a transaction that gives him something: he is there until it ends. @throws CustomerError CUSTOMER_MISSING */
  async require(customerId: number): Promise<void> {
    if (!(await this.lock.get(customerId))) throw new CustomerError('CUSTOMER_MISSING');
  }
}
