import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { LoginRefusal, mayBeSignedIn, RateLimiter, SessionService, TOKEN_PATTERN, type Visitor } from '../../auth/index.js';
import { Clock, hashToken } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { countAgainst } from '../../operations/index.js';
import { HostUserDirectory } from '../host-user-directory.js';
import { HostingError } from '../hosting-errors.js';

/** How long a link is valid, in seconds. */
export const LOGIN_LINK_SECONDS = 60;
/** Path of sign-in links. The token is in the query, which is never logged. */
export const LOGIN_LINK_PATH = '/user/dl.php';

/** Rate limit of links per account. */
const ISSUE_RATE = { limit: 30, windowSeconds: 60 };

/** An issued link. */
export interface IssuedLink {
  readonly url: string;
  /** Validity in seconds. */
  readonly ttl: number;
}

/** Account that signed in by a link, and the session token for its cookie. */
export interface Redeemed {
  /** `SVC_zj.id`. */
  readonly id: number;
  readonly token: string;
  readonly username: string;
}

/**
 * Links that sign a user in without the password: single-use, for one account, valid for {@link LOGIN_LINK_SECONDS} seconds. Pausing or
 * deleting the account, or changing its password, revokes its links together with its sessions.
 */
@Injectable()
export class LoginLinks {
  private readonly insert;
  private readonly find;
  private readonly lockAccount;
  private readonly take;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly baseUrl: BaseUrl,
    private readonly directory: HostUserDirectory,
    private readonly sessions: SessionService,
    private readonly limiter: RateLimiter,
  ) {
    // Prevents a race with a pause or password change in progress: MySQL needs a row lock, SQLite has only one writer.
    const locked = database.engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    this.insert = database.statement(
      `INSERT INTO {LoginLink} ({LoginLink.tokenHash}, {LoginLink.accountId}, {LoginLink.expiresAt})
       SELECT ?, {HostingAccount.id}, ? FROM {HostingAccount}
       WHERE {HostingAccount.id} = ? AND ${mayBeSignedIn()}${locked}`,
    );
    this.find = database.statement<{ accountId: number }>(
      'SELECT {LoginLink.accountId} AS accountId FROM {LoginLink} WHERE {LoginLink.tokenHash} = ? AND {LoginLink.expiresAt} > ?',
    );
    this.lockAccount = database.statement<{ username: string; passwordHash: string }>(
      `SELECT {HostingAccount.username} AS username, {HostingAccount.passwordHash} AS passwordHash FROM {HostingAccount}
       WHERE {HostingAccount.id} = ? AND ${mayBeSignedIn()}${locked}`,
    );
    this.take = database.statement('DELETE FROM {LoginLink} WHERE {LoginLink.tokenHash} = ?');
    this.sweep = database.statement('DELETE FROM {LoginLink} WHERE {LoginLink.expiresAt} <= ?');
  }

  /**
   * Issues a link for an account.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND; LoginRefusal for an account that is paused or has expired; OperationError
   * RATE_LIMITED
   */
  async issue(accountId: number): Promise<IssuedLink> {
    const user = await this.directory.findById(accountId);
    if (!user) throw new HostingError('ACCOUNT_NOT_FOUND');
    if (user.refusal) throw new LoginRefusal(user.refusal.text, user.refusal.params);
    await countAgainst(this.limiter, `link:${accountId}`, ISSUE_RATE);
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + LOGIN_LINK_SECONDS * 1_000);
    const { affected } = await this.insert.run(hashToken(token), expiresAt, accountId);
    if (affected === 0) throw new HostingError('ACCOUNT_STATE');
    return { url: `${this.baseUrl.current()}${LOGIN_LINK_PATH}?t=${token}`, ttl: LOGIN_LINK_SECONDS };
  }

  /** Uses up a link and opens a session; null for a link that is unknown, used or expired, or whose account may not sign in. */
  async redeem(token: string, visitor: Visitor): Promise<Redeemed | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    const now = this.clock.now();
    const link = await this.find.get(hashToken(token), now);
    if (!link) return null;
    return this.database.transaction(async () => {
      // Locks the account before the link, in the same order as a pause, to avoid a deadlock.
      const account = await this.lockAccount.get(link.accountId);
      const { affected } = await this.take.run(hashToken(token));
      if (!account || affected === 0) return null;
      const session = await this.sessions.openWithPassword('user', link.accountId, account.passwordHash, visitor);
      return session === null ? null : { token: session, id: link.accountId, username: account.username };
    });
  }

  /** Removes expired links. */
  @Job({ name: 'login-links', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}
