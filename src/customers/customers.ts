import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import type { FormValues } from '../http/index.js';
import type { NoticeAccount, NoticeCustomers } from '../notify/index.js';
import type { CustomerRecord } from '../sdk/index.js';

import { Customer } from './entities/index.js';
import { CustomerError } from './errors.js';

/** Status of a customer who may sign in. */
export const ACTIVE = 1;

/** The customers. Source: docs/panel-api.md "Customers". */
@Injectable()
export class Customers implements NoticeCustomers {
  constructor(private readonly database: Database) {}

  /** Finds by id; null if not found. */
  find(id: number): Promise<Customer | null> {
    return this.database.repository(Customer).findOneBy({ id });
  }

  /** Finds by id. @throws CustomerError CUSTOMER_MISSING */
  async existing(id: number): Promise<Customer> {
    const customer = await this.find(id);
    if (!customer) throw new CustomerError('CUSTOMER_MISSING');
    return customer;
  }

  /** Finds by name, ignoring case. The key column is compared by bytes, so look-alikes are different names. */
  findByName(username: string): Promise<Customer | null> {
    return this.database.repository(Customer).findOneBy({ usernameKey: username.trim().toLowerCase() });
  }

  /** Finds by confirmed mail address. */
  findByMail(mail: string): Promise<Customer | null> {
    const mailKey = mail.trim().toLowerCase();
    return mailKey === '' ? Promise.resolve(null) : this.database.repository(Customer).findOneBy({ mailKey });
  }

  /** Returns the customer as a recipient of notices. */
  async findForNotices(id: number): Promise<NoticeAccount | null> {
    const found = await this.find(id);
    return found && { id: found.id, username: found.username, email: found.email || null };
  }

  /** Returns the customer as exposed to plugins; never with a secret. */
  async get(id: number): Promise<CustomerRecord | null> {
    const found = Number.isSafeInteger(id) ? await this.find(id) : null;
    return found && toCustomerRecord(found);
  }
}

/** Form values of a customer, by field name. */
export function customerForm({ email, qq }: Pick<Customer, 'email' | 'qq'>): FormValues {
  return { email, qq };
}

/** Converts a row to the form exposed to plugins. */
export function toCustomerRecord({ id, username, email, mailKey, qq, status, createdAt }: Customer): CustomerRecord {
  const emailVerified = mailKey !== null && mailKey === email.toLowerCase();
  return { id, username, email, emailVerified, qq, status: status === ACTIVE ? 'active' : 'locked', createdAt: createdAt.toISOString() };
}
