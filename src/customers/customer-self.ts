import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../auth/index.js';
import { PresentPassword } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerAccounts } from './customer-accounts.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLog } from './customer-log.js';
import { Customers } from './customers.js';
import type { Customer } from './entities/index.js';
import { checkNewPassword, refusal } from './rules.js';

/** Passwords of the password form. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly newPassword2: string;
}

/** Changes of a customer's own account that require the password, because an unattended session is not enough. */
@Injectable()
export class CustomerSelf {
  constructor(
    private readonly customers: Customers,
    private readonly accounts: CustomerAccounts,
    private readonly entry: CustomerEntry,
    private readonly password: PresentPassword,
    private readonly hasher: PasswordHasher,
    private readonly log: CustomerLog,
  ) {}

  /**
   * Sets a new password: all sessions and known devices end, and the caller gets a new session.
   *
   * @returns `Set-Cookie` lines
   * @throws CustomerError PASSWORD_WRONG, PASSWORD_SAME, and those of the rules; OperationError RATE_LIMITED
   */
  async changePassword(id: number, { oldPassword, newPassword, newPassword2 }: PasswordChange, call: CallContext): Promise<string[]> {
    const customer = await this.requirePassword(id, oldPassword, 'old_password');
    checkNewPassword(newPassword, newPassword2, 'new_password');
    if (newPassword === oldPassword) throw refusal('PASSWORD_SAME', 'new_password');
    await this.accounts.setPassword(id, newPassword, customer.passwordHash);
    await this.log.note('password', customer.username, call);
    return this.entry.renew(id, call);
  }

  /** Verifies the password and returns the customer. @throws CustomerError PASSWORD_WRONG; OperationError RATE_LIMITED */
  async requirePassword(id: number, password: string, field: string): Promise<Customer> {
    await this.countGuess(id);
    const customer = await this.customers.existing(id);
    if (!(await this.hasher.verify(password, customer.passwordHash))) throw refusal('PASSWORD_WRONG', field);
    return customer;
  }

  /** @throws OperationError RATE_LIMITED after ten attempts in ten minutes */
  async countGuess(id: number): Promise<void> {
    await this.password.countGuess('customer', id);
  }
}
