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

/** Name of the task that sends one. */
const TASK = 'store.password-mail';
const PLACE = 'store.password_link';
/** How long a link works, in milliseconds: an hour. */
const LINK_MS = HOUR_MS;

/** What somebody said of an account whose password is lost. */
interface AskedLink {
  readonly username: string;
  readonly email: string;
  readonly locale: Locale;
}

/** What is sealed into a link. */
interface PasswordLink {
  readonly id: number;
  /** Of the password that was lost, so that the link ends with it. */
  readonly password: string;
  /** When it runs out, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Links by which whoever lost a password sets another one. All they say is sealed into them, and they hang on the password they replace:
 * none works twice, and none outlives a password that was changed some other way. A second factor stays.
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

  /** The whole address for an account, and when it ends. @throws StoreError USER_MISSING */
  async make(id: number): Promise<{ link: string; until: Date }> {
    const user = await this.database.repository(StoreUser).findOneBy({ id });
    if (!user) throw new StoreError('USER_MISSING');
    const until = this.clock.now().getTime() + LINK_MS;
    const link: PasswordLink = { id, password: passwordMark(user.passwordHash), until };
    const token = this.secrets.sealToken(JSON.stringify(link), PLACE);
    return { link: `${this.baseUrl.current()}/store/reset?t=${token}`, until: new Date(until) };
  }

  /**
   * Has a link mailed where name and address are those of one account. Nobody is told whether they are: what was said is queued, whatever
   * it is, and looked at when the mail is sent. While a mail server is away it is tried again for about half an hour.
   *
   * @throws StoreError NO_MAIL where this store sends none
   */
  async ask(username: string, email: string, locale: Locale): Promise<void> {
    if (!this.mail.isThere) throw new StoreError('NO_MAIL');
    const said = createHash('sha256')
      .update(`${nameKey(username)}\n${emailKey(email)}`)
      .digest('hex');
    await this.queue.add(TASK, { username, email, locale } satisfies AskedLink, { key: said });
  }

  /** Mails one; its hour begins now. @throws Error where the mail was not taken: it is tried again */
  @BackgroundTask({ name: TASK, attempts: 6, backoffSeconds: 60, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send(payload: unknown): Promise<void> {
    const { username, email, locale } = payload as AskedLink;
    const user = await this.database.repository(StoreUser).findOneBy({ usernameKey: nameKey(username), status: 'active' });
    if (!user || user.emailKey !== emailKey(email)) return;
    const { link } = await this.make(user.id);
    const say = (key: string): string => translate(locale, `store.reset_mail_${key}`, { user: user.username });
    await this.mail.send({ to: user.email, subject: say('subject'), text: `${say('text')}\n\n${link}\n` });
  }

  /** Whose it is; null for one that is over, was used, or that we did not make. */
  async read(token: string): Promise<StoreUser | null> {
    const text = this.secrets.openToken(token, PLACE);
    if (text === null) return null;
    const { id, password, until } = JSON.parse(text) as PasswordLink;
    if (until < this.clock.now().getTime()) return null;
    const user = await this.database.repository(StoreUser).findOneBy({ id, status: 'active' });
    return user && passwordMark(user.passwordHash) === password ? user : null;
  }
}
