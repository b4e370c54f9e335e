import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { passwordMark } from '../../auth/index.js';
import { HOUR_MS, Clock, translate, type Locale } from '../../common/index.js';
import { BaseUrl, Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue, BackgroundTask } from '../../jobs/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';

import { emailKey } from './names.js';
import { StoreMail } from './store-mail.js';

/** Name of the task that sends a reset link. */
const TASK = 'store.password-mail';
const SEAL_PURPOSE = 'store.password_link';
/** Lifetime of a link, in milliseconds: one hour. */
const LINK_MS = HOUR_MS;

/** What the visitor entered about the account with the lost password. */
interface LinkRequest {
  readonly username: string;
  readonly email: string;
  readonly locale: Locale;
}

/** Payload sealed into a link. */
interface PasswordLink {
  readonly id: number;
  /** Mark of the lost password's hash: changing the password invalidates the link. */
  readonly password: string;
  /** Expiry, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Password reset links. All their data is sealed into them and bound to the current password hash, so a link works only once and becomes
 * invalid when the password changes in any other way. A second factor stays.
 */
@Injectable()
export class PasswordLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mail: StoreMail,
    private readonly secrets: Secrets,
    private readonly baseUrl: BaseUrl,
    private readonly queue: BackgroundQueue,
  ) {}

  /** Makes the full URL for an account and returns it with its expiry. @throws StoreError USER_MISSING */
  async make(id: number): Promise<{ link: string; until: Date }> {
    const user = await this.database.repository(StoreUser).findOneBy({ id });
    if (!user) throw new StoreError('USER_MISSING');
    const until = this.clock.now().getTime() + LINK_MS;
    const link: PasswordLink = { id, password: passwordMark(user.passwordHash), until };
    const token = this.secrets.sealToken(JSON.stringify(link), SEAL_PURPOSE);
    return { link: `${this.baseUrl.current()}/store/reset?t=${token}`, until: new Date(until) };
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
  async read(token: string): Promise<StoreUser | null> {
    const text = this.secrets.openToken(token, SEAL_PURPOSE);
    if (text === null) return null;
    const { id, password, until } = JSON.parse(text) as PasswordLink;
    if (until < this.clock.now().getTime()) return null;
    const user = await this.database.repository(StoreUser).findOneBy({ id, status: 'active' });
    return user && passwordMark(user.passwordHash) === password ? user : null;
  }
}
