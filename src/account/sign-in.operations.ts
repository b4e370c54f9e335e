import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, MaxLength } from 'class-validator';

import { SuccessReply, NoInput, Operation } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { SignIn } from './sign-in.js';

/** The login itself rejects longer values like wrong ones. */
class LoginInput {
  @IsOptional() @IsString() @MaxLength(1_000) user = '';
  @IsOptional() @IsString() @MaxLength(10_000) pass = '';
  @IsOptional() @IsString() @MaxLength(1_000) code = '';
  /** Code of the second factor, or a recovery code: together with the password, or with `lp` as the second step. */
  @IsOptional() @IsString() @MaxLength(100) totp?: string;
  /** Returned by the first step. */
  @IsOptional() @IsString() @MaxLength(100) lp?: string;
  /** Page to show afterwards; see {@link signedInAddress}. */
  @IsOptional() @IsString() @MaxLength(10_000) next?: string;
  /** Any value signs out instead. */
  @IsOptional() @IsString() @MaxLength(100) logout?: string;
}

/** Sign-in and sign-out. Source: docs/panel-api.md "Signing in". */
@Injectable()
export class SignInOperations {
  constructor(private readonly signIn: SignIn) {}

  @Operation({ side: 'admin', gn: 'login', auth: 'none', input: LoginInput, audit: null, rate: 'sign-in' })
  adminLogin(input: LoginInput, ctx: CallContext): Promise<SuccessReply> {
    return input.logout === undefined ? this.signIn.login('admin', input, ctx) : this.signIn.logout('admin', ctx);
  }

  @Operation({ side: 'user', gn: 'login', auth: 'none', input: LoginInput, audit: null, rate: 'sign-in' })
  userLogin(input: LoginInput, ctx: CallContext): Promise<SuccessReply> {
    return input.logout === undefined ? this.signIn.login('user', input, ctx) : this.signIn.logout('user', ctx);
  }

  @Operation({ side: 'admin', gn: 'logout', auth: 'admin', input: NoInput, audit: 'account.audit.logout', rate: 'write', own: true })
  adminLogout(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.signIn.logout('admin', ctx);
  }

  @Operation({ side: 'user', gn: 'logout', auth: 'user', input: NoInput, audit: 'account.audit.logout', rate: 'write', own: true })
  userLogout(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.signIn.logout('user', ctx);
  }

  @Operation({ side: 'admin', gn: 'yzm', auth: 'none', input: NoInput, audit: null, rate: 'captcha' })
  adminCaptcha(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.signIn.captcha('admin', ctx);
  }

  @Operation({ side: 'user', gn: 'yzm', auth: 'none', input: NoInput, audit: null, rate: 'captcha' })
  userCaptcha(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.signIn.captcha('user', ctx);
  }
}
