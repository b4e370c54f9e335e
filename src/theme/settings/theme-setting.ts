/** Kinds of settings a theme may have. */
export const THEME_SETTING_TYPES = ['colour', 'image', 'text', 'choice', 'switch', 'markdown'] as const;

/** One of {@link THEME_SETTING_TYPES}. */
export type ThemeSettingType = (typeof THEME_SETTING_TYPES)[number];

/** Something of a theme that its administrator decides, as theme.json declares it. Source: docs/themes.md "Settings". */
export interface ThemeSetting {
  /** `[a-z][a-z0-9_]{0,39}`, not ending in `_en`. */
  readonly key: string;
  readonly type: ThemeSettingType;
  /** A text of the theme by its key, or the words themselves; of {@link ThemeSetting.hint} likewise. */
  readonly label: string;
  readonly hint: string;
  /** What it is until somebody sets it; of a switch `true` or `false`, of texts a key or the words themselves. */
  readonly preset: string;
  /** Of a choice: what there is to choose from. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** What was set, by the keys of {@link valueKeys}; what is not there is as the theme has it. */
export type ThemeSettingValues = Readonly<Record<string, string>>;

/** Behind the key of a text in English; the text of the key itself is Chinese. */
const ENGLISH = '_en';
const KEY = /^[a-z][a-z0-9_]{0,39}$/;
const COLOUR = /^#[0-9a-f]{6}$/i;
const MAX_SETTINGS = 40;
const MAX_OPTIONS = 20;
const MAX_WORDS = 300;
const MAX_VALUE = 64;
/** Characters of a text. */
const LONGEST = { text: 500, markdown: 20_000 } as const;

/** Whether a setting is said in each language. */
export const isWritten = ({ type }: Pick<ThemeSetting, 'type'>): boolean => type === 'text' || type === 'markdown';

/** The fields a setting has: one, or one for each language. */
export function valueKeys(setting: ThemeSetting): string[] {
  return isWritten(setting) ? [setting.key, setting.key + ENGLISH] : [setting.key];
}

/** The settings that fields belong to, by the names of the fields. */
export function settingsByField(settings: readonly ThemeSetting[]): Map<string, ThemeSetting> {
  return new Map(settings.flatMap((setting) => valueKeys(setting).map((key) => [key, setting])));
}

/**
 * The settings that `settings` of a theme.json declares. A declaration that is wrong is left out and named; the others count.
 *
 * @param problem told what is wrong with which
 *
 * @example readThemeSettings([{ key: 'band', type: 'colour', label: 'settings.band', default: '#0b6e4f' }], console.warn)
 */
export function readThemeSettings(declared: unknown, problem: (message: string) => void): ThemeSetting[] {
  if (declared === undefined) return [];
  if (!Array.isArray(declared)) return (problem('"settings" must be a list'), []);
  if (declared.length > MAX_SETTINGS) problem(`"settings" has more than ${MAX_SETTINGS}: the others are left out`);
  const settings = new Map<string, ThemeSetting>();
  for (const [i, entry] of declared.slice(0, MAX_SETTINGS).entries()) {
    try {
      const setting = readSetting(entry);
      if (settings.has(setting.key)) throw new Error('there are two of this key');
      settings.set(setting.key, setting);
    } catch (error) {
      problem(`setting ${nameOf(entry) ?? i + 1}: ${(error as Error).message}`);
    }
  }
  return [...settings.values()];
}

/** What is wrong with a value of a setting, as a key of the language files; null for nothing. Pictures are their keeper's business. */
export function settingProblem({ type, options }: ThemeSetting, value: string): string | null {
  if (type === 'colour' && value !== '' && !COLOUR.test(value)) return 'theme.setting_colour';
  if (type === 'switch' && !['true', 'false'].includes(value)) return 'operations.field.isBoolean';
  if (type === 'choice' && !options.some((option) => option.value === value)) return 'operations.field.isIn';
  if ((type === 'text' || type === 'markdown') && value.length > LONGEST[type]) return 'http.too_large';
  return null;
}

/** Whether a value that was kept still fits: what a newer version of the theme declares otherwise is as that has it. */
export const fits = (setting: ThemeSetting, value: string | undefined): value is string =>
  value !== undefined && value !== '' && settingProblem(setting, value) === null;

function nameOf(entry: unknown): string | null {
  const key = (entry as { key?: unknown } | null)?.key;
  return typeof key === 'string' ? `"${key.slice(0, 60)}"` : null;
}

/** @throws Error that says what is wrong */
function readSetting(entry: unknown): ThemeSetting {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new Error('is no object');
  const { key, type, label, hint = '', options, default: preset } = entry as Record<string, unknown>;
  if (typeof key !== 'string' || !KEY.test(key)) throw new Error('"key" must be 1 to 40 of a-z 0-9 _ and begin with a letter');
  if (key.endsWith(ENGLISH)) throw new Error(`"key" must not end in ${ENGLISH}: that is the English of another`);
  if (!THEME_SETTING_TYPES.includes(type as ThemeSettingType)) throw new Error(`"type" must be one of ${THEME_SETTING_TYPES.join(', ')}`);
  if (!isWords(label) || label === '') throw new Error(`"label" must be a text of at most ${MAX_WORDS} characters`);
  if (!isWords(hint)) throw new Error(`"hint" must be a text of at most ${MAX_WORDS} characters`);
  if (options !== undefined && type !== 'choice') throw new Error('"options" are for choices alone');
  const setting = { key, type: type as ThemeSettingType, label, hint, preset: '', options: type === 'choice' ? readOptions(options) : [] };
  return { ...setting, preset: readPreset(setting, preset) };
}

function readOptions(options: unknown): ThemeSetting['options'] {
  if (!Array.isArray(options) || options.length === 0 || options.length > MAX_OPTIONS)
    throw new Error(`"options" must be a list of 1 to ${MAX_OPTIONS}`);
  const read = options.map((option: unknown) => {
    const { value, label } = (option ?? {}) as Record<string, unknown>;
    if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE || !isWords(label) || label === '')
      throw new Error('each of "options" needs "value" and "label", both texts');
    return { value, label };
  });
  if (new Set(read.map(({ value }) => value)).size < read.length) throw new Error('two of "options" have the same value');
  return read;
}

/** What is not said is off, the first of the options, or empty. */
function readPreset(setting: ThemeSetting, preset: unknown): string {
  const { type, options } = setting;
  if (type === 'switch') {
    if (preset !== undefined && typeof preset !== 'boolean') throw new Error('"default" of a switch must be true or false');
    return String(preset ?? false);
  }
  if (type === 'image' && preset !== undefined)
    throw new Error('"default" of an image is not known: a theme shows a file of its own instead');
  if (preset === undefined) return type === 'choice' ? options[0]!.value : '';
  if (typeof preset !== 'string' || settingProblem(setting, preset) !== null) throw new Error(`"default" is no value of this ${type}`);
  return preset;
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_WORDS;
