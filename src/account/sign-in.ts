import { Injectable } from '@nestjs/common';

import {
  CaptchaService,
  LoginError,
  LoginService,
  RateLimiter,
  SignInEntry,
  addressForLimits,
  signedInAddress,
  signedInCookies,
  type SecondStep,
} from '../auth/index.js';
import { AppError, translate } from '../common/index.js';
import { AuditLog, SuccessReply, RequestContext, outsideActor } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

/** Maximum failed sign-ins logged per network, so that strangers cannot flood the log. */
const LOGGED_FAILURES = { limit: 60, windowSeconds: 3_600 };
/** Attempts that are not logged: either nothing was verified, or too many were made. */
const UNLOGGED: ReadonlySet<string> = new Set(['CAPTCHA_WRONG_ADMIN', 'CAPTCHA_WRONG_USER', 'TOO_MANY_TRIES', 'STEP_OVER']);

/** Category of the log lines, as used by existing installations. */
const SIGN_IN = '登陆';
/** Source of failed sign-ins in the log. */
const FAILED_SOURCE = 'login';
/** Maximum characters logged of an entered name. */
const MAX_TYPED_NAME = 64;

/** Fields of the login form. */
export interface LoginFields {
  readonly user: string;
  readonly pass: string;
  readonly code: string;
  readonly next?: string;
  /** Code of the second factor; with `lp` no other fields are needed. */
  readonly totp?: string;
  /** Returned by the first step of a sign-in with a second factor. */
  readonly lp?: string;
}

/** `Set-Cookie` lines. */
type Cookies = { readonly 'Set-Cookie': string[] };

/** Sign-in and sign-out, common to both sides. */
@Injectable()
export class SignIn {
  constructor(
    private readonly logins: LoginService,
    private readonly entry: SignInEntry,
    private readonly captchas: CaptchaService,
    private readonly limiter: RateLimiter,
    private readonly settings: SiteSettings,
    private readonly audit: AuditLog,
  ) {}

  /** Opens a session; the response contains its cookies and the redirect, or says that a second factor code is required. */
  async login(scope: Scope, fields: LoginFields, call: CallContext): Promise<SuccessReply> {
    const entered = await this.enter(scope, fields, call, this.wantsCaptcha(scope));
    if ('lp' in entered) return new SuccessReply('account.code_needed', { need: 'totp', lp: entered.lp });
    return new SuccessReply('account.signed_in', { redirect: signedInAddress(scope, fields.next) }, {}, entered);
  }

  /**
   * Signs a user in through a path without captcha: as {@link login}, with stricter limits.
   *
   * @throws LoginError CODE_NEEDED if the account has a second factor
   */
  async loginWithoutCaptcha(fields: Omit<LoginFields, 'code'>, call: CallContext): Promise<Cookies> {
    const entered = await this.enter('user', { ...fields, code: '' }, call, false, true);
    if ('lp' in entered) throw new LoginError('CODE_NEEDED');
    return entered;
  }

  private async enter(
    scope: Scope,
    fields: LoginFields,
    call: CallContext,
    captchaWanted: boolean,
    withoutCaptcha = false,
  ): Promise<Cookies | SecondStep> {
    const exchange = RequestContext.exchangeOf(call);
    const { totp, lp } = fields;
    // The account of an expired step is unknown.
    const name = lp ? ((await this.logins.nameOfStep(scope, lp)) ?? '') : fields.user;
    const attempt = { username: name, password: fields.pass, captcha: fields.code, captchaWanted, withoutCaptcha, totp, exchange };
    const entering = lp ? this.logins.finish(scope, lp, totp ?? '', call) : this.logins.login(scope, attempt, call);
    const entered = await entering.catch(async (error: unknown) => {
      if (error instanceof AppError && !UNLOGGED.has(error.code)) {
        const { allowed } = await this.limiter.hit(`login:log:${addressForLimits(call.ip)}`, LOGGED_FAILURES);
        if (allowed) await this.logFailure(scope, name, error, call);
      }
      throw error;
    });
    if ('lp' in entered) return entered;
    await this.audit.write({
      actor: name.trim(),
      category: SIGN_IN,
      summary: scope,
      text: { key: `account.log_sign_in_${scope}`, params: {} },
      ip: call.ip,
      outcome: 'ok',
      account: { side: scope, id: entered.accountId },
      rid: RequestContext.requestIdOf(call),
    });
    return { 'Set-Cookie': signedInCookies(scope, entered, call) };
  }

  /** The entered name is not logged as the actor, because a stranger's attempt would look like an administrator's action. */
  private async logFailure(scope: Scope, typed: string, { shape, params }: AppError, call: CallContext): Promise<void> {
    const key = `account.log_sign_in_failed_${scope}`;
    const name = typed
      .trim()
      .slice(0, MAX_TYPED_NAME)
      .replace(/[「」]/g, ' ');
    const outcome = { key: shape.text, params };
    await this.audit.write({
      actor: outsideActor(FAILED_SOURCE),
      source: FAILED_SOURCE,
      category: SIGN_IN,
      summary: translate('zh-CN', key, { name }),
      text: { key, params: { name }, outcome },
      ip: call.ip,
      outcome: translate('zh-CN', outcome.key, params),
      account: await this.logins.accountNamed(scope, typed),
      rid: RequestContext.requestIdOf(call),
    });
  }

  /** Returns whether the settings require a captcha on a side. */
  wantsCaptcha(scope: Scope): boolean {
    const { adminCaptcha, userCaptcha } = this.settings.current;
    return scope === 'admin' ? adminCaptcha : userCaptcha;
  }

  /** Ends the session of the request, if it has one. */
  async logout(scope: Scope, call: CallContext): Promise<SuccessReply> {
    const cookie = await this.entry.leave(scope, call);
    return new SuccessReply(
      scope === 'admin' ? 'account.signed_out' : 'account.signed_out_user',
      { redirect: `/${scope}/login` },
      {},
      { 'Set-Cookie': cookie },
    );
  }

  /** Returns a captcha as an image for an `img` element. */
  async captcha(scope: Scope, call: CallContext): Promise<SuccessReply> {
    const { svg, cookie } = await this.captchas.issue(scope, call);
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return new SuccessReply('account.captcha', { image }, {}, cookie ? { 'Set-Cookie': cookie } : {});
  }

  /** After a password change: the caller gets new tokens, all other sessions end and all other devices are forgotten. */
  async rotate(scope: Scope, subjectId: number, call: CallContext): Promise<Cookies> {
    return { 'Set-Cookie': signedInCookies(scope, await this.entry.renew(scope, subjectId, call), call) };
  }
}
