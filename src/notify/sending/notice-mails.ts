import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { timeInSentence, translate, type Locale } from '../../common/index.js';
import { BaseUrl, ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { renderMarkdown } from '../../theme/index.js';
import { MailBounce, type Notice, type NoticeDelivery } from '../entities/index.js';
import { MailFailure, Mailer } from '../mail/index.js';
import { MailLinks } from '../preferences/index.js';
import { NoticeTexts } from '../templates/index.js';

import { mailHtml, textAsHtml, type MailSection } from './mail-html.js';

/** Sends notices by mail. */
@Injectable()
export class NoticeMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly links: MailLinks,
    private readonly texts: NoticeTexts,
    private readonly settings: SiteSettings,
    private readonly baseUrl: BaseUrl,
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {}

  /** Sends one notice or a digest, oldest first. @throws MailFailure */
  async send(delivery: NoticeDelivery, notices: readonly Notice[], locale: Locale): Promise<void> {
    await this.refuseBounced(delivery.target);
    const [first] = notices;
    const site = this.settings.current.name;
    const subject = notices.length === 1 ? first!.title : translate(locale, 'notify.digest_subject', { n: notices.length });
    const { side, accountId } = delivery;
    // Notices to customers concern their orders and cannot be unsubscribed.
    const unsubscribe = side === 'customer' ? null : this.links.make({ does: 'unsubscribe', side, accountId, kind: first!.kind });
    const footer = translate(locale, unsubscribe === null ? 'notify.mail_footer_customer' : 'notify.mail_footer', {
      site,
      kind: { key: `notify.kind.${first!.kind}` },
      link: unsubscribe ?? '',
      settings: `${this.baseUrl.current()}/${side}/notice-settings`,
    });
    await this.mailer.send({
      to: delivery.target,
      subject: `[${site}] ${subject}`,
      text: `${notices.map((notice) => this.textOf(notice, notices.length > 1)).join('\n\n')}\n\n-- \n${footer}\n`,
      html: mailHtml({
        locale,
        site,
        subject,
        sections: await Promise.all(notices.map((notice) => this.sectionOf(notice, notices.length > 1, locale))),
        open: translate(locale, 'notify.mail_open'),
        footer,
      }),
      // The same in every attempt, so that duplicates after a lost response can be recognized.
      messageId: `<notice-${this.markOf(delivery)}@${this.host}>`,
      headers: {
        ...(unsubscribe !== null && {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  }

  private markOf({ id, createdAt }: NoticeDelivery): string {
    const whole = `${this.settings.current.api} ${id} ${createdAt.getTime()}`;
    return createHash('sha256').update(whole).digest('hex').slice(0, 32);
  }

  /** Stores a rejected address. @returns whether it is new */
  async markBounced(address: string, reply: string): Promise<boolean> {
    const { affected } = await this.database
      .statement(
        `${this.database.insertIgnore} {MailBounce} ({MailBounce.address}, {MailBounce.reply}, {MailBounce.createdAt}) VALUES (?, ?, ?)`,
      )
      .run(address.toLowerCase(), reply.slice(0, 300), this.clock.now());
    return affected > 0;
  }

  private async refuseBounced(address: string): Promise<void> {
    const bounce = await this.database.repository(MailBounce).findOneBy({ address: address.toLowerCase() });
    if (bounce) throw new MailFailure('BOUNCED', { server: address, reply: bounce.reply });
  }

  private textOf({ title, content, link, createdAt }: Notice, withTitle: boolean): string {
    const head = withTitle ? [`${timeInSentence(createdAt, this.clock.timezone)}  ${title}`] : [];
    return [...head, content, ...(link ? [`${this.baseUrl.current()}${link}`] : [])].join('\n');
  }

  private async sectionOf(notice: Notice, withTitle: boolean, locale: Locale): Promise<MailSection> {
    const markdown = this.texts.markdown(notice.words, locale);
    return {
      heading: withTitle ? notice.title : '',
      time: withTitle ? timeInSentence(notice.createdAt, this.clock.timezone) : '',
      html: markdown === null ? textAsHtml(notice.content) : (await renderMarkdown(markdown, { images: false })).html,
      link: notice.link && `${this.baseUrl.current()}${notice.link}`,
    };
  }

  private get host(): string {
    return new URL(this.baseUrl.current()).hostname.replace(/[^\w.-]/g, '') || 'localhost';
  }
}
