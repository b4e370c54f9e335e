import { Injectable } from '@nestjs/common';

import { PasswordHasher, RateLimiter } from '../auth/index.js';
import { countAgainst } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerAccounts } from './customer-accounts.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLog } from './customer-log.js';
import { Customers } from './customers.js';
import type { Customer } from './entities/index.js';
import { checkNewPassword, refusal } from './rules.js';

/** Guesses at the password or a code of somebody who is signed in. */
const GUESSES = { limit: 10, windowSeconds: 600 };

/** Passwords of the form that changes one's own. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPassword2: string;
}

/** What a customer changes of his own account that a session left open is not enough for. */
@Injectable()
export class CustomerSelf {
  constructor(
    private readonly customers: Customers,
    private readonly accounts: CustomerAccounts,
    private readonly entry: CustomerEntry,
    private readonly limiter: RateLimiter,
    private readonly hasher: PasswordHasher,
    private readonly log: CustomerLog,
  ) {}

  /**
   * Sets another password: every session and known device ends, and the caller goes on under new ones.
   *
   * @returns `Set-Cookie` lines
   * @throws CustomerError PASSWORD_WRONG, PASSWORD_SAME, and as the rules; OperationError RATE_LIMITED
   */
  async changePassword(id: number, { oldPassword, newPassword, newPassword2 }: PasswordChange, call: CallContext): Promise<string[]> {
    const customer = await this.requirePassword(id, oldPassword, 'old_password');
    checkNewPassword(newPassword, newPassword2, 'new_password');
    if (newPassword === oldPassword) throw refusal('PASSWORD_SAME', 'new_password');
    await this.accounts.setPassword(id, newPassword, customer.passwordHash);
    await this.log.note('password', customer.username, call);
    return this.entry.renew(id, call);
  }

  /** The customer, whose password this has to be. @throws CustomerError PASSWORD_WRONG; OperationError RATE_LIMITED */
  async requirePassword(id: number, password: string, field: string): Promise<Customer> {
    await this.countGuess(id);
    const customer = await this.customers.existing(id);
    if (!(await this.hasher.verify(password, customer.passwordHash))) throw refusal('PASSWORD_WRONG', field);
    return customer;
  }

  /** @throws OperationError RATE_LIMITED after ten in ten minutes */
  async countGuess(id: number): Promise<void> {
    await countAgainst(this.limiter, `password:customer:${id}`, GUESSES);
  }
}
