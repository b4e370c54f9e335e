import { Injectable } from '@nestjs/common';

import { LoginError, SESSION_COOKIES, SessionService, sessionCookie } from '../auth/index.js';
import { AppConfig } from '../config/index.js';
import { LoginLinks } from '../hosting/index.js';
import { AuditLog } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { SignIn, isSecure } from './sign-in.js';

/** Signing users in from another site: with their password, as resellers' shops do, or by a one-time link. */
@Injectable()
export class OneClick {
  constructor(
    private readonly config: AppConfig,
    private readonly signIn: SignIn,
    private readonly links: LoginLinks,
    private readonly sessions: SessionService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Signs in with name and password, as the login does, with its limits.
   *
   * @returns the `Set-Cookie` line
   * @throws AccountError ONE_CLICK_OFF while users sign in with a captcha, ONE_CLICK_WRONG; LoginError and LoginRefusal as the
   *   login
   */
  async withPassword(user: string, pass: string, call: CallContext): Promise<string> {
    if (this.config.captcha.kind !== 'off' && (await this.signIn.wantsCaptcha('user'))) throw new AccountError('ONE_CLICK_OFF');
    try {
      const { headers } = await this.signIn.login('user', { user, pass, code: '' }, call);
      return String(headers['Set-Cookie']);
    } catch (error) {
      throw error instanceof LoginError && error.code === 'CREDENTIALS_WRONG_USER' ? new AccountError('ONE_CLICK_WRONG') : error;
    }
  }

  /** Signs in by a link's token and uses it up; null for one that does not work (any more). @returns the `Set-Cookie` line */
  async withLink(token: string, call: CallContext): Promise<string | null> {
    const visitor = { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') };
    const redeemed = await this.links.redeem(token, visitor);
    if (!redeemed) return null;
    const before = call.cookies[SESSION_COOKIES.user];
    if (before) await this.sessions.end(before);
    await this.audit.write({ actor: redeemed.username, category: '登陆', summary: 'link', ip: call.ip, outcome: 'ok' });
    return sessionCookie('user', redeemed.token, isSecure(call));
  }
}
