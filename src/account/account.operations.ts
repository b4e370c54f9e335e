import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { Administrators, PasswordHasher, RateLimiter, UserDirectory } from '../auth/index.js';
import { isUniqueViolation } from '../database/index.js';
import { Done, Operation, OperationError, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { SignIn } from './sign-in.js';

const MIN_NAME = 4;
const MIN_PASSWORD = 6;
/** Guesses at the old password of a signed-in account. */
const PASSWORD_RATE = { limit: 10, windowSeconds: 600 };

class AdminAccountInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) yuser = '';
  @IsOptional() @IsString() @MaxLength(256) ypass = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) xuser = '';
  @IsOptional() @IsString() @MaxLength(256) xpass = '';
}

class PasswordInput {
  /** The present password. */
  @IsOptional() @IsString() @MaxLength(256) yp = '';
  @IsOptional() @IsString() @MaxLength(256) pass = '';
}

/** One's own name and password. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class AccountOperations {
  constructor(
    private readonly administrators: Administrators,
    private readonly users: UserDirectory,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
    private readonly signIn: SignIn,
  ) {}

  @Operation({ side: 'admin', gn: 'gl', auth: 'admin', input: AdminAccountInput, audit: 'account.audit.account' })
  async changeAdministrator({ yuser, ypass, xuser, xpass }: AdminAccountInput, ctx: CallContext): Promise<Done> {
    if (xuser === '' && xpass === '') throw new AccountError('NOTHING_TO_CHANGE');
    if ((xuser !== '' && xuser.length < MIN_NAME) || (xpass !== '' && xpass.length < MIN_PASSWORD)) throw new AccountError('CREDENTIALS_RULE');
    const { id } = ctx.admin!;
    await this.limit(`password:admin:${id}`);
    const administrator = await this.administrators.findById(id);
    const right = await this.hasher.verify(ypass, administrator?.passwordHash ?? null);
    if (!right || administrator!.usernameKey !== yuser.toLowerCase()) throw new AccountError('OLD_CREDENTIALS_WRONG');
    try {
      await this.administrators.change(id, { username: xuser || undefined, password: xpass || undefined });
    } catch (error) {
      throw isUniqueViolation(error) ? new AccountError('NAME_TAKEN') : error;
    }
    return new Done('account.changed', {}, {}, await this.signIn.rotate('admin', id, ctx));
  }

  @Operation({ side: 'user', gn: 'xgpass', auth: 'user', input: PasswordInput, audit: 'account.audit.password' })
  async changeUserPassword({ yp, pass }: PasswordInput, ctx: CallContext): Promise<Done> {
    if (pass.length < MIN_PASSWORD) throw new AccountError('PASSWORD_RULE');
    const { id, username } = ctx.user!;
    await this.limit(`password:user:${id}`);
    const candidate = await this.users.findForLogin(username);
    if (!(await this.hasher.verify(yp, candidate?.passwordHash ?? null))) throw new AccountError('OLD_PASSWORD_WRONG');
    await this.users.changePassword(id, await this.hasher.hash(pass));
    return new Done('account.changed', {}, {}, await this.signIn.rotate('user', id, ctx));
  }

  private async limit(key: string): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(key, PASSWORD_RATE);
    if (!allowed) throw new OperationError('RATE_LIMITED', { seconds: retryAfterSeconds });
  }
}
