import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';

import { Database } from '../../database/index.js';
import { HostingAccount, type AccountState } from '../entities/index.js';

/** Columns a list may be sorted by and the indexed property behind each. */
const SORTS: Readonly<Record<string, string>> = {
  id: 'id',
  data: 'id',
  user: 'userKey',
  ssbt: 'nodeCode',
  datae: 'expiresOn',
  qk: 'state',
};
/** Columns `where` may name. */
const SEARCHABLE: Readonly<Record<string, string>> = { ssbt: 'nodeCode', sqldz: 'siteName', user: 'userKey' };

/** A search: exact or contains. */
export interface HostSearch {
  readonly property: string;
  readonly exact: boolean;
  readonly value: string;
}

/** Why a `where` cannot be used. */
export type SearchProblem = 'search_mode' | 'search_column';

/** The rows somebody wants. */
export interface HostQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
  readonly search: HostSearch | null;
  /** Part of a user name or site name. */
  readonly text?: string;
  readonly nodeCode?: string;
  readonly state?: AccountState;
}

/** Reads `where`: null when any part is empty or it is no JSON object. */
export function readSearch(where: string | undefined): HostSearch | SearchProblem | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(where || 'null');
  } catch {
    return null;
  }
  const { name, type, value } = (parsed ?? {}) as Record<string, unknown>;
  if (!name || !type || !value) return null;
  if (String(type) !== '1' && String(type) !== '2') return 'search_mode';
  if (!Object.hasOwn(SEARCHABLE, String(name))) return 'search_column';
  return { property: SEARCHABLE[String(name)]!, exact: String(type) === '1', value: String(value) };
}

/** Pages of hosting accounts. */
@Injectable()
export class HostList {
  constructor(private readonly database: Database) {}

  /** The rows of a page, in a stable order, and how many rows there are in all. */
  async page(query: HostQuery): Promise<{ total: number; rows: HostingAccount[] }> {
    const order = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const property = Object.hasOwn(SORTS, query.sort ?? '') ? SORTS[query.sort!]! : 'id';
    const rows = this.select(query).orderBy(`account.${property}`, order);
    if (property !== 'id') rows.addOrderBy('account.id', order);
    const [total, found] = await Promise.all([
      this.select(query).getCount(),
      rows.offset((query.page - 1) * query.limit).limit(query.limit).getMany(),
    ]);
    return { total, rows: found };
  }

  private select(query: HostQuery): SelectQueryBuilder<HostingAccount> {
    const builder = this.database.repository(HostingAccount).createQueryBuilder('account');
    if (query.nodeCode) builder.andWhere('account.nodeCode = :nodeCode', { nodeCode: query.nodeCode });
    if (query.state) builder.andWhere('account.state = :state', { state: query.state });
    if (query.search) {
      const { property, exact, value } = query.search;
      const wanted = property === 'userKey' ? value.toLowerCase() : value;
      if (exact) builder.andWhere(`account.${property} = :wanted`, { wanted });
      else builder.andWhere(`account.${property} LIKE :wanted ESCAPE '!'`, { wanted: contains(wanted) });
    }
    if (query.text) {
      builder.andWhere(`(account.userKey LIKE :text ESCAPE '!' OR account.siteName LIKE :text ESCAPE '!')`, {
        text: contains(query.text.toLowerCase()),
      });
    }
    return builder;
  }
}

function contains(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
