import { Delete, Get, Post, Put } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { addressForLimits, Rate, RateLimiter, SecondFactors } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { actorOf, Audited, AuditedWithin, NotAudited, ofCaller, StoreAuditLog } from '../audit/index.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { StoreError } from '../errors.js';
import { ApiData, ApiErrors, Body, COUNT, Id, StoreAccess, StoreController, TIME, withinLimit } from '../http/index.js';

import { NEW_PASSWORD } from './account-forms.js';
import { CaptchaGate } from './captcha-gate.js';
import { LostPasswords } from './lost-passwords.js';
import { PasswordLinks } from './password-links.js';
import { StoreAccounts } from './store-accounts.js';

/** Limits: link requests and link attempts per address and hour; code attempts per account and 10 minutes. */
const LINK_REQUESTS = { limit: 10, windowSeconds: 3_600 };
const LINK_ATTEMPTS = { limit: 30, windowSeconds: 3_600 };
const CODE_ATTEMPTS = { limit: 10, windowSeconds: 600 };

/** Request for a link to reset a lost password. */
export class LostPasswordForm {
  @IsString({ message: 'store.reset_fields' }) @MaxLength(120, { message: 'store.reset_fields' }) username!: string;
  @IsString({ message: 'store.reset_fields' }) @MaxLength(254, { message: 'store.reset_fields' }) email!: string;
  @IsOptional() @IsString({ message: 'store.captcha_missing' }) @MaxLength(16, { message: 'store.captcha_wrong' }) captcha?: string;
}

/** A new password, set by a link. */
export class NewPasswordForm {
  /** The `t=` parameter of the link. */
  @IsString({ message: 'store.link_over' }) @MaxLength(2_000, { message: 'store.link_over' }) token!: string;
  @ApiProperty(NEW_PASSWORD)
  @IsString({ message: 'store.new_password_short' })
  @MaxLength(1_000, { message: 'store.password_long' })
  newPassword!: string;
}

/** A TOTP code or a recovery code. */
export class CodeForm {
  @IsString({ message: 'store.code_wrong' }) @MaxLength(32, { message: 'store.code_wrong' }) code!: string;
}

/** A password reset link. */
class PasswordLinkWire {
  @ApiProperty({ description: 'Works once' }) link!: string;
  @ApiProperty(TIME) until!: string;
}

/** State of the caller's second factor. */
class SecondFactorWire {
  @ApiProperty() enabled!: boolean;
  @ApiProperty({ ...TIME, nullable: true }) since!: string | null;
  @ApiProperty({ ...COUNT, description: 'Unused recovery codes' }) recovery_codes!: number;
}

/** Secret for an authenticator app. */
class SeedWire {
  @ApiProperty({ description: 'Base32, to type into an app' }) secret!: string;
  @ApiProperty({ description: 'The same as a URL for a QR code: otpauth://totp/…' }) uri!: string;
}

/** Recovery codes, each of which works once. */
class CodesWire {
  @ApiProperty({ type: [String], description: 'Returned only once' }) recovery_codes!: string[];
}

/** Password reset endpoints. */
@StoreController('auth')
export class LostPasswordController {
  constructor(
    private readonly links: PasswordLinks,
    private readonly passwords: LostPasswords,
    private readonly captchas: CaptchaGate,
    private readonly limiter: RateLimiter,
  ) {}

  @Post('password-reset')
  @Rate('sign-in')
  @StoreAccess('public')
  @NotAudited('the response does not reveal whether the account exists')
  @ApiOperation({ summary: 'Sends a password reset link if name and address belong to the same account' })
  @ApiData(null)
  @ApiErrors(429)
  async ask(@Body() { username, email, captcha }: LostPasswordForm, @Call() call: StoreCall): Promise<Answer> {
    await withinLimit(this.limiter, `store-reset:${addressForLimits(call.ip)}`, LINK_REQUESTS);
    await this.captchas.check(call, captcha);
    await this.links.request(username.trim(), email.trim(), call.locale);
    return new Answer('store.reset_asked');
  }

  @Put('password-reset')
  @Rate('sign-in')
  @StoreAccess('public')
  @AuditedWithin('auth.password_reset')
  @ApiOperation({ summary: 'Sets a new password with a reset link; all sessions end' })
  @ApiData(null)
  @ApiErrors(429)
  async use(@Body() { token, newPassword }: NewPasswordForm, @Call() { ip }: StoreCall): Promise<Answer> {
    await withinLimit(this.limiter, `store-reset-try:${addressForLimits(ip)}`, LINK_ATTEMPTS);
    await this.passwords.replace(token, newPassword, ip);
    return new Answer('store.password_reset');
  }
}

