import { Injectable } from '@nestjs/common';

import { UserDirectory } from '../auth/index.js';
import { isLocale, localeOf, translate, type Locale, type TextParams } from '../common/index.js';
import { BackgroundTask } from '../jobs/index.js';
import { Mailer, NoticeAccounts, Preferences, sendLinkMail } from '../notify/index.js';
import { AUDIT_LOCALE, AuditLog } from '../operations/index.js';
import { SiteSettings } from '../site/index.js';

import { ResetLinks } from './reset-links.js';

/** Name of the task that checks the request and sends the mail. */
export const RESET_MAIL_TASK = 'account.reset-mail';

/** Input of a password reset request. */
export interface ResetRequest {
  readonly user: string;
  readonly mail: string;
  readonly ip: string;
  /** Language of the form page. */
  readonly locale: string;
}

/** Sends the reset link if the account exists with the given mail address. */
@Injectable()
export class ResetMails {
  constructor(
    private readonly users: UserDirectory,
    private readonly accounts: NoticeAccounts,
    private readonly preferences: Preferences,
    private readonly links: ResetLinks,
    private readonly mailer: Mailer,
    private readonly settings: SiteSettings,
    private readonly audit: AuditLog,
  ) {}

  /** Runs in the background: the response is sent before the lookup, so its timing reveals nothing. */
  @BackgroundTask({ name: RESET_MAIL_TASK, attempts: 5, backoffSeconds: 30, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send(payload: unknown): Promise<void> {
    const { user, mail, ip, locale: requested } = payload as ResetRequest;
    const account = await this.accounts.find(user);
    // MySQL ignores accents when comparing names.
    if (account?.username.toLowerCase() !== user.toLowerCase()) return;
    const preferences = await this.preferences.of('user', account.id);
    const address = preferences.email ?? account.email;
    const candidate = await this.users.findForLogin(account.username);
    if (!address || address.toLowerCase() !== mail.toLowerCase() || !candidate) return;
    await this.sendTo(
      address,
      this.links.make(candidate),
      account.username,
      preferences.locale ?? (isLocale(requested) ? requested : null),
    );
    await this.note(account, ip);
  }

  private async sendTo(to: string, link: string, user: string, wanted: Locale | null): Promise<void> {
    const { name: site, locale: ofSite } = this.settings.current;
    const locale = wanted ?? localeOf(ofSite);
    const say = (key: string, params: TextParams = { site, user }): string => translate(locale, `account.reset_mail_${key}`, params);
    const [subject, text, button, footer] = [say('subject'), say('text'), say('button'), say('footer')];
    await sendLinkMail(this.mailer, { to, locale, site, subject, text, link, button, footer });
  }

  private async note({ id, username }: { id: number; username: string }, ip: string): Promise<void> {
    const text = { key: 'account.log_reset_mail', params: { user: username } };
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor: username, category: 'zhmm', summary, text, ip, outcome: 'ok', account: { side: 'user', id } });
  }
}
