import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { ApiProperty } from '../../http/index.js';

import { Paging } from '../call/index.js';
import { Characters, RowVersion, Visible } from '../http/index.js';

import { PlainEmail, PlainText } from './plain-text.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);
const toInteger = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
const emptyIsMissing = ({ value }: { value: unknown }): unknown => (value === '' || value === null ? undefined : value);

// Decorators apply bottom-up: the rule nearest to the field is checked first.

/** Longest password, in characters. */
export const MAX_PASSWORD = 256;
const UPLOADED_IMAGE = /^(\/uploads\/images\/[A-Za-z0-9-]{1,60}\.(jpe?g|png|gif|webp))?$/;
const LOGIN = { message: 'store.login_fields' };
const EMAIL = { message: 'store.email_invalid' };
const USERNAME = { description: 'Letters of one script, or Latin together with East Asian scripts', minLength: 2, maxLength: 30 };
/** Length limits of a new password, as shown in the API description. */
export const NEW_PASSWORD = { minLength: 6, maxLength: MAX_PASSWORD };
const CAPTCHA = { description: 'The four characters of the captcha image' };

/** A new account. */
export class RegisterForm {
  @MaxLength(120, { message: 'store.username_length' })
  @IsString({ message: 'store.register_fields' })
  @Transform(trimmed)
  @ApiProperty(USERNAME)
  username!: string;
  @ApiProperty(NEW_PASSWORD)
  @MaxLength(1_000, { message: 'store.password_long' })
  @IsString({ message: 'store.register_fields' })
  password!: string;
  @MaxLength(254, EMAIL)
  @IsString({ message: 'store.register_fields' })
  @Transform(trimmed)
  @ApiProperty({ format: 'email' })
  email!: string;
  @IsOptional()
  @IsString({ message: 'store.captcha_missing' })
  @MaxLength(16, { message: 'store.captcha_wrong' })
  @ApiProperty(CAPTCHA)
  captcha?: string;
}

/** A sign-in. */
export class LoginForm {
  @MaxLength(120, LOGIN) @IsString(LOGIN) @IsNotEmpty(LOGIN) @Transform(trimmed) username!: string;
  @MaxLength(1_000, LOGIN) @IsString(LOGIN) @IsNotEmpty(LOGIN) password!: string;
  @IsOptional()
  @IsString({ message: 'store.captcha_missing' })
  @MaxLength(16, { message: 'store.captcha_wrong' })
  @ApiProperty(CAPTCHA)
  captcha?: string;
  /** TOTP code or recovery code, for accounts with a second factor. */
  @IsOptional() @IsString({ message: 'store.code_wrong' }) @MaxLength(32, { message: 'store.code_wrong' }) code?: string;
}

/** A change of the password. */
export class PasswordForm {
  @MaxLength(1_000, { message: 'store.old_password_wrong' }) @IsString({ message: 'store.password_fields' }) oldPassword!: string;
  @ApiProperty(NEW_PASSWORD)
  @MaxLength(1_000, { message: 'store.password_long' })
  @IsString({ message: 'store.password_fields' })
  newPassword!: string;
  /** Whether API tokens end as well; by default they stay valid. */
  @IsOptional() @IsBoolean({ message: 'store.end_tokens' }) endTokens?: boolean;
}

/** Profile changes; omitted fields keep their values. */
export class ProfileForm {
  @IsOptional() @PlainEmail(EMAIL) @MaxLength(254, EMAIL) @Transform(trimmed) email?: string;
  /** A picture from `POST /api/upload/image`, or empty. */
  @IsOptional() @Matches(UPLOADED_IMAGE, { message: 'store.avatar_invalid' }) avatar?: string;
  @IsOptional() @PlainText(500, { message: 'store.bio_invalid' }) bio?: string;
  @RowVersion() row_version?: string;
}

/** A new API token. */
export class TokenForm {
  @Characters(1, 60, { message: 'store.token_name' }) @Visible({ message: 'store.token_name' }) @Transform(trimmed) name!: string;
  @IsArray({ message: 'store.token_scopes' })
  @ArrayMaxSize(2, { message: 'store.token_scopes' })
  @ArrayUnique({ message: 'store.token_scopes' })
  @IsIn(['read', 'publish'], { each: true, message: 'store.token_scopes' })
  scopes!: ('read' | 'publish')[];
  /** Lifetime in days, 1 to 365. */
  @IsOptional()
  @Transform(toInteger)
  @IsInt({ message: 'store.token_days' })
  @Min(1, { message: 'store.token_days' })
  @Max(365, { message: 'store.token_days' })
  days = 90;
  /** Restricts the token to this item of the caller's. */
  @IsOptional() @Transform(toInteger) @IsInt({ message: 'store.id_invalid' }) @Min(1, { message: 'store.id_invalid' }) item_id?: number;
}

/** Filter of an administrator's account list. */
export class UsersQuery extends Paging {
  /** Part of the name or e-mail address. */
  @IsOptional() @IsString() @MaxLength(100, { message: 'store.keyword_long' }) keyword?: string;
  @IsOptional() @Transform(emptyIsMissing) @IsIn(['admin', 'developer'], { message: 'store.role_invalid' }) role?: 'admin' | 'developer';
  @IsOptional() @Transform(emptyIsMissing) @IsIn(['active', 'banned'], { message: 'store.status_invalid' }) status?: 'active' | 'banned';
}

/** Form with which an administrator changes an account; fields that are left out keep their values. */
export class UserChangeForm {
  @IsOptional() @IsIn(['active', 'banned'], { message: 'store.status_invalid' }) status?: 'active' | 'banned';
  @IsOptional() @IsIn(['admin', 'developer'], { message: 'store.role_invalid' }) role?: 'admin' | 'developer';
  /** Whether new versions of published items skip review, except for spot checks. */
  @IsOptional() @IsBoolean({ message: 'store.trusted_invalid' }) trusted?: boolean;
  @IsOptional() @PlainEmail(EMAIL) @MaxLength(254, EMAIL) @Transform(trimmed) email?: string;
  /** A picture from `POST /api/upload/image`, or empty. */
  @IsOptional() @Matches(UPLOADED_IMAGE, { message: 'store.avatar_invalid' }) avatar?: string;
  @IsOptional() @PlainText(500, { message: 'store.bio_invalid' }) bio?: string;
}
