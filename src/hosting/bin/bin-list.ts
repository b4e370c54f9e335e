import { Injectable } from '@nestjs/common';

import { Database, EntityPages, likeAnywhere, type SqlValue } from '../../database/index.js';
import { BinnedSite } from '../entities/index.js';

/** Filter and page of a listing. */
export interface BinQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sortOrder: 'asc' | 'desc';
  /** Part of a user name. */
  readonly text?: string;
  /** Ids of servers whose sites are listed; null means all. */
  readonly servers: readonly number[] | null;
}

/** A row, and whether another account uses its name by now. */
export type ListedSite = BinnedSite & { readonly taken: boolean };

/** Lists deleted sites, except those whose account is still being deleted. */
@Injectable()
export class BinList {
  private readonly list: EntityPages<BinnedSite>;

  constructor(private readonly database: Database) {
    this.list = new EntityPages(database, BinnedSite);
  }

  /** Returns a page of rows in the order of deletion, and the total number of rows. */
  async page({ page, limit, sortOrder, text, servers }: BinQuery): Promise<{ total: number; rows: ListedSite[] }> {
    const conditions = ["{BinnedSite.state} <> 'moving'"];
    const params: SqlValue[] = [];
    if (text) {
      conditions.push("{BinnedSite.userKey} LIKE ? ESCAPE '!'");
      params.push(likeAnywhere(text.toLowerCase()));
    }
    if (servers) {
      const places = servers.map(() => '?').join(', ') || 'NULL';
      conditions.push(`{BinnedSite.nodeCode} IN (SELECT {HostingNode.code} FROM {HostingNode} WHERE {HostingNode.id} IN (${places}))`);
      params.push(...servers);
    }
    const order = { sort: null, direction: sortOrder, offset: (page - 1) * limit, limit };
    const { total, rows: sites } = await this.list.page({ conditions, params, ...order });
    const taken = await this.taken(sites);
    return { total, rows: sites.map((site) => ({ ...site, taken: taken.has(site.userKey) })) };
  }

  private async taken(sites: readonly BinnedSite[]): Promise<Set<string>> {
    if (sites.length === 0) return new Set();
    const places = sites.map(() => '?').join(', ');
    const found = await this.database
      .statement<{ name: string }>(
        `SELECT {HostingAccount.userKey} AS name FROM {HostingAccount} WHERE {HostingAccount.userKey} IN (${places})`,
      )
      .all(...sites.map(({ userKey }) => userKey));
    return new Set(found.map(({ name }) => name));
  }
}
