import { Controller } from '@nestjs/common';

import { localeOf } from '../../../common/index.js';
import { versionOf } from '../../../http/index.js';
import type { RequestContext } from '../../../operations/index.js';
import { isWritten, ThemeCatalogue, ThemeRenderer, type ThemeSetting, type ThemeSide } from '../../../theme/index.js';
import { Page, PageMissing } from '../../../web/index.js';
import { SETTINGS_PAGE } from '../theme-places.js';
import { pictureAddress } from './theme-pictures.js';
import { fieldName, settingsForm, ThemeSettings } from './theme-settings.js';

/** Preview URL and title key of each side, in the order shown. */
const PLACES: readonly (readonly [ThemeSide, string, string])[] = [
  ['home', '/', 'themes.side_home'],
  ['user', '/user/login', 'themes.side_user'],
  ['admin', '/admin/', 'themes.side_admin'],
];

/** Page of a theme's settings, with a preview. */
@Controller()
export class ThemeSettingsPages {
  constructor(
    private readonly settings: ThemeSettings,
    private readonly catalogue: ThemeCatalogue,
    private readonly renderer: ThemeRenderer,
  ) {}

  @Page({ side: 'admin', path: SETTINGS_PAGE.slice('/admin/'.length), title: 'site.menu.theme', needs: ['theme_set_save'] })
  theme(call: RequestContext): object {
    const name = call.query.name ?? '';
    const theme = this.catalogue.package(name);
    if (!theme || theme.settings.length === 0) throw new PageMissing();
    const form = settingsForm(theme.settings, this.settings.savedOf(name));
    const words = this.renderer.wordsOf(name, localeOf(call.locale));
    const places = PLACES.filter(([side]) => theme.info.sides.includes(side));
    return {
      theme: { name, title: theme.info.title },
      row_version: versionOf(form),
      fields: theme.settings.map((setting) => fieldOf(setting, (key) => String(form[fieldName(key)] ?? ''), words)),
      places: places.map(([, path, title]) => ({ title, href: `${path}?theme_draft=${encodeURIComponent(name)}` })),
      name_only: JSON.stringify({ name }),
    };
  }
}

/** Returns a setting as the form shows it, in the theme's texts. */
function fieldOf(setting: ThemeSetting, value: (key: string) => string, words: (key: string) => string): object {
  const { key, type, preset, options } = setting;
  const [label, hint] = [setting.label, setting.hint].map((text) => (text === '' ? '' : words(text)));
  return {
    ...{ key, type, label, hint, name: fieldName(key), value: value(key), is_written: isWritten(setting) },
    placeholder: isWritten(setting) && preset !== '' ? words(preset) : preset,
    english: isWritten(setting) ? { name: fieldName(`${key}_en`), value: value(`${key}_en`) } : null,
    url: type === 'image' && value(key) !== '' ? pictureAddress(value(key)) : '',
    options: options.map((option) => ({ value: option.value, label: words(option.label) })),
  };
}
