import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import type { FormValues } from '../http/index.js';
import type { NoticeAccount, NoticeCustomers } from '../notify/index.js';
import type { CustomerRecord } from '../sdk/index.js';

import { Customer } from './entities/index.js';
import { CustomerError } from './errors.js';

/** A customer who may sign in. */
export const ACTIVE = 1;

/** Who buys. Source: docs/panel-api.md "Customers". */
@Injectable()
export class Customers implements NoticeCustomers {
  constructor(private readonly database: Database) {}

  /** By id; null where there is none. */
  find(id: number): Promise<Customer | null> {
    return this.database.repository(Customer).findOneBy({ id });
  }

  /** By id. @throws CustomerError CUSTOMER_MISSING */
  async existing(id: number): Promise<Customer> {
    const customer = await this.find(id);
    if (!customer) throw new CustomerError('CUSTOMER_MISSING');
    return customer;
  }

  /** By name, ignoring case. MySQL compares names by their bytes too: one that only looks alike is another one. */
  findByName(username: string): Promise<Customer | null> {
    return this.database.repository(Customer).findOneBy({ usernameKey: username.trim().toLowerCase() });
  }

  /** By a mail address its owner has shown to be his. */
  findByMail(mail: string): Promise<Customer | null> {
    const mailKey = mail.trim().toLowerCase();
    return mailKey === '' ? Promise.resolve(null) : this.database.repository(Customer).findOneBy({ mailKey });
  }

  /** As who is told something. */
  async findForNotices(id: number): Promise<NoticeAccount | null> {
    const found = await this.find(id);
    return found && { id: found.id, username: found.username, email: found.email || null };
  }

  /** As plugins see one; never with a secret. */
  async get(id: number): Promise<CustomerRecord | null> {
    const found = Number.isSafeInteger(id) ? await this.find(id) : null;
    return found && toCustomerRecord(found);
  }
}

/** What the form of one shows, by the names of its fields. */
export function customerForm({ email, qq }: Pick<Customer, 'email' | 'qq'>): FormValues {
  return { email, qq };
}

/** A row as plugins see it. */
export function toCustomerRecord({ id, username, email, mailKey, qq, status, createdAt }: Customer): CustomerRecord {
  const emailVerified = mailKey !== null && mailKey === email.toLowerCase();
  return { id, username, email, emailVerified, qq, status: status === ACTIVE ? 'active' : 'locked', createdAt: createdAt.toISOString() };
}
