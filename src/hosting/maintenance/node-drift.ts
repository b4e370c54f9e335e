import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';

import { Database } from '../../database/index.js';
import { AccountDrivers, driverError, ownerMarkOf } from '../accounts/index.js';
import { callDriver, DriverNodes, DriverRegistry, type HostDriver, type RemotePage, type RemoteSite, succeeded } from '../driver/index.js';
import { HostingAccount, HostingNode, SiteMove } from '../entities/index.js';

const BATCH = 500;

/** Differences between a node and the panel's records. */
export interface NodeDrift {
  /** Sites without an account: of other systems on the same server, or candidates for adoption. */
  readonly unknown: readonly RemoteSite[];
  /** Sites of accounts that carry another account's mark on the server; they must not be changed. */
  readonly foreign: readonly KnownSite[];
  /** Accounts whose site does not exist. */
  readonly missing: readonly KnownSite[];
  /** Accounts whose site is in another state. */
  readonly differing: readonly KnownSite[];
  /** Accounts whose site has another id on the server than recorded. */
  readonly moved: readonly MovedSite[];
}

/** A site as recorded by the panel. */
export interface KnownSite {
  readonly accountId: number;
  readonly siteName: string;
  readonly username: string;
}

/** An account's own site under another id, as after a server migration or restore. */
export interface MovedSite extends KnownSite {
  /** Recorded id. */
  readonly from: string;
  /** Id on the server. */
  readonly to: string;
}

type Row = Pick<HostingAccount, 'id' | 'username' | 'siteName' | 'siteId' | 'state' | 'siteStopped' | 'claimedUntil'>;

/**
 * Compares the sites of servers with the panel's records. Only reports differences and changes nothing, because they may be intentional.
 */
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
    // Rows are read after the list: a row exists before its site and is removed after it, so a site without a row has no account.
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

  /** Returns which of the sites are being moved to or from a server, or kept there after a move: these must not be adopted. */
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
   * Stores the id an account's site has on the server, unless the account is being changed or has another site by now.
   *
   * @returns whether it was stored
   */
  async adopt({ accountId, from, to }: Omit<MovedSite, 'username'>): Promise<boolean> {
    const { affected } = await this.database
      .repository(HostingAccount)
      .update({ id: accountId, siteId: from, claimedUntil: IsNull() }, { siteId: to });
    return affected === 1;
  }

  /** Returns the sites of a server, by name. @throws as {@link compare} */
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

  /** A site missing from the list may have been created since. */
  private async isGone(id: number): Promise<boolean> {
    const account = await this.database.repository(HostingAccount).findOneBy({ id });
    return account !== null && (await (await this.drivers.of(account)).sync()).outcome === 'not_found';
  }
}

/**
 * A site with another account's mark does not belong to the account, whatever its name. A site without a mark does if its user name
 * matches.
 */
function isMoved(row: Row, { siteId, ownerMark, username }: RemoteSite): boolean {
  if (siteId === '' || siteId === row.siteId || siteId.length > 64) return false;
  return ownerMark === null ? username === row.username : ownerMark === ownerMarkOf(row);
}
