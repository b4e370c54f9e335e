import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { AccountDrivers, AccountStore, type BoundDriver, driverError } from '../accounts/index.js';
import { succeeded } from '../driver/index.js';
import { type HostingAccount, HostingNode, type SiteMove } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { OpenSite } from '../site-tools/index.js';

import { MoveError } from './move-errors.js';

/** One end of a move: a site in the state of its account, and the driver of its server. */
export interface MoveEnd {
  readonly site: OpenSite;
  readonly bound: BoundDriver;
}

/** Accesses both ends of a move. */
@Injectable()
export class MoveSites {
  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly database: Database,
  ) {}

  /** Returns the account of a move; null if it is deleted or being deleted. */
  async accountOf({ hostId }: Pick<SiteMove, 'hostId'>): Promise<HostingAccount | null> {
    const account = await this.store.find(hostId);
    return account && (account.state === 'active' || account.state === 'paused') ? account : null;
  }

  /** Like {@link accountOf}, and requires the site to be on the given server. @throws MoveError HOST_CHANGED */
  async accountOn(row: SiteMove, code: string): Promise<HostingAccount> {
    const account = await this.accountOf(row);
    if (account?.nodeCode !== code) throw new MoveError('HOST_CHANGED');
    return account;
  }

  /** Returns the site of an account on one of the two servers. @throws HostingError NODE_NOT_FOUND, DRIVER_MISSING */
  async on(account: HostingAccount, code: string, siteId: string): Promise<MoveEnd> {
    const there = { ...account, nodeCode: code, siteId };
    const bound = await this.drivers.of(there);
    return { bound, site: new OpenSite(there, bound) };
  }

  /** Like {@link on}, but the web site stays stopped when the account is unsuspended. */
  stopped(account: HostingAccount, code: string, siteId: string): Promise<MoveEnd> {
    return this.on({ ...account, siteStopped: true }, code, siteId);
  }

  /** Returns a site that no longer belongs to an account. @returns null if its server was removed from the panel */
  async remains(row: SiteMove, code: string, siteId: string): Promise<BoundDriver | null> {
    try {
      const { hostId, username, siteName } = row;
      return await this.drivers.ofKept({ hostId, username, siteName, nodeCode: code, siteId });
    } catch (error) {
      if (error instanceof HostingError && error.code === 'NODE_NOT_FOUND') return null;
      throw error;
    }
  }

  /** Permanently removes a site, or what is left of it. @throws errors of its server */
  async destroy(bound: BoundDriver, limitMs?: number): Promise<void> {
    const ended = await bound.terminate();
    if (!succeeded(ended) && ended.outcome !== 'not_found') throw driverError(ended);
    if (!bound.keeps) return;
    const purged = await bound.purge(limitMs);
    if (!succeeded(purged) && purged.outcome !== 'not_found') throw driverError(purged);
  }

  /** Returns whether two servers use the same driver. */
  async areAlike(one: string, other: string): Promise<boolean> {
    const nodes = await this.database.repository(HostingNode).find({ where: [{ code: one }, { code: other }] });
    return nodes.length === 2 && nodes[0]!.driver === nodes[1]!.driver;
  }
}
