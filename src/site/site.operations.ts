import './texts.js';

import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { Done, Operation, Switch, Trimmed } from '../operations/index.js';

import { SiteSettings } from './site-settings.js';

class SiteInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) name?: string;
  /** Notice to users. */
  @IsOptional() @IsString() @MaxLength(20_000) gg?: string;
  /** Contact of the owner. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) qq?: string;
  /** Captcha at the administrator's login. */
  @IsOptional() @Switch() @IsBoolean() yzm?: boolean;
}

class ApiInput {
  /** Empty leaves the key as it is. */
  @IsOptional() @Trimmed() @Matches(/^$|^[\x21-\x7e]{16,128}$/, { message: 'site.api_key_rule' }) apikey?: string;
  @IsOptional() @Switch() @IsBoolean() apiqk?: boolean;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) linux?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) windows?: string;
}

/** Settings of the site. Source: docs/panel-api.md "Settings". */
@Injectable()
export class SiteOperations {
  constructor(private readonly settings: SiteSettings) {}

  @Operation({ side: 'admin', gn: 'setwz', auth: 'admin', input: SiteInput, audit: 'site.audit.site' })
  async site({ name, gg, qq, yzm }: SiteInput): Promise<Done> {
    await this.settings.change(given({ name, notice: gg, contact: qq, adminCaptcha: yzm }));
    return new Done('site.saved');
  }

  @Operation({ side: 'admin', gn: 'setapi', auth: 'admin', input: ApiInput, audit: 'site.audit.api' })
  async api({ apikey, apiqk, linux, windows }: ApiInput): Promise<Done> {
    await this.settings.change(given({ api: apikey || undefined, apiOpen: apiqk, linuxRoot: linux || undefined, windowsRoot: windows || undefined }));
    return new Done('site.saved');
  }
}

/** Only what was sent: a missing field leaves its setting as it is. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
