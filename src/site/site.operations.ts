import { Injectable } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { AddressList, MAX_ADDRESS_LIST } from '../auth/index.js';
import { localeOf, translate, type Locale, type TextParams } from '../common/index.js';
import type { SiteConfig } from './entities/index.js';
import { checkVersion, type FormValues, nextVersion, VersionField } from '../http/index.js';
import { SuccessReply, Operation, OperationError, Switch, Trimmed, WholeNumber } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { refusePicture } from './refuse-picture.js';
import { apiForm, logosForm, siteForm, userSideForm } from './site-forms.js';
import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** Upload fields of `setkzmb`, and their settings. */
const LOGOS = [
  ['loa', 'loginLogo'],
  ['lob', 'homeLogo'],
  ['loc', 'menuLogo'],
] as const;

type LogoNames = Partial<Record<(typeof LOGOS)[number][1], string>>;

class SiteInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) name?: string;
  /** Notice to users. */
  @IsOptional() @IsString() @MaxLength(20_000) gg?: string;
  /** Contact of the owner. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) qq?: string;
  /** Captcha at the administrator's login. */
  @IsOptional() @Switch() @IsBoolean() yzm?: boolean;
  /** Whether administrators must have a second factor. */
  @IsOptional() @Switch() @IsBoolean() f2?: boolean;
  /** Whether users are asked for a mail address; kept for older programs. */
  @IsOptional() @Switch() @IsBoolean() zjyx?: boolean;
  /** Milliseconds above which a database query is slow; 0 disables it. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(60_000) mcx?: number;
  @VersionField() row_version?: string;
}

class UserSideInput {
  /** Name of the panel. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) name?: string;
  /** Captcha at the users' login. */
  @IsOptional() @Switch() @IsBoolean() yzm?: boolean;
  /** Whether users must have a second factor. */
  @IsOptional() @Switch() @IsBoolean() f2?: boolean;
  /** Whether the user side is enabled. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** File manager of older user pages; kept for older programs. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) ftp?: string;
  /** Removes the image of the login pages; new images are uploaded as files. */
  @IsOptional() @Switch() @IsBoolean() loasc?: boolean;
  /** As {@link loasc}, for the home page. */
  @IsOptional() @Switch() @IsBoolean() lobsc?: boolean;
  /** As {@link loasc}, for the menu. */
  @IsOptional() @Switch() @IsBoolean() locsc?: boolean;
  /** Footer line of pages; markup in it is not rendered. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(2_000) bq?: string;
  @VersionField() row_version?: string;
}

class ApiInput {
  /** Empty keeps the current key. */
  @IsOptional() @Trimmed() @Matches(/^$|^[\x21-\x7e]{16,128}$/, { message: 'site.api_key_rule' }) apikey?: string;
  @IsOptional() @Switch() @IsBoolean() apiqk?: boolean;
  /** Shared secret of agents set up before each had its own; empty: the API key is used. */
  @IsOptional() @Trimmed() @Matches(/^$|^[\x21-\x7e]{16,128}$/, { message: 'site.api_key_rule' }) nodekey?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) linux?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(255) windows?: string;
  /** Addresses and networks allowed to use the API, separated by commas or line breaks; empty allows all. */
  @IsOptional() @IsString() @MaxLength(12_000) apiip?: string;
  @VersionField() row_version?: string;
}

/** Settings of the site. Source: docs/panel-api.md "Settings". */
@Injectable()
export class SiteOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly logos: SiteLogos,
  ) {}

  @Operation({ side: 'admin', gn: 'setwz', auth: 'admin', input: SiteInput, audit: 'site.audit.site', rate: 'write' })
  site({ name, gg, qq, yzm, f2, zjyx, mcx, row_version }: SiteInput): Promise<SuccessReply> {
    return this.save(
      { name, notice: gg, contact: qq, adminCaptcha: yzm, adminSecondFactor: f2, mailRequired: zjyx, slowQueryMs: mcx },
      row_version,
      siteForm,
    );
  }

  @Operation({ side: 'admin', gn: 'setkzmb', auth: 'admin', input: UserSideInput, audit: 'site.audit.user_side', rate: 'write' })
  async userSide({ name, yzm, f2, kg, ftp, bq, row_version, ...input }: UserSideInput, ctx: CallContext): Promise<SuccessReply> {
    const logos = await this.newLogos(input, ctx);
    const values = {
      name,
      userCaptcha: yzm,
      userSecondFactor: f2,
      userPanelOpen: kg,
      fileManager: ftp || undefined,
      copyright: bq,
      ...logos,
    };
    const reply = await this.save(values, row_version, (row) => ({ ...userSideForm(row), ...logosForm(row) }));
    await this.logos.sweep();
    return reply;
  }

  /** Returns the change of each image: the new file name, empty to remove it, missing to keep it. */
  private async newLogos(input: Pick<UserSideInput, 'loasc' | 'lobsc' | 'locsc'>, { files, locale }: CallContext): Promise<LogoNames> {
    const names: LogoNames = {};
    for (const [field, setting] of LOGOS) {
      const file = files.find(({ fieldname, size }) => fieldname === field && size > 0);
      if (file)
        names[setting] = await this.logos
          .keep(file.buffer, setting)
          .catch((error: unknown) => refusePicture(field, error, localeOf(locale)));
      else if (input[`${field}sc`]) names[setting] = '';
    }
    return names;
  }

  @Operation({ side: 'admin', gn: 'setapi', auth: 'admin', input: ApiInput, audit: 'site.audit.api', rate: 'write' })
  api({ apikey, apiqk, nodekey, linux, windows, apiip, row_version }: ApiInput, ctx: CallContext): Promise<SuccessReply> {
    const apiAllow = apiip === undefined ? undefined : allowList(apiip, localeOf(ctx.locale));
    const values = {
      api: apikey || undefined,
      apiOpen: apiqk,
      nodeApiKey: nodekey,
      linuxRoot: linux || undefined,
      windowsRoot: windows || undefined,
      apiAllow,
    };
    return this.save(values, row_version, apiForm);
  }

  /**
   * Saves only the submitted fields; the response carries the form's next version.
   *
   * @throws StaleForm if the values were changed meanwhile
   */
  private async save(
    values: Partial<SiteConfig>,
    version: string | undefined,
    form: (row: Readonly<SiteConfig>) => FormValues,
  ): Promise<SuccessReply> {
    await this.settings.change(given(values), (row) => checkVersion(version, form(row)));
    return new SuccessReply('site.saved', nextVersion(version, form(this.settings.current)));
  }
}

/** Returns the list as stored; null allows all. @throws OperationError INVALID_INPUT naming the invalid entries */
function allowList(text: string, locale: Locale): string | null {
  const { entries, invalid } = AddressList.read(text);
  const refuse = (key: string, params: TextParams): never => {
    const problem = translate(locale, key, params);
    throw new OperationError('INVALID_INPUT', { field: `apiip — ${problem}` }, { apiip: problem });
  };
  if (invalid.length > 0)
    refuse('site.api_addresses_wrong', {
      entries: invalid
        .slice(0, 10)
        .map((entry) => entry.slice(0, 60))
        .join(', '),
    });
  if (entries.length > MAX_ADDRESS_LIST) refuse('site.api_addresses_many', { n: MAX_ADDRESS_LIST });
  return entries.length > 0 ? entries.join('\n') : null;
}

/** Returns only the submitted fields: a missing field keeps its setting. */
function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
