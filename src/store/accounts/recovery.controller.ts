import { Delete, Get, Post, Put } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { Rate, SecondFactors, type FactorSetup, type SetupRefusal } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { actorOf, Audited, AuditedWithin, NotAudited, ofCaller, StoreAuditLog } from '../audit/index.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';
import { ApiData, ApiErrors, Body, COUNT, Id, StoreAccess, StoreController, TIME } from '../http/index.js';

import { NEW_PASSWORD } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { CaptchaGate } from './captcha-gate.js';
import { LostPasswords } from './lost-passwords.js';
import { PasswordLinks } from './password-links.js';
import { StoreAccounts } from './store-accounts.js';

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
  @ApiProperty({ description: 'Single-use link' }) link!: string;
  @ApiProperty(TIME) until!: string;
}

/** State of the caller's second factor. */
class SecondFactorWire {
  @ApiProperty() enabled!: boolean;
  @ApiProperty({ ...TIME, nullable: true }) since!: string | null;
  @ApiProperty({ ...COUNT, description: 'Number of unused recovery codes' }) recovery_codes!: number;
}

/** Secret for an authenticator app. */
class SeedWire {
  @ApiProperty({ description: 'Secret for an authenticator app, base32' }) secret!: string;
  @ApiProperty({ description: 'The same as a URI for a QR code: `otpauth://totp/…`' }) uri!: string;
}

/** Recovery codes, each of which works once. */
class CodesWire {
  @ApiProperty({ type: [String], description: 'Only shown once' }) recovery_codes!: string[];
}

/** Password reset endpoints. */
@StoreController('auth')
export class LostPasswordController {
  constructor(
    private readonly links: PasswordLinks,
    private readonly passwords: LostPasswords,
    private readonly captchas: CaptchaGate,
    private readonly limits: AttemptLimits,
  ) {}

  @Post('password-reset')
  @Rate('sign-in')
  @StoreAccess('public')
  @NotAudited('must not reveal whether the account exists')
  @ApiOperation({ summary: 'Emails a password reset link if the user name and email address belong to the same account' })
  @ApiData(null)
  @ApiErrors(429)
  async ask(@Body() { username, email, captcha }: LostPasswordForm, @Call() call: StoreCall): Promise<Answer> {
    await this.limits.linkRequest(call.ip);
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
    await this.limits.linkAttempt(ip);
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
    private readonly limits: AttemptLimits,
  ) {}

  @Get('second-factor')
  @Rate('read')
  @StoreAccess('user')
  @ApiOperation({ summary: 'Returns the state of the caller’s second factor' })
  @ApiData(SecondFactorWire)
  async state(@Caller() { id }: StoreCaller): Promise<SecondFactorWire> {
    const { enabled, since, codes } = await this.factors.state('store', id);
    return { enabled, since: since?.toISOString() ?? null, recovery_codes: codes };
  }

  @Post('second-factor')
  @Rate('write')
  @StoreAccess('user')
  @NotAudited('takes effect only with the first code')
  @ApiOperation({ summary: 'Starts setting up a second factor: returns a secret for an authenticator app' })
  @ApiData(SeedWire)
  async begin(@Call() call: StoreCall): Promise<SeedWire> {
    const begun = await this.factors.begin(setupOf(call), 'Store', call.caller!.username);
    if (!begun) throw new StoreError('FACTOR_THERE');
    return { secret: begun.secret, uri: begun.uri };
  }

  @Put('second-factor')
  @Rate('write')
  @StoreAccess('user')
  @Audited('auth.factor_on', ofCaller)
  @ApiOperation({ summary: 'Enables the second factor by its first code; returns recovery codes' })
  @ApiData(CodesWire)
  @ApiErrors(429)
  async confirm(@Call() call: StoreCall, @Body() { code }: CodeForm): Promise<Answer> {
    const setup = setupOf(call);
    await this.limits.code(setup.accountId);
    const codes = await this.factors.confirm(setup, code.trim());
    if (typeof codes === 'string') throw new StoreError(REFUSALS[codes]);
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
  @ApiOperation({ summary: 'Removes the caller’s second factor' })
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
    await this.limits.code(id);
    if (!(await this.factors.check('store', id, code))) throw new StoreError('CODE_WRONG');
  }
}

/** First codes that were refused. */
const REFUSALS: Readonly<Record<SetupRefusal, StoreErrorCode>> = {
  CODE_WRONG: 'CODE_WRONG',
  SETUP_OVER: 'FACTOR_OVER',
  FACTOR_ON: 'FACTOR_THERE',
};

/** API tokens are rejected by these endpoints: whoever calls them has a session. */
function setupOf({ caller, sessionToken }: StoreCall): FactorSetup {
  return { side: 'store', accountId: caller!.id, token: sessionToken! };
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
  @ApiOperation({ summary: 'Creates a password reset link to be given to the owner of the account' })
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
