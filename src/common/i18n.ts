import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh-CN.json' with { type: 'json' };
import { currency } from '../sdk/index.js';
import type { TextParams, TextRef } from './errors.js';

/** Languages of the user interface. */
export const LOCALES = ['zh-CN', 'en'] as const;

/** One of {@link LOCALES}. */
export type Locale = (typeof LOCALES)[number];

/** Language of users whose preference is unknown. */
export const DEFAULT_LOCALE: Locale = 'zh-CN';

/** Texts of one feature in every language; all languages must have the same keys. */
export type TextCatalogue = Record<Locale, Record<string, string>>;

const catalogue: Record<Locale, Map<string, string>> = { 'zh-CN': new Map(), en: new Map() };
const OPERATION = 'operation.';
/** Text keys of the names of operations, by operation. */
const operationNames = new Map<string, string>();
const pluralRules: Record<Locale, Intl.PluralRules> = {
  'zh-CN': new Intl.PluralRules('zh-CN'),
  en: new Intl.PluralRules('en'),
};

/**
 * Adds the texts of one feature under `feature.`; called once at import by the feature's `texts.ts`.
 *
 * @throws Error if the languages differ in their keys: a missing translation is a bug and has no fallback
 */
export function registerTexts(feature: string, texts: TextCatalogue): void {
  const [first, ...others] = LOCALES;
  const keys = Object.keys(texts[first]).sort().join();
  for (const locale of others) {
    if (Object.keys(texts[locale]).sort().join() !== keys) {
      throw new Error(`The texts of "${feature}" differ between ${first} and ${locale}.`);
    }
  }
  for (const locale of LOCALES) {
    for (const [key, text] of Object.entries(texts[locale])) {
      catalogue[locale].set(`${feature}.${key}`, text);
      if (key.startsWith(OPERATION)) operationNames.set(key.slice(OPERATION.length), `${feature}.${key}`);
    }
  }
}

/**
 * Returns the text key of an operation's name, which its feature has as `operation.<gn>`; null if it has none.
 * @example
 * ```ts
 * operationNameKey('addzj'); // "hosting.operation.addzj"
 * ```
 */
export function operationNameKey(operation: string): string | null {
  return operationNames.get(operation) ?? null;
}

/** Returns the operations that have a name, with its text key. */
export function namedOperations(): readonly (readonly [operation: string, key: string])[] {
  return [...operationNames];
}

const ownerTexts = new Map<string, Partial<Record<Locale, Record<string, string>>>>();

/**
 * Registers a plugin's own texts, which {@link translateFor} prefers. Languages may be missing.
 *
 * @returns a function that removes them again
 */
export function addOwnerTexts(owner: string, texts: Partial<Record<Locale, Record<string, string>>>): () => void {
  ownerTexts.set(owner, texts);
  return () => {
    if (ownerTexts.get(owner) === texts) ownerTexts.delete(owner);
  };
}

/** Returns an owner's own texts; empty if it has registered none. */
export function ownerTextsOf(owner: string): Readonly<Partial<Record<Locale, Readonly<Record<string, string>>>>> {
  return ownerTexts.get(owner) ?? {};
}

/** Returns the keys of owners' own texts that start with `beginning`, without that prefix. */
export function ownerKeys(beginning: string): { readonly owner: string; readonly key: string }[] {
  return [...ownerTexts].flatMap(([owner, texts]) => {
    const keys = new Set(LOCALES.flatMap((locale) => Object.keys(texts[locale] ?? {})));
    return [...keys].filter((key) => key.startsWith(beginning)).map((key) => ({ owner, key: key.slice(beginning.length) }));
  });
}

/** Returns the owner's text of `key` in `locale`, falling back to the default language, English, and the product's text. */
export function translateFor(owner: string, locale: Locale, key: string, params: TextParams = {}): string {
  const own = ownerTexts.get(owner);
  const text = own?.[locale]?.[key] ?? own?.[DEFAULT_LOCALE]?.[key] ?? own?.en?.[key];
  return text === undefined ? translate(locale, key, params) : filled(text, locale, params);
}

/** Fills the `{name}` placeholders of `text`, and `{¥}` with the installation's currency sign; a name without a value is left unchanged. */
export function fillPlaceholders(text: string, params: Readonly<Record<string, string | number>> = {}): string {
  if (!text.includes('{')) return text;
  return text.replace(/\{(\w+|¥)\}/g, (placeholder, name: string) => {
    if (name === '¥') return currency().sign;
    return name in params ? String(params[name]) : placeholder;
  });
}

/**
 * Returns the text of `key` in `locale`. A number `n` (or `seconds`) among the parameters selects the plural form if there is one
 * (`key.one`, `key.other`, by `Intl.PluralRules`). An unknown key is returned unchanged, so that it is noticed.
 * @example
 * ```ts
 * translate('en', 'common.minutes', { n: 1 }); // "1 minute"
 * ```
 */
export function translate(locale: Locale, key: string, params: TextParams = {}): string {
  const texts = catalogue[locale];
  const count = params.n ?? params.seconds;
  const form = typeof count === 'number' ? texts.get(`${key}.${pluralRules[locale].select(count)}`) : undefined;
  const text = form ?? texts.get(key) ?? texts.get(`${key}.other`);
  return text === undefined ? key : filled(text, locale, params);
}

/** Translates a stored text into `locale`; falls back to its `otherwise` if the text no longer exists. */
export function translateText(locale: Locale, { key, params, owner, otherwise }: TextRef): string {
  const text = owner === undefined ? translate(locale, key, params) : translateFor(owner, locale, key, params);
  return text === key ? (otherwise ?? key) : text;
}

/** Most texts have no placeholders. */
const filled = (text: string, locale: Locale, params: TextParams): string =>
  text.includes('{') ? fillPlaceholders(text, translateParams(locale, params)) : text;

/** Translates those values that are texts into `locale`. */
function translateParams(locale: Locale, params: TextParams): Record<string, string | number> {
  const words = (value: TextParams[string]): string | number => {
    if (typeof value !== 'object') return value;
    const texts = 'key' in value ? [value] : value;
    return texts.map((text) => translateText(locale, text)).join(translate(locale, 'common.list_comma'));
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, words(value)]));
}

/** Returns whether `value` is one of {@link LOCALES}; the only way an external value becomes a `Locale`. */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.includes(value as Locale);
}

/** Returns the locale of a request; the default for any other value. */
export function localeOf(value: unknown): Locale {
  return isLocale(value) ? value : DEFAULT_LOCALE;
}

/**
 * Returns the language for a user: their own choice (cookie), then the site's default, then the browser's preference.
 * Values outside {@link LOCALES} are ignored.
 */
export function chooseLocale(chosen: unknown, siteDefault: unknown, acceptLanguage: string | undefined): Locale {
  if (isLocale(chosen)) return chosen;
  if (isLocale(siteDefault)) return siteDefault;
  for (const part of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const language = part.split(';')[0]!.trim().toLowerCase();
    if (language.startsWith('zh')) return 'zh-CN';
    if (language.startsWith('en')) return 'en';
  }
  return DEFAULT_LOCALE;
}

registerTexts('common', { 'zh-CN': zhCN, en });
