import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { FinalFailure } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';

import { MailFailure } from './mail-failure.js';
import { sendBySmtp, type Mail, type MailTls, type SmtpServer } from './smtp.js';

/** Purpose of the encrypted password, for {@link Secrets}. */
export const MAIL_PASSWORD_PLACE = 'config.mail_password';

/** Sends mails through the configured server. */
@Injectable()
export class Mailer {
  constructor(
    private readonly settings: SiteSettings,
    private readonly secrets: Secrets,
  ) {}

  /** Whether mail is configured. */
  get isSetUp(): boolean {
    return this.settings.current.mailHost !== '' && this.sender.address !== '';
  }

  /** Sends a mail. @throws MailFailure */
  async send(mail: Omit<Mail, 'from'>): Promise<void> {
    if (!this.isSetUp) throw new MailFailure('NOT_SET_UP', { server: '' });
    await sendBySmtp(this.server, { ...mail, from: this.sender });
  }

  /** Like {@link send} for background tasks. @throws FinalFailure with the reason in `locale` for a permanent failure; MailFailure */
  async sendFromTask(mail: Omit<Mail, 'from'>, locale: Locale): Promise<void> {
    try {
      await this.send(mail);
    } catch (error) {
      if (error instanceof MailFailure && error.isLasting) throw new FinalFailure(translate(locale, error.shape.text, error.params));
      throw error;
    }
  }

  /** Sender of mails; defaults to the account's address. */
  get sender(): { name: string; address: string } {
    const { mailSender, mailFrom, mailUser, name } = this.settings.current;
    return { name: mailSender || name, address: mailFrom || (mailUser.includes('@') ? mailUser : '') };
  }

  private get server(): SmtpServer {
    const { mailHost, mailPort, mailUser, mailPassword, mailTls } = this.settings.current;
    const password = mailPassword === null ? '' : this.secrets.open(mailPassword, MAIL_PASSWORD_PLACE);
    return { host: mailHost, port: mailPort, tls: mailTls as MailTls, user: mailUser, password: password ?? '' };
  }
}
