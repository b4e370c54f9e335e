import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { BackgroundTask } from '../../jobs/index.js';
import type { Scope } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { Mailer } from '../mail/index.js';
import { Preferences } from '../receivers/index.js';

import { MailLinks } from './mail-links.js';

/** Name of the background task that sends a confirmation mail. */
export const MAIL_CONFIRM_TASK = 'notice.confirm';

/** An unconfirmed address. */
export interface ConfirmMail {
  readonly side: Scope;
  readonly accountId: number;
  readonly email: string;
  /** Expiry of the link, in milliseconds since 1970. */
  readonly until: number;
}

/** Sends confirmation mails to new addresses. */
@Injectable()
export class ConfirmMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly links: MailLinks,
    private readonly preferences: Preferences,
    private readonly settings: SiteSettings,
  ) {}

  @BackgroundTask({ name: MAIL_CONFIRM_TASK, attempts: 6, backoffSeconds: 60, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send(payload: unknown): Promise<void> {
    const { side, accountId, email, until } = payload as ConfirmMail;
    const { name, locale: ofSite } = this.settings.current;
    const locale = (await this.preferences.of(side, accountId)).locale ?? localeOf(ofSite);
    const link = this.links.make({ does: 'confirm', side, accountId, email, until });
    const subject = translate(locale, 'notify.confirm_subject', { site: name });
    const text = translate(locale, 'notify.confirm_text', { site: name, link });
    await this.mailer.sendFromTask({ to: email, subject, text }, locale);
  }
}
