import { Injectable } from '@nestjs/common';
import { IsBoolean, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { localeOf } from '../common/index.js';
import type { SiteConfig } from './entities/index.js';
import { checkVersion, nextVersion, VersionField } from '../http/index.js';
import { Operation, OperationError, SuccessReply, Switch, Trimmed } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';
import { DEFAULT_THEME } from '../theme/index.js';

import { homeForm } from './home-page.js';
import { refusePicture } from './refuse-picture.js';
import { SiteLogos, type PictureSetting } from './site-logos.js';
import { SiteSettings } from './site-settings.js';
import { ThemeChoiceError } from './themes/errors.js';
import { ThemeSettings } from './themes/index.js';

/** Prefix of the fields of a theme's settings. */
const OF_THEME = 'home_ts_';

/** A trimmed text; the limit is checked after trimming. */
const Line =
  (maxLength: number): PropertyDecorator =>
  (target, key) => {
    for (const decorate of [IsOptional(), Trimmed(), IsString(), MaxLength(maxLength)]) decorate(target, key);
  };

class HomeInput {
  /** Whether there is a home page; otherwise visitors are redirected to the user side. */
  @IsOptional() @Switch() @IsBoolean() home_enable?: boolean;
  @Line(120) home_title?: string;
  @Line(120) home_title_en?: string;
  /** Subtitle. */
  @Line(500) home_hero?: string;
  @Line(500) home_hero_en?: string;
  @Line(500) home_footer?: string;
  @Line(500) home_footer_en?: string;
  /** `#rrggbb`; empty: the theme's colour. */
  @IsOptional() @Trimmed() @Matches(/^(#[0-9a-fA-F]{6})?$/, { message: 'site.home_colour_rule' }) home_primary?: string;
  @IsOptional() @Switch() @IsBoolean() home_show_notice?: boolean;
  @IsOptional() @Switch() @IsBoolean() home_show_plans?: boolean;
  /** Current URL of the logo; empty removes it. A new one is uploaded by `home_upload_icon`. */
  @Line(500) home_logo?: string;
  /** As {@link home_logo}, for the site icon. */
  @Line(500) home_favicon?: string;
  /** As {@link home_logo}, for the image below the title, which is uploaded by `home_upload_image`. */
  @Line(500) home_image?: string;
  @VersionField() row_version?: string;
}

class IconInput {
  /** `favicon`: the site icon; anything else: the logo of the home page. */
  @IsOptional() @IsString() @MaxLength(20) target?: string;
}

class ImageInput {
  /** Which image of the home page. */
  @IsIn(['image'], { message: 'site.home_image_key' }) key!: string;
}

/** Settings of the home page. Source: docs/panel-api.md "Home page". */
@Injectable()
export class HomeOperations {
  constructor(
    private readonly settings: SiteSettings,
    private readonly pictures: SiteLogos,
    private readonly themeSettings: ThemeSettings,
  ) {}

  @Operation({ side: 'admin', gn: 'save_home_settings', auth: 'admin', input: HomeInput, audit: 'site.audit.home', rate: 'write' })
  async save({ row_version, ...input }: HomeInput, { body }: CallContext): Promise<SuccessReply> {
    const ofTheme = await this.themeValues(body);
    const given = {
      homeOpen: input.home_enable,
      homeTitle: input.home_title,
      homeTitleEn: input.home_title_en,
      homeText: input.home_hero,
      homeTextEn: input.home_hero_en,
      homeFoot: input.home_footer,
      homeFootEn: input.home_footer_en,
      homeColour: input.home_primary?.toLowerCase(),
      homeNotice: input.home_show_notice,
      homeBlocks: input.home_show_plans,
      homeLogo: this.kept('homeLogo', 'home_logo', input.home_logo),
      siteIcon: this.kept('siteIcon', 'home_favicon', input.home_favicon),
      homeImage: this.kept('homeImage', 'home_image', input.home_image),
    };
    const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<SiteConfig>;
    await this.settings.change(values, (row) => checkVersion(row_version, homeForm(row)));
    if (ofTheme) await this.themeSettings.save(this.settings.current.homeTheme || DEFAULT_THEME, ofTheme);
    await this.pictures.sweep();
    return new SuccessReply('site.saved', nextVersion(row_version, homeForm(this.settings.current)));
  }

  @Operation({
    side: 'admin',
    gn: 'home_upload_icon',
    auth: 'admin',
    input: IconInput,
    audit: 'site.audit.home_picture',
    rate: 'expensive',
  })
  icon({ target }: IconInput, ctx: CallContext): Promise<SuccessReply> {
    return this.upload(target === 'favicon' ? 'siteIcon' : 'homeLogo', 'icon', ctx);
  }

  @Operation({
    side: 'admin',
    gn: 'home_upload_image',
    auth: 'admin',
    input: ImageInput,
    audit: 'site.audit.home_picture',
    rate: 'expensive',
  })
  image(_input: ImageInput, ctx: CallContext): Promise<SuccessReply> {
    return this.upload('homeImage', 'image', ctx);
  }

  private async upload(setting: PictureSetting, field: string, { files, locale }: CallContext): Promise<SuccessReply> {
    const file = files.find(({ fieldname, size }) => fieldname === field && size > 0);
    if (!file) throw new OperationError('INVALID_INPUT', { field }, { [field]: 'site.home_no_file' });
    const name = await this.pictures.keep(file.buffer, setting).catch((error: unknown) => refusePicture(field, error, localeOf(locale)));
    await this.settings.change({ [setting]: name });
    await this.pictures.sweep();
    return new SuccessReply('site.home_uploaded', { url: this.pictures.urlOf(setting) });
  }

  /** Only the panel names image files: sending the current URL keeps the image, and an empty value removes it. */
  private kept(setting: PictureSetting, field: string, given: string | undefined): '' | undefined {
    if (given === undefined || given === this.pictures.urlOf(setting)) return undefined;
    if (given === '') return '';
    throw new OperationError('INVALID_INPUT', { field }, { [field]: 'site.home_picture_rule' });
  }

  /**
   * Settings of the home page's theme, named `home_ts_` and the key as in other panels of this family. Null if none is given.
   *
   * @throws OperationError INVALID_INPUT for a setting that this theme lacks, or for an invalid value
   */
  private async themeValues(body: CallContext['body']): Promise<Record<string, string> | null> {
    const given = Object.entries(body).filter(([name]) => name.startsWith(OF_THEME));
    if (given.length === 0) return null;
    const values = Object.fromEntries(given.map(([name, value]) => [name.slice(OF_THEME.length), value]));
    const problems = await this.themeSettings
      .problemsOf(this.settings.current.homeTheme || DEFAULT_THEME, values)
      .catch((error: unknown) => {
        if (!(error instanceof ThemeChoiceError)) throw error;
        return Object.fromEntries(Object.keys(values).map((key) => [key, 'site.theme_setting_unknown']));
      });
    const fields = Object.fromEntries(Object.entries(problems).map(([key, problem]) => [OF_THEME + key, problem]));
    const [field] = Object.keys(fields);
    if (field !== undefined) throw new OperationError('INVALID_INPUT', { field }, fields);
    return values;
  }
}
