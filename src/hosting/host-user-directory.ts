import { Injectable } from '@nestjs/common';

import { OPEN_PAUSES } from '../auth/index.js';
import { ownerContact, type TextParams } from '../common/index.js';
import { SiteSettings } from '../site/index.js';

import { AccountStore, PAUSE_REASON } from './accounts/index.js';
import type { HostingAccount } from './entities/index.js';

/** Why a user with the right password may not sign in: a text key and its parameters. */
export interface RefusedWords {
  readonly text: string;
  readonly params: TextParams;
}

/** An account, for sign-in on the user side. */
export interface HostUser {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  /** Undefined for an account that may sign in. */
  readonly refusal?: RefusedWords;
}

/** Looks up the users of the user side, which are the hosting accounts, for sign-in. Sessions are managed elsewhere. */
@Injectable()
export class HostUserDirectory {
  constructor(
    private readonly settings: SiteSettings,
    private readonly store: AccountStore,
  ) {}

  /** Finds an account by user name, ignoring case; null if it does not exist, is not ready yet or is being deleted. */
  async findForLogin(username: string): Promise<HostUser | null> {
    return this.toUser(await this.store.findByUser(username));
  }

  /** Finds an account by id; null as {@link findForLogin}. */
  async findById(id: number): Promise<HostUser | null> {
    return this.toUser(await this.store.find(id));
  }

  private async toUser(account: HostingAccount | null): Promise<HostUser | null> {
    if (!account || (account.state !== 'active' && account.state !== 'paused')) return null;
    const refusal = await this.refusalOf(account);
    const { id, username, passwordHash } = account;
    return refusal ? { id, username, passwordHash, refusal } : { id, username, passwordHash };
  }

  private async refusalOf(account: HostingAccount): Promise<RefusedWords | null> {
    const { length } = account.pauseReasons;
    if (account.state === 'active' || (length > 0 && account.pauseReasons.every((reason) => OPEN_PAUSES.includes(reason)))) return null;
    const { contact } = this.settings.current;
    const text = account.pauseReasons.includes(PAUSE_REASON.scan) ? 'hosting.login_scan' : 'hosting.login_paused';
    return contact ? { text, params: { contact: ownerContact(contact) } } : { text: `${text}_no_contact`, params: {} };
  }
}
