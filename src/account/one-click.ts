import { Injectable } from '@nestjs/common';

import { CaptchaService, LoginError, SESSION_COOKIES, SessionService, isSecure, sessionCookie, visitorOf } from '../auth/index.js';
import { LoginLinks } from '../hosting/index.js';
import { AuditLog, RequestContext } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { SignIn } from './sign-in.js';

/** Signs users in from another site: with their password, as resellers' shops do, or by a one-time link. */
@Injectable()
export class OneClick {
  constructor(
    private readonly signIn: SignIn,
    private readonly captchas: CaptchaService,
    private readonly links: LoginLinks,
    private readonly sessions: SessionService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Signs in with name and password like the login, but never with a captcha; failures count together with the login's.
   *
   * @returns the `Set-Cookie` lines
   * @throws AccountError ONE_CLICK_WRONG; LoginError TOO_MANY_TRIES: use the login page then; LoginRefusal as the login
   */
  async withPassword(user: string, pass: string, call: CallContext): Promise<readonly string[]> {
    try {
      return (await this.signIn.loginWithoutCaptcha({ user, pass }, call))['Set-Cookie'];
    } catch (error) {
      throw error instanceof LoginError && error.code === 'CREDENTIALS_WRONG_USER' ? new AccountError('ONE_CLICK_WRONG') : error;
    }
  }

  /** Returns whether the users' login page requires a captcha. */
  async loginAsksForCaptcha(): Promise<boolean> {
    return this.captchas.enabled && this.signIn.wantsCaptcha('user');
  }

  /** Signs in by a link's token and consumes it; null if the token is not valid (any more). @returns the `Set-Cookie` line */
  async withLink(token: string, call: CallContext): Promise<string | null> {
    const redeemed = await this.links.redeem(token, visitorOf(call));
    if (!redeemed) return null;
    const before = call.cookies[SESSION_COOKIES.user];
    if (before) await this.sessions.end(before);
    await this.audit.write({
      actor: redeemed.username,
      category: '登陆',
      summary: 'link',
      text: { key: 'account.log_sign_in_link', params: {} },
      ip: call.ip,
      outcome: 'ok',
      account: { side: 'user', id: redeemed.id },
      rid: RequestContext.requestIdOf(call),
    });
    return sessionCookie('user', redeemed.token, isSecure(call));
  }
}
