import { Injectable } from '@nestjs/common';

import { Database, EntityPages, likeAnywhere, type SqlValue } from '../../database/index.js';
import { BinnedSite } from '../entities/index.js';

/** The rows somebody wants. */
export interface BinQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sortOrder: 'asc' | 'desc';
  /** Part of a user name. */
  readonly text?: string;
  /** Ids of servers: sites on others are left out; null: none is. */
  readonly servers: readonly number[] | null;
}

/** A row, and whether another account has its name by now. */
export type ListedSite = BinnedSite & { readonly taken: boolean };

/** Deleted sites as they are listed; one whose account is still being deleted is not. */
@Injectable()
export class BinList {
  private readonly list: EntityPages<BinnedSite>;

  constructor(private readonly database: Database) {
    this.list = new EntityPages(database, BinnedSite);
  }

  /** The rows of a page, by the order they were deleted in, and how many there are in all. */
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
