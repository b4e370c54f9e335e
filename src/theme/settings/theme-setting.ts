/** Types of theme settings. */
export const THEME_SETTING_TYPES = ['colour', 'image', 'text', 'choice', 'switch', 'markdown'] as const;

/** One of {@link THEME_SETTING_TYPES}. */
export type ThemeSettingType = (typeof THEME_SETTING_TYPES)[number];

/** A theme setting as declared in theme.json. Source: docs/themes.md "Settings". */
export interface ThemeSetting {
  /** `[a-z][a-z0-9_]{0,39}`, not ending in `_en`. */
  readonly key: string;
  readonly type: ThemeSettingType;
  /** A text key of the theme, or text; likewise {@link ThemeSetting.hint}. */
  readonly label: string;
  readonly hint: string;
  /** Default value; for a switch `true` or `false`, for texts a key or text. */
  readonly preset: string;
  /** Options of a choice. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** Saved values by the keys of {@link valueKeys}; missing ones are the theme's defaults. */
export type ThemeSettingValues = Readonly<Record<string, string>>;

/** Suffix of the English field of a text; the field without it is Chinese. */
const ENGLISH = '_en';
const KEY = /^[a-z][a-z0-9_]{0,39}$/;
const COLOUR = /^#[0-9a-f]{6}$/i;
const MAX_SETTINGS = 40;
const MAX_OPTIONS = 20;
const MAX_WORDS = 300;
const MAX_VALUE = 64;
/** Maximum characters of a text. */
const MAX_LENGTHS = { text: 500, markdown: 20_000 } as const;

/** Returns whether a setting has a value per language. */
export const isWritten = ({ type }: Pick<ThemeSetting, 'type'>): boolean => type === 'text' || type === 'markdown';

/** Returns the fields of a setting: one, or one per language. */
export function valueKeys(setting: ThemeSetting): string[] {
  return isWritten(setting) ? [setting.key, setting.key + ENGLISH] : [setting.key];
}

/** Returns the settings by their field names. */
export function settingsByField(settings: readonly ThemeSetting[]): Map<string, ThemeSetting> {
  return new Map(settings.flatMap((setting) => valueKeys(setting).map((key) => [key, setting])));
}

/**
 * Parses `settings` of a theme.json. An invalid declaration is skipped and reported; the others apply.
 *
 * @param problem called with a description of each problem
 *
 * @example readThemeSettings([{ key: 'band', type: 'colour', label: 'settings.band', default: '#0b6e4f' }], console.warn)
 */
export function readThemeSettings(declared: unknown, problem: (message: string) => void): ThemeSetting[] {
  if (declared === undefined) return [];
  if (!Array.isArray(declared)) return (problem('"settings" must be a list'), []);
  if (declared.length > MAX_SETTINGS) problem(`"settings" has more than ${MAX_SETTINGS} entries: the others are ignored`);
  const settings = new Map<string, ThemeSetting>();
  for (const [i, entry] of declared.slice(0, MAX_SETTINGS).entries()) {
    try {
      const setting = readSetting(entry);
      if (settings.has(setting.key)) throw new Error('its key is not unique');
      settings.set(setting.key, setting);
    } catch (error) {
      problem(`setting ${nameOf(entry) ?? i + 1}: ${(error as Error).message}`);
    }
  }
  return [...settings.values()];
}

/** Returns what is wrong with a setting's value, as a text key; null if valid. Images are checked by their storage. */
export function settingProblem({ type, options }: ThemeSetting, value: string): string | null {
  if (type === 'colour' && value !== '' && !COLOUR.test(value)) return 'theme.setting_colour';
  if (type === 'switch' && !['true', 'false'].includes(value)) return 'operations.field.isBoolean';
  if (type === 'choice' && !options.some((option) => option.value === value)) return 'operations.field.isIn';
  if ((type === 'text' || type === 'markdown') && value.length > MAX_LENGTHS[type]) return 'http.too_large';
  return null;
}

/** Returns whether a saved value is still valid; otherwise the default of the theme's newer version applies. */
export const fits = (setting: ThemeSetting, value: string | undefined): value is string =>
  value !== undefined && value !== '' && settingProblem(setting, value) === null;

function nameOf(entry: unknown): string | null {
  const key = (entry as { key?: unknown } | null)?.key;
  return typeof key === 'string' ? `"${key.slice(0, 60)}"` : null;
}

/** @throws Error describing the problem */
function readSetting(entry: unknown): ThemeSetting {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new Error('is not an object');
  const { key, type, label, hint = '', options, default: preset } = entry as Record<string, unknown>;
  if (typeof key !== 'string' || !KEY.test(key)) throw new Error('"key" must be 1 to 40 of a-z 0-9 _ and start with a letter');
  if (key.endsWith(ENGLISH)) throw new Error(`"key" must not end in ${ENGLISH}, which is reserved for English values`);
  if (!THEME_SETTING_TYPES.includes(type as ThemeSettingType)) throw new Error(`"type" must be one of ${THEME_SETTING_TYPES.join(', ')}`);
  if (!isWords(label) || label === '') throw new Error(`"label" must be a string of at most ${MAX_WORDS} characters`);
  if (!isWords(hint)) throw new Error(`"hint" must be a string of at most ${MAX_WORDS} characters`);
  if (options !== undefined && type !== 'choice') throw new Error('"options" are only for choices');
  const setting = { key, type: type as ThemeSettingType, label, hint, preset: '', options: type === 'choice' ? readOptions(options) : [] };
  return { ...setting, preset: readPreset(setting, preset) };
}

function readOptions(options: unknown): ThemeSetting['options'] {
  if (!Array.isArray(options) || options.length === 0 || options.length > MAX_OPTIONS)
    throw new Error(`"options" must be a list of 1 to ${MAX_OPTIONS} entries`);
  const read = options.map((option: unknown) => {
    const { value, label } = (option ?? {}) as Record<string, unknown>;
    if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE || !isWords(label) || label === '')
      throw new Error('each of "options" needs "value" and "label", both strings');
    return { value, label };
  });
  if (new Set(read.map(({ value }) => value)).size < read.length) throw new Error('two of "options" have the same value');
  return read;
}

/** Without a default: off, the first option, or empty. */
function readPreset(setting: ThemeSetting, preset: unknown): string {
  const { type, options } = setting;
  if (type === 'switch') {
    if (preset !== undefined && typeof preset !== 'boolean') throw new Error('"default" of a switch must be true or false');
    return String(preset ?? false);
  }
  if (type === 'image' && preset !== undefined) throw new Error('"default" is not supported for images: show a file of the theme instead');
  if (preset === undefined) return type === 'choice' ? options[0]!.value : '';
  if (typeof preset !== 'string' || settingProblem(setting, preset) !== null)
    throw new Error(`"default" is not a valid value for this ${type}`);
  return preset;
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_WORDS;
