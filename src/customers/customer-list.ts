import { Injectable } from '@nestjs/common';

import { hasSecondFactor } from '../auth/index.js';
import { AppConfig } from '../config/index.js';
import { Database, legacySqlTime, Paginator, type SqlValue } from '../database/index.js';
import { versionOf } from '../http/index.js';

import { customerForm } from './customers.js';

/** A customer on the wire: every value is text. */
export interface CustomerLine {
  id: string;
  username: string;
  email: string;
  /** `true` if the mail address is confirmed. */
  yx: string;
  qq: string;
  /** `1` active, `0` locked. */
  status: string;
  /** Number of hosts. */
  zjs: string;
  /** `true` if a second factor is set up. */
  f2: string;
  /** Last sign-in; empty if never. */
  last: string;
  date: string;
  /** Version of the form's values, for `yhxg`. */
  row_version: string;
}

/** Filter of customers. */
export interface CustomerQuery {
  readonly page: number;
  readonly limit: number;
  readonly sortOrder: 'asc' | 'desc';
  /** Searched in name, mail address and QQ number. */
  readonly ss?: string;
  readonly status?: string;
  readonly id?: number;
}

interface Row extends Record<string, unknown> {
  id: number;
  username: string;
  email: string;
  mailKey: string | null;
  qq: string;
  status: number;
  signedInAt: string | null;
  createdAt: string;
  hosts: number;
  secured: number;
}

const COLUMNS = `{Customer}.{Customer.id} AS id, {Customer.username} AS username, {Customer.email} AS email, {Customer.mailKey} AS mailKey,
  {Customer.qq} AS qq,
  {Customer.status} AS status, {Customer.signedInAt} AS signedInAt, {Customer.createdAt} AS createdAt,
  (SELECT COUNT(*) FROM {HostingAccount} WHERE {HostingAccount.ownerId} = {Customer}.{Customer.id}) AS hosts,
  ${hasSecondFactor('customer', '{Customer}.{Customer.id}')} AS secured`;
const SEARCHED = ['{Customer.username}', '{Customer.email}', '{Customer.qq}'];

/** Lists customers for administrators. */
@Injectable()
export class CustomerList {
  private readonly list: Paginator<Row>;

  constructor(
    database: Database,
    private readonly config: AppConfig,
  ) {
    this.list = new Paginator(database, 'Customer', COLUMNS);
  }

  /** Returns one page and the total number. */
  async page({ page, limit, sortOrder, ss, status, id }: CustomerQuery): Promise<{ total: number; rows: CustomerLine[] }> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    if (id !== undefined) {
      conditions.push('{Customer.id} = ?');
      params.push(id);
    }
    if (status) {
      conditions.push('{Customer.status} = ?');
      params.push(Number(status));
    }
    if (ss) {
      conditions.push(`(${SEARCHED.map((column) => `INSTR(LOWER(${column}), LOWER(?)) > 0`).join(' OR ')})`);
      params.push(...SEARCHED.map(() => ss));
    }
    const found = await this.list.page({ conditions, params, sort: null, direction: sortOrder, offset: (page - 1) * limit, limit });
    return { total: found.total, rows: found.rows.map((row) => this.line(row)) };
  }

  private line({ id, username, email, mailKey, qq, status, signedInAt, createdAt, hosts, secured }: Row): CustomerLine {
    const time = (value: string | null): string => legacySqlTime(value, this.config.timezone);
    return {
      id: String(id),
      username,
      email,
      yx: String(mailKey !== null && mailKey === email.toLowerCase()),
      qq,
      status: String(status),
      zjs: String(hosts),
      f2: String(Number(secured) === 1),
      last: time(signedInAt),
      date: time(createdAt),
      row_version: versionOf(customerForm({ email, qq })),
    };
  }
}
