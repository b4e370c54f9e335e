import { Injectable } from '@nestjs/common';

import { hasSecondFactor } from '../../auth/index.js';
import { Database, type EntityRows, likeAnywhere, Paginator, type SqlValue, toSqlTime } from '../../database/index.js';
import { type AccountState, HostingAccount } from '../entities/index.js';
import { HOST_ROW_PROPERTIES, type ListedAccount } from '../wire/index.js';

/** Sortable columns and the indexed property of each. Ids are in the order of the accounts' dates. */
const SORTS: Readonly<Record<string, string | null>> = {
  id: null,
  data: null,
  user: 'userKey',
  ssbt: 'nodeCode',
  datae: 'expiresOn',
  qk: 'state',
};
/** Columns allowed in `where`. */
const SEARCHABLE: Readonly<Record<string, string>> = { ssbt: 'nodeCode', sqldz: 'siteName', user: 'userKey' };

/** A search: exact or contains. */
export interface HostSearch {
  readonly property: string;
  readonly exact: boolean;
  readonly value: string;
}

/** Why a `where` is invalid. */
export type SearchProblem = 'search_mode' | 'search_column';

/** Query for a page of hosts. */
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
  /** Leaves out accounts that are being deleted, and those whose creation failed. */
  readonly standing?: boolean;
  /** Only accounts with a last day from `from` (null: any) to `to`, both `YYYY-MM-DD`. */
  readonly lastDay?: { readonly from: string | null; readonly to: string };
  /** Only accounts opened since this time. */
  readonly openedSince?: Date;
  /** Only hosts on servers with these ids; null: all. */
  readonly servers?: readonly number[] | null;
  /** Only accounts with these ids. */
  readonly ids?: readonly number[];
  /** Only hosts of this customer. */
  readonly ownerId?: number;
}

/** Parses `where`; null if a part is empty or it is not a JSON object. */
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

/** Reads hosting accounts for lists. */
@Injectable()
export class HostList {
  private readonly accounts: EntityRows<HostingAccount, keyof HostingAccount & keyof ListedAccount>;
  private readonly list: Paginator<Record<string, unknown>>;
  private readonly one;

  constructor(database: Database) {
    this.accounts = database.entityRows(HostingAccount, HOST_ROW_PROPERTIES);
    const columns = `${this.accounts.columns}, ${hasSecondFactor('user', '{HostingAccount}.{HostingAccount.id}')} AS secured`;
    this.list = new Paginator(database, 'HostingAccount', columns);
    this.one = database.statement(`SELECT ${columns} FROM {HostingAccount} WHERE {HostingAccount.id} = ?`);
  }

  /** Returns the rows of a page in a stable order, and the total. */
  async page(query: HostQuery): Promise<{ total: number; rows: ListedAccount[] }> {
    const { total, rows } = await this.list.page({
      ...conditionsOf(query),
      sort: Object.hasOwn(SORTS, query.sort ?? '') ? SORTS[query.sort!]! : null,
      direction: query.sortOrder,
      offset: (query.page - 1) * query.limit,
      limit: query.limit,
    });
    return { total, rows: rows.map((row) => this.read(row)) };
  }

  /** Returns an account in any state; null if it does not exist. */
  async find(id: number): Promise<ListedAccount | null> {
    const row = await this.one.get(id);
    return row ? this.read(row) : null;
  }

  private read(row: Record<string, unknown>): ListedAccount {
    const account = this.accounts.read(row) as ListedAccount;
    // The database returns a number.
    account.secured = Boolean(row.secured);
    return account;
  }
}

function conditionsOf(query: HostQuery): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const add = (sql: string, ...values: SqlValue[]): void => {
    conditions.push(sql);
    params.push(...values);
  };
  if (query.nodeCode) add('{HostingAccount.nodeCode} = ?', query.nodeCode);
  if (query.servers) {
    const places = query.servers.map(() => '?').join(', ') || 'NULL';
    add(
      `{HostingAccount.nodeCode} IN (SELECT {HostingNode.code} FROM {HostingNode} WHERE {HostingNode.id} IN (${places}))`,
      ...query.servers,
    );
  }
  if (query.ids) add(`{HostingAccount.id} IN (${query.ids.map(() => '?').join(', ') || 'NULL'})`, ...query.ids);
  if (query.ownerId !== undefined) add('{HostingAccount.ownerId} = ?', query.ownerId);
  if (query.openedSince) add('{HostingAccount.createdAt} >= ?', toSqlTime(query.openedSince));
  if (query.state) add('{HostingAccount.state} = ?', query.state);
  if (query.standing) add("{HostingAccount.state} NOT IN ('terminating', 'failed')");
  if (query.lastDay) {
    if (query.lastDay.from !== null) add('{HostingAccount.expiresOn} >= ?', query.lastDay.from);
    add('{HostingAccount.expiresOn} <= ?', query.lastDay.to);
  }
  if (query.search) {
    const { property, exact, value } = query.search;
    const wanted = property === 'userKey' ? value.toLowerCase() : value;
    if (exact) add(`{HostingAccount.${property}} = ?`, wanted);
    else add(`{HostingAccount.${property}} LIKE ? ESCAPE '!'`, likeAnywhere(wanted));
  }
  if (query.text) {
    const wanted = likeAnywhere(query.text.toLowerCase());
    add(`({HostingAccount.userKey} LIKE ? ESCAPE '!' OR {HostingAccount.siteName} LIKE ? ESCAPE '!')`, wanted, wanted);
  }
  return { conditions, params };
}
