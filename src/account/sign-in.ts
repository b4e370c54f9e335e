import { Injectable } from '@nestjs/common';

import {
  CaptchaService,
  DEVICE_COOKIES,
  KnownDevices,
  LoginError,
  LoginService,
  RateLimiter,
  SESSION_COOKIES,
  SessionService,
  addressForLimits,
  deviceCookie,
  endedSessionCookie,
  sessionCookie,
  signedInAddress,
  type SecondStep,
} from '../auth/index.js';
import { AppError, translate } from '../common/index.js';
import { AuditLog, SuccessReply, RequestContext, outsideActor } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

/** Failed sign-ins in the log, per network: strangers do not fill it. */
const LOGGED_FAILURES = { limit: 60, windowSeconds: 3_600 };
/** Tries that leave no line: nothing was tried yet, or too much. */
const UNLOGGED: ReadonlySet<string> = new Set(['CAPTCHA_WRONG_ADMIN', 'CAPTCHA_WRONG_USER', 'TOO_MANY_TRIES', 'STEP_OVER']);

/** Kind of these lines, as deployed panels write and filter them. */
const SIGN_IN = '登陆';
/** Where a sign-in that failed came in. */
const FAILED_SOURCE = 'login';
/** Characters of a typed name that are kept. */
const MOST_TYPED = 64;

/** What a login form holds. */
export interface LoginFields {
  readonly user: string;
  readonly pass: string;
  readonly code: string;
  readonly next?: string;
  /** Code of the second factor; with `lp` it is all there is. */
  readonly totp?: string;
  /** From the first step of a sign-in with a second factor. */
  readonly lp?: string;
}

/** `Set-Cookie` lines. */
type Cookies = { readonly 'Set-Cookie': string[] };

/** Signing in and out, the same on both sides. */
@Injectable()
export class SignIn {
  constructor(
    private readonly logins: LoginService,
    private readonly sessions: SessionService,
    private readonly devices: KnownDevices,
    private readonly captchas: CaptchaService,
    private readonly limiter: RateLimiter,
    private readonly settings: SiteSettings,
    private readonly audit: AuditLog,
  ) {}

  /** Opens a session; the answer carries its cookies and where to go, or says that a code of the second factor is needed. */
  async login(scope: Scope, fields: LoginFields, call: CallContext): Promise<SuccessReply> {
    const entered = await this.enter(scope, fields, call, this.wantsCaptcha(scope));
    if ('lp' in entered) return new SuccessReply('account.code_needed', { need: 'totp', lp: entered.lp });
    return new SuccessReply('account.signed_in', { redirect: signedInAddress(scope, fields.next) }, {}, entered);
  }

  /**
   * Signs a user in by a way that never asks for a captcha: as {@link login}, but stricter with guesses.
   *
   * @throws LoginError CODE_NEEDED for who has a second factor
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
    const oldToken = call.cookies[SESSION_COOKIES[scope]];
    // Of a step that is over nobody knows whose it was.
    const name = lp ? ((await this.logins.nameOfStep(scope, lp)) ?? '') : fields.user;
    const attempt = { username: name, password: fields.pass, captcha: fields.code, captchaWanted, withoutCaptcha, totp, exchange };
    const entering = lp ? this.logins.finish(scope, lp, totp ?? '', call, oldToken) : this.logins.login(scope, attempt, call, oldToken);
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
    return cookies(scope, entered.token, entered.device, call);
  }

  /** Whoever it was has no account yet: the name that was typed is no actor, or a stranger's line would read like an administrator's. */
  private async logFailure(scope: Scope, typed: string, { shape, params }: AppError, call: CallContext): Promise<void> {
    const key = `account.log_sign_in_failed_${scope}`;
    const name = typed
      .trim()
      .slice(0, MOST_TYPED)
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

  /** Whether the switch of a side asks for a captcha. */
  wantsCaptcha(scope: Scope): boolean {
    const { adminCaptcha, userCaptcha } = this.settings.current;
    return scope === 'admin' ? adminCaptcha : userCaptcha;
  }

  /** Ends the session of the request, if it has one. */
  async logout(scope: Scope, call: CallContext): Promise<SuccessReply> {
    const token = call.cookies[SESSION_COOKIES[scope]];
    if (token) await this.sessions.end(token);
    return new SuccessReply(
      scope === 'admin' ? 'account.signed_out' : 'account.signed_out_user',
      { redirect: `/${scope}/login` },
      {},
      { 'Set-Cookie': endedSessionCookie(scope, isSecure(call)) },
    );
  }

  /** A captcha as a picture for an `img` element. */
  async captcha(scope: Scope, call: CallContext): Promise<SuccessReply> {
    const { svg, cookie } = await this.captchas.issue(scope, call);
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return new SuccessReply('account.captcha', { image }, {}, cookie ? { 'Set-Cookie': cookie } : {});
  }

  /** After a change of the password: the caller goes on under new tokens, everybody else is signed out and every other device forgotten. */
  async rotate(scope: Scope, subjectId: number, call: CallContext): Promise<Cookies> {
    const token = await this.sessions.rotate(scope, subjectId, { ip: call.ip, userAgent: String(call.headers['user-agent'] ?? '') });
    await this.devices.forgetEvery(scope, subjectId);
    return cookies(scope, token, await this.devices.remember(scope, subjectId, call.cookies[DEVICE_COOKIES[scope]]), call);
  }
}

function cookies(scope: Scope, token: string, device: string, call: CallContext): Cookies {
  const secure = isSecure(call);
  return { 'Set-Cookie': [sessionCookie(scope, token, secure), deviceCookie(scope, device, secure)] };
}

/** Behind TLS, as the address people use says. */
export function isSecure(call: CallContext): boolean {
  return call.baseUrl.startsWith('https:');
}
