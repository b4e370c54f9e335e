import { Injectable } from '@nestjs/common';

import { passwordMark } from '../auth/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, Clock } from '../common/index.js';
import { Secrets } from '../config/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { ACTIVE, Customers } from './customers.js';
import type { Customer } from './entities/index.js';

const PLACE = 'customers.link';

/** What is sealed into a link, by what it is for. */
type Sealed =
  | { readonly to: 'reset'; readonly id: number; readonly password: string }
  | { readonly to: 'enter'; readonly id: number; readonly number: number }
  | { readonly to: 'confirm'; readonly id: number; readonly mail: string }
  | { readonly to: 'register'; readonly mail: string };

/** Where each leads, below the account pages, and how long it works. */
const KINDS: Readonly<Record<Sealed['to'], { below: string; ms: number }>> = {
  reset: { below: '/reset', ms: HOUR_MS },
  enter: { below: '/enter', ms: 15 * MINUTE_MS },
  confirm: { below: '/confirm', ms: DAY_MS },
  register: { below: '/register', ms: DAY_MS },
};

/**
 * Links of customers. All they say is sealed into them, and each hangs on what it changes, so that none works twice: on the password it
 * replaces, on the number of links that were used to come in, on the address that is not confirmed yet.
 */
@Injectable()
export class CustomerLinks {
  constructor(
    private readonly secrets: Secrets,
    private readonly pages: AccountPagesAddress,
    private readonly customers: Customers,
    private readonly clock: Clock,
  ) {}

  /** A link by which he sets another password, for an hour. @param path of the account pages */
  reset({ id, passwordHash }: Customer, path: string): string {
    return this.seal({ to: 'reset', id, password: passwordMark(passwordHash) }, path);
  }

  /** A link by which he comes in, once, within 15 minutes. */
  enter({ id, linkNumber }: Customer, path: string): string {
    return this.seal({ to: 'enter', id, number: linkNumber }, path);
  }

  /** A link that says that his address is his, for a day. */
  confirm({ id, email }: Customer, path: string): string {
    return this.seal({ to: 'confirm', id, mail: email }, path);
  }

  /** A link by which whoever has the address makes an account, for a day. */
  register(mail: string, path: string): string {
    return this.seal({ to: 'register', mail }, path);
  }

  /** Whose password it sets; null for a link that is over, was used, or is none of ours. */
  async readReset(token: unknown): Promise<Customer | null> {
    const link = this.open(token, 'reset');
    const found = link && (await this.customers.find(link.id));
    return found && found.status === ACTIVE && passwordMark(found.passwordHash) === link.password ? found : null;
  }

  /** Who comes in by it, and at which number it is used up. */
  async readEnter(token: unknown): Promise<{ customer: Customer; number: number } | null> {
    const link = this.open(token, 'enter');
    const customer = link && (await this.customers.find(link.id));
    return customer && customer.linkNumber === link.number && customer.status === ACTIVE ? { customer, number: link.number } : null;
  }

  readConfirm(token: unknown): { id: number; mail: string } | null {
    return this.open(token, 'confirm');
  }

  /** The address somebody has shown to be his who wants an account. */
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
