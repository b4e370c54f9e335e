import type { ServerResponse } from 'node:http';

import { Get, Post, Res } from '@nestjs/common';

import { Rate, SecondFactors } from '../../auth/index.js';
import { ApiOperation, sendBody } from '../../http/index.js';
import { Audited, AuditedWithin, ofCaller } from '../audit/index.js';
import { Answer, Call, type StoreCall } from '../call/index.js';
import { Body, ApiData, ApiErrors, ApiFile, StoreAccess, StoreController, storeSessionCookie } from '../http/index.js';

import { LoginForm, RegisterForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { CaptchaGate } from './captcha-gate.js';
import { setSignedInCookies, NEW_SESSION } from './signed-in-cookies.js';
import { StoreAccounts } from './store-accounts.js';
import { StoreSessions, type SignedInTokens } from './store-sessions.js';
import { StoreSignIns } from './store-sign-ins.js';
import { User, userWire } from './user-wire.js';

/** Registration, sign-in and sign-out. */
@StoreController('auth')
export class AuthController {
  constructor(
    private readonly accounts: StoreAccounts,
    private readonly signIns: StoreSignIns,
    private readonly sessions: StoreSessions,
    private readonly captchas: CaptchaGate,
    private readonly limits: AttemptLimits,
    private readonly factors: SecondFactors,
  ) {}

  @Get('captcha')
  @Rate('captcha')
  @StoreAccess('public')
  @ApiOperation({
    summary: 'Returns a captcha image with four characters',
    description: 'Bound to the session cookie, which is set if missing; valid for one attempt within five minutes.',
  })
  @ApiFile('image/svg+xml')
  @ApiErrors(429)
  async captcha(@Call() call: StoreCall, @Res() res: ServerResponse): Promise<void> {
    const { svg, cookie } = await this.captchas.issue(call);
    sendBody(res, 200, 'image/svg+xml; charset=utf-8', svg, {
      'Content-Security-Policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      ...(cookie ? { 'Set-Cookie': cookie } : {}),
    });
  }

  @Post('register')
  @Rate('sign-in')
  @StoreAccess('public')
  @AuditedWithin('auth.register')
  @ApiOperation({
    summary: 'Registers a developer account and signs in',
    description: '`username`: 2 to 30 characters; `password`: 6 to 256; `captcha`: the four characters of the captcha image.',
  })
  @ApiData(User, NEW_SESSION)
  @ApiErrors(429)
  async register(@Body() form: RegisterForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    await this.limits.register(call.ip);
    this.accounts.checkNew(form);
    await this.captchas.check(call, form.captcha);
    const user = await this.accounts.register(form, call.ip);
    await this.enter(call, res, await this.sessions.open(user.id, call));
    return new Answer('store.registered', userWire(user));
  }

  @Post('login')
  @Rate('sign-in')
  @StoreAccess('public')
  @AuditedWithin('auth.login', 'auth.login_failed')
  @ApiOperation({
    summary: 'Signs in',
    description:
      '`captcha`: the four characters of the captcha image; `code`: from the authenticator app, if the account has a second factor.',
  })
  @ApiData(User, NEW_SESSION)
  @ApiErrors(401, 429)
  async login(@Body() form: LoginForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    await this.limits.loginRequest(call.ip);
    await this.captchas.check(call, form.captcha);
    const { user, ...tokens } = await this.signIns.signIn(form, call, (id, code) => this.checkCode(id, code));
    await this.enter(call, res, tokens);
    return new Answer('store.logged_in', userWire(user));
  }

  @Post('logout')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.logout', ofCaller)
  @ApiOperation({ summary: 'Signs out and ends the session' })
  @ApiData(null, { 'Set-Cookie': 'Deletes the session cookie' })
  async logout(@Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    if (call.sessionToken !== undefined) await this.sessions.end(call.sessionToken);
    res.setHeader('Set-Cookie', storeSessionCookie(null, call.secure));
    return new Answer('store.logged_out');
  }

  private async checkCode(id: number, code: string): Promise<'right' | 'wrong' | 'missing'> {
    if (!(await this.factors.enabled('store', id))) return 'right';
    if (code.trim() === '') return 'missing';
    return (await this.factors.check('store', id, code)) ? 'right' : 'wrong';
  }

  /** Sets a new session cookie after a sign-in and ends the previous session, so that a session id cannot be fixed in advance. */
  private async enter(call: StoreCall, res: ServerResponse, tokens: SignedInTokens): Promise<void> {
    if (call.sessionToken !== undefined) await this.sessions.end(call.sessionToken);
    setSignedInCookies(res, call, tokens);
  }
}
