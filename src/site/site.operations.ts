import './texts.js';

import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { AddressList, MAX_ADDRESS_LIST } from '../auth/index.js';
import { localeOf, translate, type Locale, type TextParams } from '../common/index.js';
import { Done, Operation, OperationError, Switch, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { SiteSettings } from './site-settings.js';

class SiteInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) name?: string;
  /** Notice to users. */
  @IsOptional() @IsString() @MaxLength(20_000) gg?: string;
  /** Contact of the owner. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) qq?: string;
  /** Captcha at the administrator's login. */
  @IsOptional() @Switch() @IsBoolean() yzm?: boolean;
  /** Whether users are asked for a mail address: kept for older programs. */
  @IsOptional() @Switch() @IsBoolean() zjyx?: boolean;
}

class UserSideInput {
  /** Name of the panel. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) name?: string;
  /** Captcha at the users' login. */
  @IsOptional() @Switch() @IsBoolean() yzm?: boolean;
  /** Whether users may use their side. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Which file manager older user pages open: kept for older programs. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) ftp?: string;
  /** Line at the foot of pages; markup in it does not count. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(2_000) bq?: string;
}

class ApiInput {
  /** Empty leaves the key as it is. */
  @IsOptional() @Trimmed() @Matches(/^$|^[\x21-\x7e]{16,128}$/, { message: 'site.api_key_rule' }) apikey?: string;
  @IsOptional() @Switch() @IsBoolean() apiqk?: boolean;
  /** Panel-wide secret of agents from before each had its own; empty: the API key is that. */
  @IsOptional() @Trimmed() @Matches(/^$|^[\x21-\x7e]{16,128}$/, { message: 'site.api_key_rule' }) nodekey?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) linux?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) windows?: string;
  /** Addresses and networks the API serves, separated by commas or lines; empty serves all. */
  @IsOptional() @IsString() @MaxLength(12_000) apiip?: string;
}

/** Settings of the site. Source: docs/panel-api.md "Settings". */
@Injectable()
export class SiteOperations {
  constructor(private readonly settings: SiteSettings) {}

  @Operation({ side: 'admin', gn: 'setwz', auth: 'admin', input: SiteInput, audit: 'site.audit.site', rate: 'write' })
  async site({ name, gg, qq, yzm, zjyx }: SiteInput): Promise<Done> {
    await this.settings.change(given({ name, notice: gg, contact: qq, adminCaptcha: yzm, mailRequired: zjyx }));
    return new Done('site.saved');
  }

  @Operation({ side: 'admin', gn: 'setkzmb', auth: 'admin', input: UserSideInput, audit: 'site.audit.user_side', rate: 'write' })
  async userSide({ name, yzm, kg, ftp, bq }: UserSideInput): Promise<Done> {
    await this.settings.change(given({ name, userCaptcha: yzm, userPanelOpen: kg, fileManager: ftp || undefined, copyright: bq }));
    return new Done('site.saved');
  }

  @Operation({ side: 'admin', gn: 'setapi', auth: 'admin', input: ApiInput, audit: 'site.audit.api', rate: 'write' })
  async api({ apikey, apiqk, nodekey, linux, windows, apiip }: ApiInput, ctx: CallContext): Promise<Done> {
    const apiAllow = apiip === undefined ? undefined : allowList(apiip, localeOf(ctx.locale));
    await this.settings.change(
      given({ api: apikey || undefined, apiOpen: apiqk, nodeApiKey: nodekey, linuxRoot: linux || undefined, windowsRoot: windows || undefined, apiAllow }),
    );
    return new Done('site.saved');
  }
}

/** The list as it is kept; null serves everybody. @throws OperationError INVALID_INPUT naming the entries that are wrong */
function allowList(text: string, locale: Locale): string | null {
  const { entries, invalid } = AddressList.read(text);
  const refuse = (key: string, params: TextParams): never => {
    const problem = translate(locale, key, params);
    throw new OperationError('INVALID_INPUT', { field: `apiip — ${problem}` }, { apiip: problem });
  };
  if (invalid.length > 0) refuse('site.api_addresses_wrong', { entries: invalid.slice(0, 10).map((entry) => entry.slice(0, 60)).join(', ') });
  if (entries.length > MAX_ADDRESS_LIST) refuse('site.api_addresses_many', { n: MAX_ADDRESS_LIST });
  return entries.length > 0 ? entries.join('\n') : null;
}

/** Only what was sent: a missing field leaves its setting as it is. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
