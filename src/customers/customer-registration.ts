import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../auth/index.js';
import { countAgainst } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerAccounts } from './customer-accounts.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerLog } from './customer-log.js';
import { CustomerMails } from './customer-mails.js';
import { CustomerError } from './errors.js';
import { checkContact, checkMail, checkName, checkNewPassword, type Contact } from './rules.js';

/** New accounts of one network, and mails asked for from it. */
const OF_NETWORK = { limit: 20, windowSeconds: 3_600 };
/** Mails to one address, from wherever: nobody's mailbox is flooded. */
const OF_ADDRESS = { limit: 3, windowSeconds: 3_600 };

/** What the form of a new account holds. */
export interface Registration extends Contact {
  readonly username: string;
  readonly password: string;
  readonly password2: string;
}

/** Visitors become customers: with a name, or once they have shown that a mail address is theirs. */
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
   * Makes the account and signs in.
   *
   * @param token of a link that was mailed: the address is that one, and confirmed
   * @throws CustomerError as the rules, USERNAME_TAKEN, MAIL_TAKEN, LINK_OVER; OperationError RATE_LIMITED
   */
  async register(form: Registration, call: CallContext, token?: string): Promise<{ customerId: number; cookies: string[] }> {
    const proven = token === undefined ? null : this.links.readRegister(token);
    if (token !== undefined && proven === null) throw new CustomerError('LINK_OVER');
    const username = checkName(form.username);
    checkNewPassword(form.password, form.password2);
    const contact = checkContact({ email: proven ?? form.email, qq: form.qq });
    await countAgainst(this.limiter, `register:net:${addressForLimits(call.ip)}`, OF_NETWORK);
    const customer = await this.accounts.create({ username, password: form.password, ...contact, ownsMail: proven !== null });
    const cookies = await this.entry.open(customer, call);
    await this.log.note('registered', username, call);
    return { customerId: customer.id, cookies: cookies ?? [] };
  }

  /**
   * Mails a link to the form of a new account; the answer is the same where there is one with that address.
   *
   * @throws CustomerError EMAIL_RULE, NO_MAIL
   */
  async askByMail(email: string, call: CallContext): Promise<void> {
    const mail = checkMail(email);
    this.mails.requireMail();
    await countAgainst(this.limiter, `register:net:${addressForLimits(call.ip)}`, OF_NETWORK);
    await countAgainst(this.limiter, `register:mail:${mail.toLowerCase()}`, OF_ADDRESS);
    await this.mails.ask({ kind: 'register', mail }, call);
  }

  /** The address a link was sent to; null for one that is over. */
  addressOf(token: string): string | null {
    return this.links.readRegister(token);
  }
}
