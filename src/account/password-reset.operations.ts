import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsEmail, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { CaptchaService, LoginError, RateLimiter, addressForLimits } from '../auth/index.js';
import { localeOf } from '../common/index.js';
import { BackgroundQueue } from '../jobs/index.js';
import { Mailer } from '../notify/index.js';
import { LINK_MAILS_OF_NETWORK, LINK_MAILS_TO_ONE, Operation, SuccessReply, Trimmed, countAgainst } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { AccountError } from './errors.js';
import { PasswordReset } from './password-reset.js';
import { RESET_MAIL_TASK, type ResetRequest } from './reset-mails.js';
import { whomToAsk } from './whom-to-ask.js';

class AskInput {
  @Trimmed() @IsString() @Matches(/^[^\p{Cc}"',/\\]{1,64}$/u, { message: 'account.reset_user_rule' }) user!: string;
  /** The mail address of the account. */
  @Trimmed() @MaxLength(254) @IsEmail({}, { message: 'account.reset_mail_rule' }) mail!: string;
  /** Captcha, if the users' login requires one. */
  @IsOptional() @IsString() @MaxLength(1_000) code = '';
}

class SetInput {
  /** Token of the link. */
  @IsString() @MaxLength(2_000) token!: string;
  @IsString() @MaxLength(64) pass!: string;
}

/** Password reset of users. Source: docs/panel-api.md "Lost password". */
@Injectable()
export class PasswordResetOperations {
  constructor(
    private readonly captchas: CaptchaService,
    private readonly limiter: RateLimiter,
    private readonly queue: BackgroundQueue,
    private readonly mailer: Mailer,
    private readonly settings: SiteSettings,
    private readonly reset: PasswordReset,
  ) {}

  /** Responds identically and equally fast whether or not the account exists and has this mail address. */
  @Operation({ side: 'user', gn: 'zhmm', auth: 'none', input: AskInput, audit: null, rate: 'sign-in' })
  async ask({ user, mail, code }: AskInput, ctx: CallContext): Promise<SuccessReply> {
    const { contact, userCaptcha } = this.settings.current;
    const params = { whom: whomToAsk(contact) };
    if (!this.mailer.isSetUp) throw new AccountError('RESET_NO_MAIL', params);
    if (userCaptcha && !(await this.captchas.check('user', ctx, code))) throw new LoginError('CAPTCHA_WRONG_USER');
    await countAgainst(this.limiter, `reset:net:${addressForLimits(ctx.ip)}`, LINK_MAILS_OF_NETWORK);
    const pair = createHash('sha256').update(`${user.toLowerCase()} ${mail.toLowerCase()}`).digest('hex');
    await countAgainst(this.limiter, `reset:pair:${pair}`, LINK_MAILS_TO_ONE);
    const request: ResetRequest = { user, mail, ip: ctx.ip, locale: localeOf(ctx.locale) };
    await this.queue.add(RESET_MAIL_TASK, request, { key: pair });
    return new SuccessReply('account.reset_asked', {}, params);
  }

  /** Sets a new password and ends every session; a second factor is still required at the next sign-in. */
  @Operation({ side: 'user', gn: 'zhmmcz', auth: 'none', input: SetInput, audit: null, rate: 'sign-in' })
  async set({ token, pass }: SetInput, ctx: CallContext): Promise<SuccessReply> {
    await this.reset.run(token, pass, ctx);
    return new SuccessReply('account.reset_done', { redirect: '/user/login?from=reset' });
  }
}
