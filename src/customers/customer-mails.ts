import { Injectable } from '@nestjs/common';

import { isLocale, localeOf, translate, type TextParams } from '../common/index.js';
import { BackgroundQueue, BackgroundTask } from '../jobs/index.js';
import { Mailer, sendLinkMail } from '../notify/index.js';
import type { CallContext } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { AccountPagesAddress } from './account-pages-address.js';
import { CustomerLinks } from './customer-links.js';
import { Customers } from './customers.js';
import { CustomerError } from './errors.js';

const TASK = 'customer.mail';

/** A requested mail, and the path of the account pages. */
interface MailRequest {
  readonly kind: 'reset' | 'confirm' | 'register';
  /** For `confirm`, where the account is known. */
  readonly id?: number;
  /** The entered name, for the others. */
  readonly user?: string;
  readonly mail: string;
  readonly path: string;
  readonly locale: string;
}

/**
 * Sends mails with links to customers and to people registering. Lookup and sending run in the background, so that response
 * times do not reveal whether an account exists.
 */
@Injectable()
export class CustomerMails {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly mailer: Mailer,
    private readonly settings: SiteSettings,
    private readonly customers: Customers,
    private readonly links: CustomerLinks,
    private readonly pages: AccountPagesAddress,
  ) {}

  /** @throws CustomerError NO_MAIL */
  requireMail(): void {
    if (!this.mailer.isSetUp) throw new CustomerError('NO_MAIL', { contact: this.settings.current.contact });
  }

  /** Queues a mail with a link, sent if the request is valid; the caller limits the rate. @throws CustomerError NO_MAIL, PAGES_OFF */
  async ask(what: Omit<MailRequest, 'path' | 'locale'>, call: CallContext): Promise<void> {
    this.requireMail();
    const request: MailRequest = { ...what, path: this.pages.path, locale: localeOf(call.locale) };
    await this.queue.add(TASK, request, {
      key: `${what.kind}:${what.id ?? ''}:${what.user ?? ''}:${what.mail}`.toLowerCase().slice(0, 190),
    });
  }

  @BackgroundTask({ name: TASK, attempts: 5, backoffSeconds: 30, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send(payload: unknown): Promise<void> {
    const request = payload as MailRequest;
    const letter = await this.letter(request);
    if (letter) await this.sendTo(request, letter);
  }

  private async letter({ kind, id, user, mail, path }: MailRequest): Promise<{ text: string; link: string; user: string } | null> {
    if (kind === 'register') {
      const known = await this.customers.findByMail(mail);
      if (known) return { text: 'known', link: this.pages.address(path, '/login'), user: known.username };
      return { text: 'register', link: this.links.register(mail, path), user: '' };
    }
    const customer = kind === 'confirm' ? await this.customers.find(id!) : await this.customers.findByName(user!);
    if (!customer || customer.email.toLowerCase() !== mail.toLowerCase() || customer.status === 0) return null;
    const link = kind === 'confirm' ? this.links.confirm(customer, path) : this.links.reset(customer, path);
    return { text: kind, link, user: customer.username };
  }

  private async sendTo(
    { mail, locale: requested }: MailRequest,
    { text: kind, link, user }: { text: string; link: string; user: string },
  ): Promise<void> {
    const { name: site, locale: ofSite } = this.settings.current;
    const locale = isLocale(requested) ? requested : localeOf(ofSite);
    const say = (key: string, params: TextParams = { site, user }): string => translate(locale, `customers.mail_${key}`, params);
    const [subject, text, button, footer] = [say(`${kind}_subject`), say(`${kind}_text`), say(`${kind}_button`), say('footer')];
    await sendLinkMail(this.mailer, { to: mail, locale, site, subject, text, link, button, footer });
  }
}
