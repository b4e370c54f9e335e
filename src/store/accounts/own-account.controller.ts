import type { ServerResponse } from 'node:http';

import { Get, Put, Res } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation, ApiProperty } from '../../http/index.js';
import { Audited, AuditedWithin, ofCaller } from '../audit/index.js';
import { Answer, Call, Caller, type StoreCall, type StoreCaller } from '../call/index.js';
import { Body, ApiData, ApiErrors, COUNT, StoreAccess, StoreController } from '../http/index.js';

import { PasswordForm, ProfileForm } from './account-forms.js';
import { PasswordChanges } from './password-changes.js';
import { NEW_SESSION, setSignedInCookies } from './signed-in-cookies.js';
import { StoreAccounts } from './store-accounts.js';
import { OwnUser, ownUserWire } from './user-wire.js';

/** Effect of a password change on API tokens. */
class PasswordChange {
  @ApiProperty({ ...COUNT, description: 'Number of API tokens that were revoked' }) tokens_ended!: number;
  @ApiProperty({ ...COUNT, description: 'Number of API tokens that remain valid' }) tokens_left!: number;
}

/** The caller's own account. */
@StoreController('auth')
export class OwnAccountController {
  constructor(
    private readonly accounts: StoreAccounts,
    private readonly passwords: PasswordChanges,
  ) {}

  @Get('me')
  @Rate('read')
  @StoreAccess('developer')
  @ApiOperation({ summary: 'Returns the caller’s account' })
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
      'All other sessions end and known devices are forgotten; the calling session continues with new cookies. API tokens ' +
      'remain valid unless `endTokens` is true.',
  })
  @ApiData(PasswordChange, NEW_SESSION)
  @ApiErrors(429)
  async password(@Body() form: PasswordForm, @Call() call: StoreCall, @Res({ passthrough: true }) res: ServerResponse): Promise<Answer> {
    const { tokensEnded, tokensLeft, ...tokens } = await this.passwords.change(call.caller!.id, form, call);
    setSignedInCookies(res, call, tokens);
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
  @ApiOperation({ summary: 'Changes the caller’s email address, avatar or bio' })
  @ApiData(OwnUser)
  @ApiErrors(409, 429)
  async profile(@Body() form: ProfileForm, @Caller() { id }: StoreCaller): Promise<Answer> {
    return new Answer('store.updated', ownUserWire(await this.accounts.changeProfile(id, form)));
  }
}
