import type { Locale } from '../../common/index.js';
import { renderMarkdown } from '../markdown.js';
import type { TrustedHtml } from '../trusted-html.js';
import { fits, isWritten, valueKeys, type ThemeSetting, type ThemeSettingValues } from './theme-setting.js';

/** Returns the URL of a setting's image; empty if the name is invalid. */
export type PictureAddress = (name: string) => string;

/** Value of a setting in views: text, boolean, or HTML of Markdown. */
export type SettingForView = string | boolean | TrustedHtml;

/**
 * Returns the template variable `theme_settings`: each setting by its key, in the reader's language. A text available in one language
 * only is used for both; unset values are the theme's defaults.
 *
 * @param words returns a text of the theme by its key
 */
export async function settingsForView(
  settings: readonly ThemeSetting[],
  values: ThemeSettingValues,
  { locale, words, pictures }: { locale: Locale; words: (key: string) => string; pictures: PictureAddress },
): Promise<Record<string, SettingForView>> {
  const shown = settings.map(async (setting): Promise<[string, SettingForView]> => {
    const value = given(setting, values, locale);
    if (setting.type === 'switch') return [setting.key, (value ?? setting.preset) === 'true'];
    if (setting.type === 'image') return [setting.key, value === undefined ? '' : pictures(value)];
    const preset = isWritten(setting) && setting.preset !== '' ? words(setting.preset) : setting.preset;
    const text = value ?? preset;
    return [setting.key, setting.type === 'markdown' && text !== '' ? await renderMarkdown(text) : text];
  });
  return Object.fromEntries(await Promise.all(shown));
}

/** Returns the saved value, if it is still valid. */
function given(setting: ThemeSetting, values: ThemeSettingValues, locale: Locale): string | undefined {
  const keys = valueKeys(setting);
  const inOrder = locale === 'en' ? [...keys].reverse() : keys;
  return inOrder.map((key) => (Object.hasOwn(values, key) ? values[key] : undefined)).find((value) => fits(setting, value));
}
