import { Injectable } from '@nestjs/common';

import { AdministratorAccounts } from '../../auth/index.js';
import { localeOf, type Locale } from '../../common/index.js';
import { SiteSettings } from '../../site/index.js';
import type { NoticeAudience, NoticeSide } from '../notice.js';

import { type NoticeAccount, NoticeAccounts, NoticeCustomers } from './notice-accounts.js';
import { Preferences } from './preferences.js';

/** A recipient of notices. */
export interface Receiver {
  readonly side: NoticeSide;
  /** `SVC_zj.id`, `SVC_admin.id` on the admin side, `SVC_plugin_user.id` of a customer. */
  readonly id: number;
  readonly username: string;
  /** Address of the account; null if unknown. */
  readonly email: string | null;
  /** Language of stored and sent text. */
  readonly locale: Locale;
}

/** Resolves audiences to recipients. */
@Injectable()
export class Receivers {
  constructor(
    private readonly administrators: AdministratorAccounts,
    private readonly accounts: NoticeAccounts,
    private readonly customers: NoticeCustomers,
    private readonly preferences: Preferences,
    private readonly settings: SiteSettings,
  ) {}

  /** Returns the recipients of an audience: enabled administrators, the owner of an account, or a customer; empty if not found. */
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

  /** Returns the owner of an account as recipient. */
  ofAccount(account: NoticeAccount): Promise<Receiver> {
    return this.receiver('user', account);
  }

  private async receiver(side: NoticeSide, { id, username, email }: NoticeAccount): Promise<Receiver> {
    const { locale } = await this.preferences.of(side, id);
    return { side, id, username, email, locale: locale ?? localeOf(this.settings.current.locale) };
  }
}
