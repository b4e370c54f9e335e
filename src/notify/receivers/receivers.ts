import { Injectable } from '@nestjs/common';

import { AdministratorAccounts } from '../../auth/index.js';
import { localeOf, type Locale } from '../../common/index.js';
import { SiteSettings } from '../../site/index.js';
import type { NoticeAudience, NoticeSide } from '../notice.js';

import { type NoticeAccount, NoticeAccounts, NoticeCustomers } from './notice-accounts.js';
import { Preferences } from './preferences.js';

/** Somebody who gets notices. */
export interface Receiver {
  readonly side: NoticeSide;
  /** `SVC_zj.id`, `SVC_admin.id` on the admin side, `SVC_plugin_user.id` of a customer. */
  readonly id: number;
  readonly username: string;
  /** The address of the account; null where none is known. */
  readonly email: string | null;
  /** The language of what is kept and sent. */
  readonly locale: Locale;
}

/** Who is meant by an audience. */
@Injectable()
export class Receivers {
  constructor(
    private readonly administrators: AdministratorAccounts,
    private readonly accounts: NoticeAccounts,
    private readonly customers: NoticeCustomers,
    private readonly preferences: Preferences,
    private readonly settings: SiteSettings,
  ) {}

  /**
   * Everybody of an audience: administrators who may sign in, the owner of one account, or a customer; nobody where there is no such one.
   */
  async of(to: NoticeAudience): Promise<Receiver[]> {
    if (to === 'administrators') {
      const everybody = (await this.administrators.list()).filter(({ enabled }) => enabled);
      return Promise.all(everybody.map(({ id, username }) => this.receiver('admin', { id, username, email: null })));
    }
    if ('customer' in to) {
      const customer = await this.customers.findForNotices(to.customer);
      return customer ? [await this.receiver('customer', customer)] : [];
    }
    const account = await ('account' in to ? this.accounts.find(to.account) : this.accounts.findById(to.accountId));
    return account ? [await this.ofAccount(account)] : [];
  }

  /** The owner of an account. */
  ofAccount(account: NoticeAccount): Promise<Receiver> {
    return this.receiver('user', account);
  }

  private async receiver(side: NoticeSide, { id, username, email }: NoticeAccount): Promise<Receiver> {
    const { locale } = await this.preferences.of(side, id);
    return { side, id, username, email, locale: locale ?? localeOf(this.settings.current.locale) };
  }
}
