import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { LinkTokens } from '../../auth/index.js';
import { translate, type Locale } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask } from '../../jobs/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { emailKey } from './names.js';
import { StoreMail } from './store-mail.js';

/** Name of the task that sends a reset link. */
const TASK = 'store.password-mail';
const RESET = { place: 'store.password_link' };

/** What the visitor entered about the account with the lost password. */
interface LinkRequest {
  readonly username: string;
  readonly email: string;
  readonly locale: Locale;
}

/** Links with which users who lost their password set a new one. A second factor stays. */
@Injectable()
export class PasswordLinks {
  constructor(
    private readonly database: Database,
    private readonly tokens: LinkTokens,
    private readonly mail: StoreMail,
    private readonly baseUrl: BaseUrl,
    private readonly queue: BackgroundQueue,
  ) {}

  /** Makes the full URL for an account and returns it with its expiry: it works once, for an hour. @throws StoreError USER_MISSING */
  async make(id: number): Promise<{ link: string; until: Date }> {
    const user = await this.database.repository(StoreUser).findOneBy({ id });
    if (!user) throw new StoreError('USER_MISSING');
    const { token, until } = this.tokens.sealPassword(RESET, user);
    return { link: `${this.baseUrl.current()}/store/reset?t=${token}`, until };
  }

  /**
   * Mails a link if name and address belong to the same account. The response does not reveal whether they do: every request is queued, and
   * the account is looked up only when the mail is sent. Retries for about half an hour while the mail server is unreachable.
   *
   * @throws StoreError NO_MAIL if this store sends no mail
   */
  async request(username: string, email: string, locale: Locale): Promise<void> {
    if (!this.mail.isAvailable) throw new StoreError('NO_MAIL');
    const key = createHash('sha256')
      .update(`${nameKey(username)}\n${emailKey(email)}`)
      .digest('hex');
    await this.queue.add(TASK, { username, email, locale } satisfies LinkRequest, { key });
  }

  /** Mails one link; its hour starts now. @throws Error if the mail was not accepted; the queue retries */
  @BackgroundTask({ name: TASK, attempts: 6, backoffSeconds: 60, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send(payload: unknown): Promise<void> {
    const { username, email, locale } = payload as LinkRequest;
    const user = await this.database.repository(StoreUser).findOneBy({ usernameKey: nameKey(username), status: 'active' });
    if (!user || user.emailKey !== emailKey(email)) return;
    const { link } = await this.make(user.id);
    const mailText = (key: string): string => translate(locale, `store.reset_mail_${key}`, { user: user.username });
    await this.mail.send({ to: user.email, subject: mailText('subject'), text: `${mailText('text')}\n\n${link}\n` });
  }

  /** Returns the link's account; null if the link expired, was used, or was not made by this store. */
  read(token: string): Promise<StoreUser | null> {
    return this.tokens.openPassword(RESET, token, (id) => this.database.repository(StoreUser).findOneBy({ id, status: 'active' }));
  }
}
