import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { SESSION_COOKIES, SecondFactors, type FactorSetup, type SetupRefusal } from '../auth/index.js';
import { NoInput, Operation, PresentPassword, SecondProof, SuccessReply } from '../operations/index.js';
import type { CallContext, Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { AccountError, type AccountErrorCode } from './errors.js';

class CodeInput {
  /** Code of the app; once a second factor is set up, also a recovery code. */
  @IsString() @MaxLength(32) totp!: string;
}

class PresentPasswordInput {
  /** The current password. */
  @IsString() @MaxLength(256) pass!: string;
}

class PasswordAndCodeInput extends CodeInput {
  /** The current password. */
  @IsString() @MaxLength(256) pass!: string;
}

/** The caller's own second factor. Source: docs/panel-api.md "Second factor". */
@Injectable()
export class SecondFactorOperations {
  constructor(
    private readonly factors: SecondFactors,
    private readonly password: PresentPassword,
    private readonly proof: SecondProof,
    private readonly settings: SiteSettings,
  ) {}

  @Operation({ side: 'admin', gn: 'f2kq', auth: 'admin', input: NoInput, audit: null, rate: 'write', own: true })
  beginOfAdmin(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.begin('admin', ctx);
  }

  @Operation({ side: 'user', gn: 'f2kq', auth: 'user', input: NoInput, audit: null, rate: 'write', own: true })
  beginOfUser(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.begin('user', ctx);
  }

  @Operation({ side: 'admin', gn: 'f2qr', auth: 'admin', input: CodeInput, audit: 'account.audit.f2_on', rate: 'write', own: true })
  confirmOfAdmin({ totp }: CodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.confirm('admin', totp, ctx);
  }

  @Operation({ side: 'user', gn: 'f2qr', auth: 'user', input: CodeInput, audit: 'account.audit.f2_on', rate: 'write', own: true })
  confirmOfUser({ totp }: CodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.confirm('user', totp, ctx);
  }

  @Operation({
    side: 'admin',
    gn: 'f2gb',
    auth: 'admin',
    input: PasswordAndCodeInput,
    audit: 'account.audit.f2_off',
    rate: 'write',
    own: true,
  })
  removeOfAdmin(input: PasswordAndCodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove('admin', input, ctx);
  }

  @Operation({
    side: 'user',
    gn: 'f2gb',
    auth: 'user',
    input: PasswordAndCodeInput,
    audit: 'account.audit.f2_off',
    rate: 'write',
    own: true,
  })
  removeOfUser(input: PasswordAndCodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.remove('user', input, ctx);
  }

  @Operation({
    side: 'admin',
    gn: 'f2hf',
    auth: 'admin',
    input: PresentPasswordInput,
    audit: 'account.audit.f2_codes',
    rate: 'write',
    own: true,
    secondProof: true,
  })
  renewOfAdmin({ pass }: PresentPasswordInput, ctx: CallContext): Promise<SuccessReply> {
    return this.renew('admin', pass, ctx);
  }

  @Operation({
    side: 'user',
    gn: 'f2hf',
    auth: 'user',
    input: PresentPasswordInput,
    audit: 'account.audit.f2_codes',
    rate: 'write',
    own: true,
    secondProof: true,
  })
  renewOfUser({ pass }: PresentPasswordInput, ctx: CallContext): Promise<SuccessReply> {
    return this.renew('user', pass, ctx);
  }

  @Operation({ side: 'admin', gn: 'f2zm', auth: 'admin', input: CodeInput, audit: 'account.audit.f2_shown', rate: 'write', own: true })
  showOfAdmin({ totp }: CodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.show('admin', totp, ctx);
  }

  @Operation({ side: 'user', gn: 'f2zm', auth: 'user', input: CodeInput, audit: 'account.audit.f2_shown', rate: 'write', own: true })
  showOfUser({ totp }: CodeInput, ctx: CallContext): Promise<SuccessReply> {
    return this.show('user', totp, ctx);
  }

  private async begin(side: Scope, ctx: CallContext): Promise<SuccessReply> {
    const { username } = accountOf(side, ctx);
    const begun = await this.factors.begin(setupOf(side, ctx), this.settings.current.name, username);
    if (!begun) throw new AccountError('SECOND_FACTOR_ON');
    // Loaded on first use.
    const { default: QRCode } = await import('qrcode');
    const svg = await QRCode.toString(begun.uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
    const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return new SuccessReply('account.f2_begun', { secret: begun.secret, uri: begun.uri, image });
  }

  private async confirm(side: Scope, totp: string, ctx: CallContext): Promise<SuccessReply> {
    const { id } = accountOf(side, ctx);
    await this.password.countGuess(side, id);
    const codes = await this.factors.confirm(setupOf(side, ctx), totp.replace(/\s/g, ''));
    if (typeof codes === 'string')
      throw new AccountError(REFUSALS[codes], {}, codes === 'CODE_WRONG' ? { totp: 'account.code_wrong' } : {});
    await this.proof.note(side, ctx);
    return new SuccessReply('account.f2_on', { codes: codes.join('\n') });
  }

  private async remove(side: Scope, { pass, totp }: PasswordAndCodeInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = accountOf(side, ctx);
    await this.checkPassword(side, pass, ctx);
    if (!(await this.factors.enabled(side, id))) throw new AccountError('SECOND_FACTOR_OFF');
    if (!(await this.factors.check(side, id, totp))) throw new AccountError('CODE_WRONG', {}, { totp: 'account.code_wrong' });
    await this.factors.remove(side, id);
    return new SuccessReply('account.f2_off');
  }

  private async renew(side: Scope, pass: string, ctx: CallContext): Promise<SuccessReply> {
    const { id } = accountOf(side, ctx);
    await this.checkPassword(side, pass, ctx);
    if (!(await this.factors.enabled(side, id))) throw new AccountError('SECOND_FACTOR_OFF');
    return new SuccessReply('account.f2_codes', { codes: (await this.factors.renewRecoveryCodes(side, id)).join('\n') });
  }

  private async show(side: Scope, totp: string, ctx: CallContext): Promise<SuccessReply> {
    const { id } = accountOf(side, ctx);
    await this.password.countGuess(side, id);
    if (!(await this.factors.enabled(side, id))) throw new AccountError('NO_SECOND_FACTOR');
    if (!(await this.factors.check(side, id, totp))) throw new AccountError('CODE_WRONG', {}, { totp: 'account.code_wrong' });
    await this.proof.note(side, ctx);
    return new SuccessReply('account.f2_shown');
  }

  private async checkPassword(side: Scope, given: string, ctx: CallContext): Promise<void> {
    if (await this.password.isRight(side, accountOf(side, ctx), given)) return;
    throw new AccountError('OLD_PASSWORD_WRONG', {}, { pass: 'account.old_password_wrong' });
  }
}

/** First codes that were refused. */
const REFUSALS: Readonly<Record<SetupRefusal, AccountErrorCode>> = {
  CODE_WRONG: 'CODE_WRONG',
  SETUP_OVER: 'SECOND_FACTOR_OVER',
  FACTOR_ON: 'SECOND_FACTOR_ON',
};

function setupOf(side: Scope, ctx: CallContext): FactorSetup {
  return { side, accountId: accountOf(side, ctx).id, token: ctx.cookies[SESSION_COOKIES[side]]! };
}

function accountOf(side: Scope, { admin, user }: CallContext): { id: number; username: string } {
  return side === 'admin' ? admin! : user!;
}
