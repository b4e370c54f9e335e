import { Injectable } from '@nestjs/common';

import { passwordMark } from '../auth/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, Clock } from '../common/index.js';
import { Secrets } from '../config/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { ACTIVE, Customers } from './customers.js';
import type { Customer } from './entities/index.js';

const PLACE = 'customers.link';

/** Encrypted content of a link, by purpose. */
type Sealed =
  | { readonly to: 'reset'; readonly id: number; readonly password: string }
  | { readonly to: 'enter'; readonly id: number; readonly number: number }
  | { readonly to: 'confirm'; readonly id: number; readonly mail: string }
  | { readonly to: 'register'; readonly mail: string };

/** Path below the account pages, and validity of each. */
const KINDS: Readonly<Record<Sealed['to'], { below: string; ms: number }>> = {
  reset: { below: '/reset', ms: HOUR_MS },
  enter: { below: '/enter', ms: 15 * MINUTE_MS },
  confirm: { below: '/confirm', ms: DAY_MS },
  register: { below: '/register', ms: DAY_MS },
};

/**
 * Links of customers. All their data is encrypted in the link, and bound to what it changes, so that none works twice: to the password it
 * replaces, to the number of sign-in links used, to the unconfirmed address.
 */
@Injectable()
export class CustomerLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly pages: AccountPagesAddress,
    private readonly customers: Customers,
    private readonly clock: Clock,
  ) {}

  /** Returns a link to set a new password, valid for an hour. @param path of the account pages */
  reset({ id, passwordHash }: Customer, path: string): string {
    return this.seal({ to: 'reset', id, password: passwordMark(passwordHash) }, path);
  }

  /** Returns a link to sign in once within 15 minutes. */
  enter({ id, linkNumber }: Customer, path: string): string {
    return this.seal({ to: 'enter', id, number: linkNumber }, path);
  }

  /** Returns a link to confirm the mail address, valid for a day. */
  confirm({ id, email }: Customer, path: string): string {
    return this.seal({ to: 'confirm', id, mail: email }, path);
  }

  /** Returns a link to register with a mail address, valid for a day. */
  register(mail: string, path: string): string {
    return this.seal({ to: 'register', mail }, path);
  }

  /** Returns the customer of a reset link; null if it expired, was used, or is not authentic. */
  async readReset(token: unknown): Promise<Customer | null> {
    const link = this.open(token, 'reset');
    const found = link && (await this.customers.find(link.id));
    return found && found.status === ACTIVE && passwordMark(found.passwordHash) === link.password ? found : null;
  }

  /** Returns the customer of a sign-in link, and the number that consumes it. */
  async readEnter(token: unknown): Promise<{ customer: Customer; number: number } | null> {
    const link = this.open(token, 'enter');
    const customer = link && (await this.customers.find(link.id));
    return customer && customer.linkNumber === link.number && customer.status === ACTIVE ? { customer, number: link.number } : null;
  }

  readConfirm(token: unknown): { id: number; mail: string } | null {
    return this.open(token, 'confirm');
  }

  /** Returns the mail address of a registration link. */
  readRegister(token: unknown): string | null {
    return this.open(token, 'register')?.mail ?? null;
  }

  private seal(link: Sealed, path: string): string {
    const { below, ms } = KINDS[link.to];
    const until = this.clock.now().getTime() + ms;
    const token = this.secrets.sealToken(JSON.stringify({ ...link, until }), PLACE);
    return this.pages.address(path, `${below}?t=${token}`);
  }

  private open<To extends Sealed['to']>(token: unknown, to: To): Extract<Sealed, { to: To }> | null {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const link = JSON.parse(text) as Sealed & { until: number };
    return link.to === to && link.until >= this.clock.now().getTime() ? (link as unknown as Extract<Sealed, { to: To }>) : null;
  }
}