/** The caller's own second factor: an authenticator app and recovery codes. */
@StoreController('auth')
export class SecondFactorController {
  constructor(
    private readonly factors: SecondFactors,
    private readonly accounts: StoreAccounts,
    private readonly limiter: RateLimiter,
  ) {}

  @Get('second-factor')
  @Rate('read')
  @StoreAccess('user')
  @ApiOperation({ summary: 'Whether sign-in requires a code' })
  @ApiData(SecondFactorWire)
  async state(@Caller() { id }: StoreCaller): Promise<SecondFactorWire> {
    const { enabled, since, codes } = await this.factors.state('store', id);
    return { enabled, since: since?.toISOString() ?? null, recovery_codes: codes };
  }

  @Post('second-factor')
  @Rate('write')
  @StoreAccess('user')
  @NotAudited('takes effect with the first code')
  @ApiOperation({ summary: 'Starts the setup of a second factor: returns a seed for an authenticator app' })
  @ApiData(SeedWire)
  async begin(@Caller() { id, username }: StoreCaller): Promise<SeedWire> {
    const begun = await this.factors.begin('store', id, 'Store', username);
    if (!begun) throw new StoreError('FACTOR_THERE');
    return { secret: begun.secret, uri: begun.uri };
  }

  @Put('second-factor')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.factor_on', ofCaller)
  @ApiOperation({ summary: 'Verifies the first code: from now on each sign-in requires one' })
  @ApiData(CodesWire)
  @ApiErrors(429)
  async confirm(@Caller() { id }: StoreCaller, @Body() { code }: CodeForm): Promise<Answer> {
    await withinLimit(this.limiter, `store-code:${id}`, CODE_ATTEMPTS);
    const codes = await this.factors.confirm('store', id, code.trim());
    if (!codes) throw new StoreError('CODE_WRONG');
    return new Answer('store.factor_on', { recovery_codes: codes });
  }

  @Post('second-factor/codes')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.factor_codes', ofCaller)
  @ApiOperation({ summary: 'Creates new recovery codes; the old ones become invalid' })
  @ApiData(CodesWire)
  @ApiErrors(429)
  async renew(@Caller() { id }: StoreCaller, @Body() { code }: CodeForm): Promise<Answer> {
    await this.requireCode(id, code);
    return new Answer('store.factor_codes', { recovery_codes: await this.factors.renewRecoveryCodes('store', id) });
  }

  @Post('second-factor/remove')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.factor_off', ofCaller)
  @ApiOperation({ summary: 'Removes the second factor' })
  @ApiData(null)
  @ApiErrors(429)
  async remove(@Caller() { id }: StoreCaller, @Body() { code }: CodeForm): Promise<Answer> {
    await this.requireCode(id, code);
    await this.factors.remove('store', id);
    return new Answer('store.factor_off');
  }

  /** @throws StoreError CODE_WRONG, USER_MISSING */
  private async requireCode(id: number, code: string): Promise<void> {
    await this.accounts.get(id);
    await withinLimit(this.limiter, `store-code:${id}`, CODE_ATTEMPTS);
    if (!(await this.factors.check('store', id, code))) throw new StoreError('CODE_WRONG');
  }
}

/** Account recovery by administrators, for users who lost their password or second factor. */
@StoreController('admin/users')
export class UserRecoveryController {
  constructor(
    private readonly links: PasswordLinks,
    private readonly factors: SecondFactors,
    private readonly accounts: StoreAccounts,
    private readonly log: StoreAuditLog,
  ) {}

  @Post(':id/password-link')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('user.password_link')
  @ApiOperation({ summary: 'Creates a password reset link for an account, to hand to its owner' })
  @ApiData(PasswordLinkWire)
  async link(@Call() call: StoreCall, @Id() id: number): Promise<Answer> {
    const { link, until } = await this.links.make(id);
    await this.log.record(actorOf(call), { action: 'user.password_link', subject: 'user', subjectId: id });
    return new Answer('store.password_link', { link, until: until.toISOString() });
  }

  @Delete(':id/second-factor')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('user.factor_off')
  @ApiOperation({ summary: 'Removes the second factor of an account whose owner lost it' })
  @ApiData(null)
  async removeFactor(@Call() call: StoreCall, @Id() id: number): Promise<Answer> {
    await this.accounts.get(id);
    if (!(await this.factors.remove('store', id))) throw new StoreError('FACTOR_NONE');
    await this.log.record(actorOf(call), { action: 'user.factor_off', subject: 'user', subjectId: id });
    return new Answer('store.factor_off');
  }
}
