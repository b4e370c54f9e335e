import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { Administrators, MIN_PASSWORD, PasswordHasher } from '../auth/index.js';
import { DEFAULT_ADMIN_PASSWORD } from '../config/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import { SuccessReply, Operation, PresentPassword, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { SignIn } from './sign-in.js';

const MIN_NAME = 4;
/** As ADMIN_USERNAME: names that can be typed anywhere and contain no look-alikes. */
const NAME_PATTERN = /^[A-Za-z0-9_.@-]+$/;

class AdminAccountInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) yuser = '';
  @IsOptional() @IsString() @MaxLength(256) ypass = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) xuser = '';
  @IsOptional() @IsString() @MaxLength(256) xpass = '';
}

/** Changes an administrator's own name and password. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class AccountOperations {
  constructor(
    private readonly administrators: Administrators,
    private readonly hasher: PasswordHasher,
    private readonly password: PresentPassword,
    private readonly signIn: SignIn,
    private readonly database: Database,
  ) {}

  @Operation({ side: 'admin', gn: 'gl', auth: 'admin', input: AdminAccountInput, audit: 'account.audit.account', rate: 'write', own: true })
  async changeAdministrator({ yuser, ypass, xuser, xpass }: AdminAccountInput, ctx: CallContext): Promise<SuccessReply> {
    if (xuser === '' && xpass === '') throw new AccountError('NOTHING_TO_CHANGE');
    if ((xuser !== '' && xuser.length < MIN_NAME) || (xpass !== '' && xpass.length < MIN_PASSWORD))
      throw new AccountError('CREDENTIALS_RULE');
    if (xuser !== '' && !NAME_PATTERN.test(xuser)) throw new AccountError('NAME_CHARACTERS');
    if (xpass === DEFAULT_ADMIN_PASSWORD) throw new AccountError('PUBLISHED_PASSWORD');
    const administrator = await this.password.verify('admin', ctx.admin!, ypass);
    if (administrator?.username.toLowerCase() !== yuser.toLowerCase()) throw new AccountError('OLD_CREDENTIALS_WRONG');
    const { id } = administrator;
    const passwordHash = xpass === '' ? undefined : await this.hasher.hash(xpass);
    try {
      const headers = await this.database.transaction(async () => {
        await this.database.lockRow('Administrator', 'id', id);
        const before = await this.administrators.findById(id);
        const changes = { ...(xuser === '' ? {} : { username: xuser }), ...(passwordHash === undefined ? {} : { passwordHash }) };
        if (!(await this.administrators.change(id, administrator.passwordHash, changes))) throw new AccountError('OLD_CREDENTIALS_WRONG');
        this.database.noteChange({ of: 'administrator', id }, before, changes);
        return this.signIn.rotate('admin', id, ctx);
      });
      return new SuccessReply('account.changed', {}, {}, headers);
    } catch (error) {
      throw isUniqueViolation(error) ? new AccountError('NAME_TAKEN') : error;
    }
  }
}
