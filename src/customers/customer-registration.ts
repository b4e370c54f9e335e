import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../auth/index.js';
import { LINK_MAILS_OF_NETWORK, LINK_MAILS_TO_ONE, countAgainst } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerAccounts } from './customer-accounts.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerLog } from './customer-log.js';
import { CustomerMails } from './customer-mails.js';
import { CustomerError } from './errors.js';
import { checkContact, checkMail, checkName, checkNewPassword, type Contact } from './rules.js';

/** Fields of the registration form. */
export interface Registration extends Contact {
  readonly username: string;
  readonly password: string;
  readonly password2: string;
}

/** Registers customers: by name, or after a mail address was confirmed. */
@Injectable()
export class CustomerRegistration {
  constructor(
    private readonly accounts: CustomerAccounts,
    private readonly entry: CustomerEntry,
    private readonly links: CustomerLinks,
    private readonly mails: CustomerMails,
    private readonly limiter: RateLimiter,
    private readonly log: CustomerLog,
  ) {}

  /**
   * Creates the account and signs in.
   *
   * @param token of a mailed link, whose address is used and confirmed
   * @throws CustomerError of the rules, USERNAME_TAKEN, MAIL_TAKEN, LINK_OVER; OperationError RATE_LIMITED
   */
  async register(form: Registration, call: CallContext, token?: string): Promise<{ customerId: number; cookies: string[] }> {
    const proven = token === undefined ? null : this.links.readRegister(token);
    if (token !== undefined && proven === null) throw new CustomerError('LINK_OVER');
    const username = checkName(form.username);
    checkNewPassword(form.password, form.password2);
    const contact = checkContact({ email: proven ?? form.email, qq: form.qq });
    // Counted with the mails to register.
    await countAgainst(this.limiter, `register:net:${addressForLimits(call.ip)}`, LINK_MAILS_OF_NETWORK);
    const customer = await this.accounts.create({ username, password: form.password, ...contact, ownsMail: proven !== null });
    const cookies = await this.entry.open(customer, call);
    await this.log.note('registered', username, call);
    return { customerId: customer.id, cookies: cookies ?? [] };
  }

  /**
   * Mails a link to the registration form; the response does not reveal whether the address is already registered.
   *
   * @throws CustomerError EMAIL_RULE, NO_MAIL
   */
  async askByMail(email: string, call: CallContext): Promise<void> {
    const mail = checkMail(email);
    this.mails.requireMail();
    await countAgainst(this.limiter, `register:net:${addressForLimits(call.ip)}`, LINK_MAILS_OF_NETWORK);
    await countAgainst(this.limiter, `register:mail:${mail.toLowerCase()}`, LINK_MAILS_TO_ONE);
    await this.mails.ask({ kind: 'register', mail }, call);
  }

  /** Returns the mail address of a registration link; null if it is not valid any more. */
  addressOf(token: string): string | null {
    return this.links.readRegister(token);
  }
}
