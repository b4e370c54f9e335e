import { Injectable } from '@nestjs/common';
import { IsString, Matches, MaxLength } from 'class-validator';

import { localeOf } from '../../../common/index.js';
import { nextVersion, VersionField, versionOf } from '../../../http/index.js';
import { Operation, OperationError, SuccessReply } from '../../../operations/index.js';
import type { CallContext } from '../../../sdk/index.js';
import { isThemeName, type ThemeSettingValues } from '../../../theme/index.js';
import { refusePicture } from '../../refuse-picture.js';
import { ThemeChoiceError } from '../errors.js';
import { ThemeInput } from '../theme-input.js';
import { pictureAddress, ThemePictures } from './theme-pictures.js';
import { settingsForm, ThemeSettings } from './theme-settings.js';

class ValuesInput extends ThemeInput {
  /** JSON object of values by field key; forms send `cs[key]`. */
  @IsString() @MaxLength(200_000) cs!: string;
}

class SaveThemeSettingsInput extends ValuesInput {
  @VersionField() row_version?: string;
}

class PictureInput extends ThemeInput {
  /** Key of the setting. */
  @IsString() @Matches(/^\w{1,40}$/) key!: string;
}

/** Operations for the settings of themes. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemeSettingsOperations {
  constructor(
    private readonly settings: ThemeSettings,
    private readonly pictures: ThemePictures,
  ) {}

  @Operation({ side: 'admin', gn: 'theme_set_get', auth: 'admin', input: ThemeInput, audit: null, rate: 'read' })
  read({ name }: ThemeInput): SuccessReply {
    const settings = this.settings.declared(name);
    const form = settingsForm(settings, this.settings.savedOf(name));
    const cs = Object.fromEntries(Object.entries(form).map(([field, value]) => [field.slice('cs['.length, -1), value]));
    return new SuccessReply('site.theme_settings_read', { cs, row_version: versionOf(form) }, { theme: name });
  }

  @Operation({
    side: 'admin',
    gn: 'theme_set_save',
    auth: 'admin',
    input: SaveThemeSettingsInput,
    audit: 'site.audit.theme_settings',
    rate: 'write',
  })
  async save({ name, cs, row_version }: SaveThemeSettingsInput): Promise<SuccessReply> {
    await this.settings.save(name, valuesOf(cs), row_version);
    const form = settingsForm(this.settings.declared(name), this.settings.savedOf(name));
    return new SuccessReply('site.saved', nextVersion(row_version, form));
  }

  @Operation({
    side: 'admin',
    gn: 'theme_set_reset',
    auth: 'admin',
    input: ThemeInput,
    audit: 'site.audit.theme_settings_reset',
    rate: 'write',
  })
  async reset({ name }: ThemeInput): Promise<SuccessReply> {
    this.settings.declared(name);
    await this.settings.reset(name);
    return new SuccessReply('site.theme_settings_reset', {}, { theme: name });
  }

  /** Shows draft values to the caller only, on pages with `theme_draft` and the theme's name in the query. */
  @Operation({ side: 'admin', gn: 'theme_set_draft', auth: 'admin', input: ValuesInput, audit: null, rate: 'write' })
  async draft({ name, cs }: ValuesInput, { admin }: CallContext): Promise<SuccessReply> {
    await this.settings.draft(name, valuesOf(cs), admin!.id);
    return new SuccessReply('site.theme_settings_drafted');
  }

  /** Uploads an image for a setting; it is used once the setting is saved with its name. */
  @Operation({
    side: 'admin',
    gn: 'theme_set_image',
    auth: 'admin',
    input: PictureInput,
    audit: 'site.audit.theme_picture',
    rate: 'expensive',
  })
  async picture({ name, key }: PictureInput, { files, locale }: CallContext): Promise<SuccessReply> {
    if (!isThemeName(name) || !this.settings.declared(name).some((setting) => setting.key === key && setting.type === 'image'))
      throw new ThemeChoiceError('NO_SETTINGS', { theme: name });
    const file = files.find(({ fieldname, size }) => fieldname === 'image' && size > 0);
    if (!file) throw new OperationError('INVALID_INPUT', { field: 'image' }, { image: 'site.home_no_file' });
    const value = await this.pictures.keep(file.buffer).catch((error: unknown) => refusePicture('image', error, localeOf(locale)));
    return new SuccessReply('site.theme_picture_taken', { value, url: pictureAddress(value) });
  }
}

/** @throws OperationError INVALID_INPUT if it is not an object of texts */
function valuesOf(cs: string): ThemeSettingValues {
  let values: unknown;
  try {
    values = JSON.parse(cs);
  } catch {
    values = null;
  }
  const isRecord = typeof values === 'object' && values !== null && !Array.isArray(values);
  const entries = isRecord ? Object.entries(values as object).map(([key, value]): [string, unknown] => [key, plain(value)]) : [];
  if (!isRecord || !entries.every(([, value]) => typeof value === 'string'))
    throw new OperationError('INVALID_INPUT', { field: 'cs' }, { cs: 'site.theme_settings_json' });
  return Object.fromEntries(entries) as ThemeSettingValues;
}

const plain = (value: unknown): unknown => (typeof value === 'boolean' ? String(value) : value);
