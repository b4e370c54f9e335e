import type { ServerResponse } from 'node:http';

import { Get, Post, Put, Res } from '@nestjs/common';

import { deviceCookie, Rate, SecondFactors } from '../../auth/index.js';
import { ApiOperation, ApiProperty, sendBody } from '../../http/index.js';
import { Audited, AuditedWithin, ofCaller } from '../audit/index.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { Body, ApiData, ApiErrors, ApiFile, COUNT, StoreAccess, StoreController, storeSessionCookie } from '../http/index.js';

import { LoginForm, PasswordForm, ProfileForm, RegisterForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { CaptchaGate } from './captcha-gate.js';
import { StoreAccounts, type SignedInTokens } from './store-accounts.js';
import { StoreSessions } from './store-sessions.js';
import { OwnUser, ownUserWire, User, userWire } from './user-wire.js';

/** Response headers of an answer that signs in. */
const NEW_SESSION = { 'Set-Cookie': 'A new session, and the device cookie' };

/** Effect of a password change on API tokens. */
class PasswordChange {
  @ApiProperty({ ...COUNT, description: 'API tokens that ended with the old password' }) tokens_ended!: number;
  @ApiProperty({ ...COUNT, description: 'Tokens that are still valid' }) tokens_left!: number;
}

/** Registration, sign-in, sign-out and the caller's own account. */
@StoreController('auth')
export class AuthController {
  constructor(
    private readonly accounts: StoreAccounts,
    private readonly sessions: StoreSessions,
    private readonly captchas: CaptchaGate,
    private readonly limits: AttemptLimits,
    private readonly factors: SecondFactors,
  ) {}

  @Get('captcha')
  @Rate('captcha')
  @StoreAccess('public')
  @ApiOperation({
    summary: 'A captcha image with four characters',
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
    summary: 'Creates a developer account and signs in',
    description: 'username: 2 to 30 characters; password: 6 to 256; captcha: the four characters of the captcha image.',
  })
  @ApiData(User, NEW_SESSION)
  @ApiErrors(429)
  async register(@Body() form: RegisterForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    await this.limits.register(call.ip);
    this.accounts.checkNew(form);
    await this.captchas.check(call, form.captcha);
    const user = await this.accounts.register(form, call);
    await this.enter(call, res, await this.accounts.enter(user, call));
    return new Answer('store.registered', userWire(user));
  }

  @Post('login')
  @Rate('sign-in')
  @StoreAccess('public')
  @AuditedWithin('auth.login', 'auth.login_failed')
  @ApiOperation({
    summary: 'Signs in',
    description: 'captcha: the four characters of the captcha image; code: from the authenticator app, if the account has a second factor.',
  })
  @ApiData(User, NEW_SESSION)
  @ApiErrors(401, 429)
  async login(@Body() form: LoginForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    await this.limits.loginRequest(call.ip);
    await this.captchas.check(call, form.captcha);
    const { user, ...tokens } = await this.accounts.signIn(form, call, (id, code) => this.checkCode(id, code));
    await this.enter(call, res, tokens);
    return new Answer('store.logged_in', userWire(user));
  }

  @Post('logout')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.logout', ofCaller)
  @ApiOperation({ summary: 'Ends the session' })
  @ApiData(null, { 'Set-Cookie': 'Removes the session cookie' })
  async logout(@Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    if (call.sessionToken !== undefined) await this.sessions.end(call.sessionToken);
    res.setHeader('Set-Cookie', storeSessionCookie(null, call.secure));
    return new Answer('store.logged_out');
  }

  @Get('me')
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'Returns the signed-in account' })
  @ApiData(OwnUser)
  async me(@Caller() { id }: StoreCaller): Promise<object> {
    return ownUserWire(await this.accounts.get(id));
  }

  @Put('password')
  @Rate('write')
  @StoreAccess('user')
  @AuditedWithin('auth.password')
  @ApiOperation({
    summary: 'Changes the password',
    description:
      'All other sessions end and all known devices are removed; the calling session continues with new cookies. Tokens ' +
      'remain valid unless endTokens is true.',
  })
  @ApiData(PasswordChange, NEW_SESSION)
  @ApiErrors(429)
  async password(@Body() form: PasswordForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    const { tokensEnded, tokensLeft, ...tokens } = await this.accounts.changePassword(call.caller!.id, form, call);
    setCookies(res, call, tokens);
    const text =
      tokensEnded > 0
        ? 'store.password_changed_tokens_ended'
        : tokensLeft > 0
          ? 'store.password_changed_tokens_stay'
          : 'store.password_changed';
    return new Answer(text, { tokens_ended: tokensEnded, tokens_left: tokensLeft }, { ended: tokensEnded, left: tokensLeft });
  }

  @Put('profile')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.profile', ofCaller)
  @ApiOperation({ summary: 'Changes e-mail address, avatar or profile text' })
  @ApiData(OwnUser)
  @ApiErrors(409, 429)
  async profile(@Body() form: ProfileForm, @Caller() { id }: StoreCaller): Promise<Answer> {
    return new Answer('store.updated', ownUserWire(await this.accounts.changeProfile(id, form)));
  }

  private async checkCode(id: number, code: string): Promise<'right' | 'wrong' | 'missing'> {
    if (!(await this.factors.enabled('store', id))) return 'right';
    if (code.trim() === '') return 'missing';
    return (await this.factors.check('store', id, code)) ? 'right' : 'wrong';
  }

  /** Sets a new session cookie after a sign-in and ends the previous session, so that a session id cannot be fixed in advance. */
  private async enter(call: StoreCall, res: ServerResponse, tokens: SignedInTokens): Promise<void> {
    if (call.sessionToken !== undefined) await this.sessions.end(call.sessionToken);
    setCookies(res, call, tokens);
  }
}

function setCookies(res: ServerResponse, { secure }: StoreCall, { token, device }: SignedInTokens): void {
  res.setHeader('Set-Cookie', [storeSessionCookie(token, secure), deviceCookie('store', device, secure)]);
}
