import { Injectable } from '@nestjs/common';

import { CaptchaService, LoginService, SESSION_COOKIES, SessionService, endedSessionCookie, sessionCookie } from '../auth/index.js';
import { AppError, translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { AuditLog, Done } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';

/** What a login form holds. */
export interface LoginFields {
  readonly user: string;
  readonly pass: string;
  readonly code: string;
}

/** Signing in and out, the same on both sides. */
@Injectable()
export class SignIn {
  private readonly captchaSwitches;

  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionService,
    private readonly captchas: CaptchaService,
    database: Database,
    private readonly audit: AuditLog,
  ) {
    this.captchaSwitches = database.statement<{ forAdmin: number; forUser: number }>(
      'SELECT {SiteConfig.adminCaptcha} AS forAdmin, {SiteConfig.userCaptcha} AS forUser FROM {SiteConfig} WHERE {SiteConfig.id} = 1',
    );
  }

  /** Opens a session; the answer carries its cookie and where to go. */
  async login(scope: Scope, fields: LoginFields, call: CallContext): Promise<Done> {
    const captchaWanted = await this.wantsCaptcha(scope);
    const attempt = { username: fields.user, password: fields.pass, captcha: fields.code, captchaWanted };
    const note = (outcome: string): Promise<void> => this.audit.write({ actor: fields.user.trim(), category: '登陆', summary: scope, ip: call.ip, outcome });
    const token = await this.logins.login(scope, attempt, call, call.cookies[SESSION_COOKIES[scope]]).catch(async (error: unknown) => {
      // Not for tries beyond the limit: who goes on and on would fill the log.
      if (error instanceof AppError && error.code !== 'TOO_MANY_TRIES') await note(translate('zh-CN', error.shape.text, error.params));
      throw error;
    });
    await note('ok');
    return new Done('account.signed_in', { redirect: `/${scope}/` }, {}, { 'Set-Cookie': sessionCookie(scope, token, isSecure(call)) });
  }

  /** Whether the switch of a side asks for a captcha; one that cannot be read does. */
  async wantsCaptcha(scope: Scope): Promise<boolean> {
    const wanted = await this.captchaSwitches.get();
    return !wanted || Boolean(scope === 'admin' ? wanted.forAdmin : wanted.forUser);
  }

  /** Ends the session of the request, if it has one. */
  async logout(scope: Scope, call: CallContext): Promise<Done> {
    const token = call.cookies[SESSION_COOKIES[scope]];
    if (token) await this.sessions.end(token);
    return new Done(scope === 'admin' ? 'account.signed_out' : 'account.signed_out_user', { redirect: `/${scope}/login` }, {}, { 'Set-Cookie': endedSessionCookie(scope, isSecure(call)) });
  }

  /** A captcha as a picture for an `img` element. */
  async captcha(scope: Scope, call: CallContext): Promise<Done> {
    const { svg, cookie } = await this.captchas.issue(scope, call);
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return new Done('account.captcha', { image }, {}, cookie ? { 'Set-Cookie': cookie } : {});
  }

  /** After a change of the password: the caller goes on under a new token, everybody else is signed out. */
  async rotate(scope: Scope, subjectId: number, call: CallContext): Promise<Record<string, string>> {
    const token = await this.sessions.rotate(scope, subjectId, { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') });
    return { 'Set-Cookie': sessionCookie(scope, token, isSecure(call)) };
  }
}

/** Behind TLS, as the address people use says. */
export function isSecure(call: CallContext): boolean {
  return call.baseUrl.startsWith('https:');
}
