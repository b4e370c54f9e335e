import { Injectable } from '@nestjs/common';

import { LinkTokens, type LinkPurpose, type LinkToken } from '../auth/index.js';
import { DAY_MS, MINUTE_MS } from '../common/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { ACTIVE, Customers } from './customers.js';
import type { Customer } from './entities/index.js';

/** Encrypted content of a link, by its kind. Those that set a password have their own, see {@link LinkTokens.sealPassword}. */
interface Contents {
  readonly enter: { readonly id: number; readonly number: number };
  readonly confirm: { readonly id: number; readonly mail: string };
  readonly register: { readonly mail: string };
}

/** A kind is also the path of its page, below the account pages. */
type Kind = 'reset' | keyof Contents;

/** Lifetimes in milliseconds. */
const LIFETIMES: Readonly<Record<keyof Contents, number>> = { enter: 15 * MINUTE_MS, confirm: DAY_MS, register: DAY_MS };

/**
 * Links of customers. None works twice, because each is bound to what it changes: to the password it replaces, to the number of sign-in
 * links used, to the unconfirmed address.
 */
@Injectable()
export class CustomerLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly pages: AccountPagesAddress,
    private readonly customers: Customers,
  ) {}

  /** Returns a link to set a new password, valid for an hour. @param path of the account pages */
  reset(customer: Customer, path: string): string {
    return this.address('reset', this.tokens.sealPassword(purposeOf('reset'), customer), path);
  }

  /** Returns a link to sign in once within 15 minutes. */
  enter({ id, linkNumber }: Customer, path: string): string {
    return this.seal('enter', { id, number: linkNumber }, path);
  }

  /** Returns a link to confirm the mail address, valid for a day. */
  confirm({ id, email }: Customer, path: string): string {
    return this.seal('confirm', { id, mail: email }, path);
  }

  /** Returns a link to register with a mail address, valid for a day. */
  register(mail: string, path: string): string {
    return this.seal('register', { mail }, path);
  }

  /** Returns the customer of a reset link; null if it expired, was used, or is not authentic. */
  readReset(token: unknown): Promise<Customer | null> {
    return this.tokens.openPassword(purposeOf('reset'), token, (id) => this.active(id));
  }

  /** Returns the customer of a sign-in link, and the number that consumes it. */
  async readEnter(token: unknown): Promise<{ customer: Customer; number: number } | null> {
    const link = this.open('enter', token);
    const customer = link && (await this.active(link.id));
    return customer && customer.linkNumber === link.number ? { customer, number: link.number } : null;
  }

  readConfirm(token: unknown): { id: number; mail: string } | null {
    return this.open('confirm', token);
  }

  /** Returns the mail address of a registration link. */
  readRegister(token: unknown): string | null {
    return this.open('register', token)?.mail ?? null;
  }

  private seal<To extends keyof Contents>(to: To, content: Contents[To], path: string): string {
    return this.address(to, this.tokens.seal(purposeOf(to), content, LIFETIMES[to]), path);
  }

  private open<To extends keyof Contents>(to: To, token: unknown): Contents[To] | null {
    return this.tokens.open<Contents[To]>(purposeOf(to), token);
  }

  private address(to: Kind, { token }: LinkToken, path: string): string {
    return this.pages.address(path, `/${to}?t=${token}`);
  }

  private async active(id: number): Promise<Customer | null> {
    const customer = await this.customers.find(id);
    return customer?.status === ACTIVE ? customer : null;
  }
}

const purposeOf = (to: Kind): LinkPurpose => ({ place: 'customers.link', to });
