import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock } from '../common/index.js';
import { Secrets } from '../config/index.js';

/** Lifetime of a link to set a new password, in milliseconds. */
const PASSWORD_LINK_MS = HOUR_MS;

/** What a link is for. A token opens for the purpose it was sealed for, and for no other. */
export interface LinkPurpose {
  /** Unique to the feature and so to its accounts, such as `account.reset_link`; see {@link Secrets.seal}. */
  readonly place: string;
  /** Kind of link, where a place has several. */
  readonly to?: string;
}

/** A token and its expiry. */
export interface LinkToken {
  /** For the URL; opened by {@link LinkTokens}. */
  readonly token: string;
  readonly until: Date;
}

/** An account whose password a link replaces. */
interface PasswordAccount {
  readonly id: number;
  readonly passwordHash: string;
}

/** Encrypted content of a link to set a new password. */
interface PasswordContent {
  readonly id: number;
  /** Fingerprint of the password the account has now. */
  readonly password: string;
}

/**
 * Tokens of links that expire. All their data is encrypted in them, so no row is needed and nothing can be forged. A link that must work
 * only once contains what using it changes.
 */
@Injectable()
export class LinkTokens {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Seals a content for `lifetimeMs` milliseconds. */
  seal({ place, to }: LinkPurpose, content: object, lifetimeMs: number): LinkToken {
    const until = this.clock.now().getTime() + lifetimeMs;
    return { token: this.secrets.sealToken(JSON.stringify({ ...content, to, until }), place), until: new Date(until) };
  }

  /** Returns the content of a token; null if it expired, is for another purpose, or is not authentic. */
  open<Content extends object>({ place, to }: LinkPurpose, token: unknown): Content | null {
    const text = this.secrets.openToken(token, place);
    if (text === null) return null;
    const link = JSON.parse(text) as Content & { to?: string; until: number };
    return link.to === to && link.until >= this.clock.now().getTime() ? link : null;
  }

  /** Seals a link that sets a new password: for an hour, and only while the account has its present one, so it works once. */
  sealPassword(purpose: LinkPurpose, { id, passwordHash }: PasswordAccount): LinkToken {
    return this.seal(purpose, { id, password: passwordMark(passwordHash) } satisfies PasswordContent, PASSWORD_LINK_MS);
  }

  /**
   * Returns the account of a link that sets a new password; null if it expired, was used, or is not authentic. Whoever sets the password
   * makes sure that it is still the one returned here: of concurrent requests, only one may use the link.
   *
   * @param find returns the account, or null if it may not be used
   */
  async openPassword<Account extends PasswordAccount>(
    purpose: LinkPurpose,
    token: unknown,
    find: (id: number) => Promise<Account | null>,
  ): Promise<Account | null> {
    const link = this.open<PasswordContent>(purpose, token);
    const account = link && (await find(link.id));
    return account && passwordMark(account.passwordHash) === link.password ? account : null;
  }
}

/** Changes with the password, and does not reveal its hash. */
function passwordMark(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}
