import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';

import { Database } from '../../database/index.js';
import { AccountDrivers, driverError, ownerMarkOf } from '../accounts/index.js';
import { callDriver, DriverNodes, DriverRegistry, type HostDriver, type RemotePage, type RemoteSite, succeeded } from '../driver/index.js';
import { HostingAccount, HostingNode, SiteMove } from '../entities/index.js';

const BATCH = 500;

/** How a node and its rows differ. */
export interface NodeDrift {
  /** Sites no account knows: others' on the same server, or ones to take over. */
  readonly unknown: readonly RemoteSite[];
  /** Sites of accounts that carry somebody else's mark on the server: nothing of theirs is touched. */
  readonly foreign: readonly KnownSite[];
  /** Of accounts whose site is not there. */
  readonly missing: readonly KnownSite[];
  /** That stand otherwise than their account says. */
  readonly differing: readonly KnownSite[];
  /** Accounts whose site has another id on the server than the panel has written down. */
  readonly moved: readonly MovedSite[];
}

/** A site as the panel has written it down. */
export interface KnownSite {
  readonly accountId: number;
  readonly siteName: string;
  readonly username: string;
}

/** An account's own site under another id, as after a server was moved or put back. */
export interface MovedSite extends KnownSite {
  /** What the panel has written down. */
  readonly from: string;
  /** What the server says. */
  readonly to: string;
}

type Row = Pick<HostingAccount, 'id' | 'username' | 'siteName' | 'siteId' | 'state' | 'siteStopped' | 'claimedUntil'>;

/** Compares what servers have with what the panel knows. Says it and changes nothing: somebody may have had a reason. */
@Injectable()
export class NodeDriftCheck {
  constructor(
    private readonly database: Database,
    private readonly registry: DriverRegistry,
    private readonly drivers: AccountDrivers,
    private readonly nodes: DriverNodes,
  ) {}

  /** @throws HostingError DRIVER_MISSING, NODE_REFUSED, NODE_UNREACHABLE, NODE_UNCERTAIN */
  async compare(node: HostingNode): Promise<NodeDrift> {
    // The rows come after the list: a row is there before its site and goes after it, so a site without one is nobody's.
    const sites = await this.sitesOf(node);
    const unknown = new Map(sites);
    const foreign: KnownSite[] = [];
    const missing: KnownSite[] = [];
    const differing: KnownSite[] = [];
    const moved: MovedSite[] = [];
    for await (const row of this.rowsOf(node)) {
      const site = sites.get(row.siteName);
      unknown.delete(row.siteName);
      const known = { accountId: row.id, siteName: row.siteName, username: row.username };
      if (site && row.claimedUntil === null && isMoved(row, site)) moved.push({ ...known, from: row.siteId, to: site.siteId });
      if (row.claimedUntil !== null || (row.state !== 'active' && row.state !== 'paused')) continue;
      if (!site) {
        if (await this.isGone(row.id)) missing.push(known);
      } else if (site.ownerMark !== null && site.ownerMark !== ownerMarkOf(row)) {
        foreign.push(known);
      } else if (site.suspended !== (row.state === 'paused') || (!site.suspended && site.running === row.siteStopped)) {
        differing.push(known);
      }
    }
    for (const name of await this.namesOfMoves(node, [...unknown.keys()])) unknown.delete(name);
    return { unknown: [...unknown.values()], foreign, missing, differing, moved };
  }

  /** Which of some sites are on their way to or from a server, or kept there after a move: nobody takes them over. */
  private async namesOfMoves({ code }: HostingNode, names: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let start = 0; start < names.length; start += BATCH) {
      const some = { siteName: In(names.slice(start, start + BATCH)), state: Not(In(['done', 'failed'])) };
      const where = [
        { ...some, fromCode: code },
        { ...some, toCode: code },
      ];
      const rows = await this.database.repository(SiteMove).find({ select: { id: true, siteName: true }, where });
      found.push(...rows.map(({ siteName }) => siteName));
    }
    return found;
  }

  /**
   * Writes the id down that the server has for an account's site, unless somebody changes the account just
   * now, or it is another one by now.
   *
   * @returns whether it was written
   */
  async adopt({ accountId, from, to }: Omit<MovedSite, 'username'>): Promise<boolean> {
    const { affected } = await this.database
      .repository(HostingAccount)
      .update({ id: accountId, siteId: from, claimedUntil: IsNull() }, { siteId: to });
    return affected === 1;
  }

  /** What a server has, by the names of the sites. @throws as {@link compare} */
  async sitesOf(node: HostingNode): Promise<Map<string, RemoteSite>> {
    const driver = this.registry.driverOf(node);
    const sites = new Map<string, RemoteSite>();
    for (let cursor: string | null = null; ;) {
      const page = await this.page(driver, node, cursor);
      for (const site of page.sites) sites.set(site.siteName, site);
      if (page.next === null || page.next === cursor) return sites;
      cursor = page.next;
    }
  }

  private async page(driver: HostDriver, node: HostingNode, cursor: string | null): Promise<RemotePage> {
    const result = await callDriver((deadline) => driver.list(this.nodes.of(node), cursor, deadline));
    if (!succeeded(result)) throw driverError(result);
    return result.value;
  }

  private async *rowsOf(node: HostingNode): AsyncGenerator<Row> {
    const accounts = this.database.repository(HostingAccount);
    for (let last = 0; ;) {
      const rows: Row[] = await accounts
        .createQueryBuilder('account')
        .select([
          'account.id',
          'account.username',
          'account.siteName',
          'account.siteId',
          'account.state',
          'account.siteStopped',
          'account.claimedUntil',
        ])
        .where('account.nodeCode = :code AND account.id > :last', { code: node.code, last })
        .orderBy('account.id')
        .take(BATCH)
        .getMany();
      yield* rows;
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  }

  /** A site that is not in the list may have been made since. */
  private async isGone(id: number): Promise<boolean> {
    const account = await this.database.repository(HostingAccount).findOneBy({ id });
    return account !== null && (await (await this.drivers.of(account)).sync()).outcome === 'not_found';
  }
}

/** A site with somebody else's mark is not the account's, whatever it is called; one without a mark is, where the user has its name too. */
function isMoved(row: Row, { siteId, ownerMark, username }: RemoteSite): boolean {
  if (siteId === '' || siteId === row.siteId || siteId.length > 64) return false;
  return ownerMark === null ? username === row.username : ownerMark === ownerMarkOf(row);
}
