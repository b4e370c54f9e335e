import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../auth/index.js';
import { LINK_MAILS_OF_NETWORK, LINK_MAILS_TO_ONE, countAgainst } from '../operations/index.js';
import type { CallContext, CustomerRecord } from '../sdk/index.js';

import { CustomerAccounts } from './customer-accounts.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerLog } from './customer-log.js';
import { CustomerMails } from './customer-mails.js';
import { CustomerError } from './errors.js';
import { checkMail, checkNewPassword, refusal } from './rules.js';

/** Uses customers' links: password reset, one-time sign-in, and confirmation of a mail address. */
@Injectable()
export class CustomerRecovery {
  constructor(
    private readonly accounts: CustomerAccounts,
    private readonly entry: CustomerEntry,
    private readonly links: CustomerLinks,
    private readonly mails: CustomerMails,
    private readonly limiter: RateLimiter,
    private readonly log: CustomerLog,
  ) {}

  /**
   * Requests a password reset. Responds identically and equally fast whether or not such a customer exists.
   *
   * @throws CustomerError NO_MAIL, USERNAME_RULE, EMAIL_RULE
   */
  async askReset(username: string, email: string, call: CallContext): Promise<void> {
    this.mails.requireMail();
    const user = username.trim();
    if (user === '' || user.length > 64) throw refusal('CREDENTIALS_EMPTY', 'username');
    const mail = checkMail(email);
    await countAgainst(this.limiter, `reset:net:${addressForLimits(call.ip)}`, LINK_MAILS_OF_NETWORK);
    await countAgainst(this.limiter, `reset:customer:${user.toLowerCase()} ${mail.toLowerCase()}`, LINK_MAILS_TO_ONE);
    await this.mails.ask({ kind: 'reset', user, mail }, call);
  }

  /** Returns the customer's name of a reset link; null if it is not valid any more. */
  async nameOfReset(token: string): Promise<string | null> {
    return (await this.links.readReset(token))?.username ?? null;
  }

  /** Sets a new password; all sessions end, and the customer signs in again. @throws CustomerError LINK_OVER and those of the rules */
  async reset(token: string, password: string, password2: string, call: CallContext): Promise<void> {
    const customer = await this.links.readReset(token);
    if (!customer) throw new CustomerError('LINK_OVER');
    checkNewPassword(password, password2);
    await this.accounts.setPassword(customer.id, password, customer.passwordHash);
    await this.log.note('reset', customer.username, call);
  }

  /** Returns the customer's name of a sign-in link; null if it is not valid any more. */
  async nameOfEnter(token: string): Promise<string | null> {
    return (await this.links.readEnter(token))?.customer.username ?? null;
  }

  /** Signs in by a link, which is consumed. @throws CustomerError LINK_OVER */
  async enter(token: string, call: CallContext): Promise<string[]> {
    const found = await this.links.readEnter(token);
    if (!found || !(await this.accounts.takeLink(found.customer.id, found.number))) throw new CustomerError('LINK_OVER');
    const cookies = await this.entry.open(found.customer, call);
    if (cookies === null) throw new CustomerError('LINK_OVER');
    await this.log.note('signed_in_link', found.customer.username, call);
    return cookies;
  }

  /** Mails a link to confirm the mail address. @throws CustomerError MAIL_NONE, NO_MAIL; OperationError RATE_LIMITED */
  async askConfirmation({ id, email, emailVerified }: CustomerRecord, call: CallContext): Promise<void> {
    if (email === '' || emailVerified) throw new CustomerError('MAIL_NONE');
    this.mails.requireMail();
    await countAgainst(this.limiter, `confirm:customer:${id}`, LINK_MAILS_TO_ONE);
    await this.mails.ask({ kind: 'confirm', id, mail: email }, call);
  }

  /** Confirms a mail address. @throws CustomerError LINK_OVER, MAIL_TAKEN */
  async confirm(token: string): Promise<void> {
    const link = this.links.readConfirm(token);
    if (!link) throw new CustomerError('LINK_OVER');
    await this.accounts.confirmMail(link.id, link.mail);
  }
}
