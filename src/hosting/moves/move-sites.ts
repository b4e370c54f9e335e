import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { AccountDrivers, AccountStore, type BoundDriver, driverError } from '../accounts/index.js';
import { succeeded } from '../driver/index.js';
import { type HostingAccount, HostingNode, type SiteMove } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { OpenSite } from '../site-tools/index.js';

import { MoveError } from './move-errors.js';

/** One end of a move: a site, as its account stands, and the way to its server. */
export interface MoveEnd {
  readonly site: OpenSite;
  readonly bound: BoundDriver;
}

/** The two ends of moves. */
@Injectable()
export class MoveSites {
  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly database: Database,
  ) {}

  /** The account of a move; null where it is gone, or being deleted. */
  async accountOf({ hostId }: Pick<SiteMove, 'hostId'>): Promise<HostingAccount | null> {
    const account = await this.store.find(hostId);
    return account && (account.state === 'active' || account.state === 'paused') ? account : null;
  }

  /** The same, where the site is still on a server. @throws MoveError HOST_CHANGED */
  async accountOn(row: SiteMove, code: string): Promise<HostingAccount> {
    const account = await this.accountOf(row);
    if (account?.nodeCode !== code) throw new MoveError('HOST_CHANGED');
    return account;
  }

  /** The site of an account as it is on one of the two servers. @throws HostingError NODE_NOT_FOUND, DRIVER_MISSING */
  async on(account: HostingAccount, code: string, siteId: string): Promise<MoveEnd> {
    const there = { ...account, nodeCode: code, siteId };
    const bound = await this.drivers.of(there);
    return { bound, site: new OpenSite(there, bound) };
  }

  /** As {@link on}, with its web site to be stopped when it is brought back into service. */
  stopped(account: HostingAccount, code: string, siteId: string): Promise<MoveEnd> {
    return this.on({ ...account, siteStopped: true }, code, siteId);
  }

  /** A site nobody's account is any more. @returns null where its server was taken out of the panel */
  async remains(row: SiteMove, code: string, siteId: string): Promise<BoundDriver | null> {
    try {
      const { hostId, username, siteName } = row;
      return await this.drivers.ofKept({ hostId, username, siteName, nodeCode: code, siteId });
    } catch (error) {
      if (error instanceof HostingError && error.code === 'NODE_NOT_FOUND') return null;
      throw error;
    }
  }

  /** Removes a site for good, whatever is left of it. @throws what its server comes to */
  async destroy(bound: BoundDriver, limitMs?: number): Promise<void> {
    const ended = await bound.terminate();
    if (!succeeded(ended) && ended.outcome !== 'not_found') throw driverError(ended);
    if (!bound.keeps) return;
    const purged = await bound.purge(limitMs);
    if (!succeeded(purged) && purged.outcome !== 'not_found') throw driverError(purged);
  }

  /** Whether two servers are of one kind. */
  async areAlike(one: string, other: string): Promise<boolean> {
    const nodes = await this.database.repository(HostingNode).find({ where: [{ code: one }, { code: other }] });
    return nodes.length === 2 && nodes[0]!.driver === nodes[1]!.driver;
  }
}
