import type { Locale } from '../../common/index.js';
import { renderMarkdown } from '../markdown.js';
import type { TrustedHtml } from '../trusted-html.js';
import { fits, isWritten, valueKeys, type ThemeSetting, type ThemeSettingValues } from './theme-setting.js';

/** Where the picture of a setting is served; empty for what names none. */
export type PictureAddress = (name: string) => string;

/** What views see of a setting: texts, `true` or `false`, HTML of Markdown. */
export type SettingForView = string | boolean | TrustedHtml;

/**
 * What views see as `theme_settings`: each setting by its key, in the language of the reader. A text of one language alone stands for
 * both; what nobody set is as the theme has it.
 *
 * @param words a text of the theme by its key
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

/** What was set, if it still fits. */
function given(setting: ThemeSetting, values: ThemeSettingValues, locale: Locale): string | undefined {
  const keys = valueKeys(setting);
  const inOrder = locale === 'en' ? [...keys].reverse() : keys;
  return inOrder.map((key) => (Object.hasOwn(values, key) ? values[key] : undefined)).find((value) => fits(setting, value));
}
