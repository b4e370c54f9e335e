import type { Context, Liquid } from 'liquidjs';

import { currentOwner, fillPlaceholders, instantOf, LOCALES, shownTime, translateFor, type Locale } from '../common/index.js';
import { currency, moneyText } from '../sdk/index.js';
import { iconSvg } from './icons.js';
import { frameOf } from './render-frame.js';
import type { ThemeOptions } from './theme-options.js';
import { inkOn, rgbOf } from './settings/index.js';
import type { ThemePackage } from './theme-package.js';

/** Dependencies of the filters. */
export interface FilterSources {
  /** Returns the URL of an asset; null if it does not exist. */
  asset: (name: string) => string | null;
  mayUse?: ThemeOptions['mayUse'];
  /** IANA time zone. */
  timezone: string;
}

interface FilterCall {
  context: Context;
}

/** Arguments as passed by the engine: values, and pairs for `name: value`. */
type FilterArguments = (unknown | [string, unknown])[];

const plurals = Object.fromEntries(LOCALES.map((locale) => [locale, new Intl.PluralRules(locale)])) as Record<Locale, Intl.PluralRules>;
const numbers = Object.fromEntries(LOCALES.map((locale) => [locale, new Intl.NumberFormat(locale)])) as Record<Locale, Intl.NumberFormat>;

/** Registers `t`, `money`, `price`, `datetime`, `instant`, `number`, `asset`, `ink`, `rgb`, `icon` and `may`. */
export function registerThemeFilters(liquid: Liquid, sources: FilterSources, theme: ThemePackage, fallback: ThemePackage | null): void {
  const themes = fallback ? [theme, fallback] : [theme];
  liquid.registerFilter('t', function (this: FilterCall, key: unknown, ...args: FilterArguments) {
    return themeText(themes, currentOwner(), frameOf(this.context).locale, String(key ?? ''), textParams(args));
  });
  liquid.registerFilter('money', (fen: unknown) => {
    const amount = toNumber(fen);
    return Number.isSafeInteger(amount) ? moneyText(amount) : '';
  });
  liquid.registerFilter('price', (figures: unknown) => `${currency().sign}${String(figures ?? '')}`);
  liquid.registerFilter('number', function (this: FilterCall, value: unknown) {
    const amount = toNumber(value);
    return Number.isFinite(amount) ? numbers[frameOf(this.context).locale].format(amount) : '';
  });
  liquid.registerFilter('datetime', function (this: FilterCall, value: unknown, style: unknown) {
    return shownTime(value, frameOf(this.context).locale, sources.timezone, style === 'date' ? 'date' : 'datetime');
  });
  liquid.registerFilter('instant', (value: unknown) => instantOf(value, sources.timezone));
  liquid.registerFilter('asset', (name: unknown) => sources.asset(String(name ?? '')) ?? '');
  liquid.registerFilter('ink', (colour: unknown) => inkOn(colour));
  liquid.registerFilter('rgb', (colour: unknown) => rgbOf(colour)?.join(', ') ?? '');
  // Only administrators have roles; users of other sides own what they see.
  liquid.registerFilter('may', function (this: FilterCall, what: unknown) {
    const { side, call } = frameOf(this.context);
    // In a condition a filter applies to the whole expression, so its input is not a name: deny.
    if (typeof what !== 'string') return false;
    return side !== 'admin' || call === undefined || (sources.mayUse?.(call, what) ?? true);
  });
  // Raw output is safe for this filter: it is built from a closed set of shapes, whatever the input.
  liquid.registerFilter('icon', { raw: true, handler: (name: unknown, className: unknown) => iconSvg(name, className) });
}

/** Returns NaN for everything that is no number, including an empty text and the engine's nil. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function textParams(args: FilterArguments): Record<string, string | number> {
  const params: Record<string, string | number> = {};
  for (const argument of args) {
    if (!Array.isArray(argument) || typeof argument[0] !== 'string') continue;
    const value: unknown = argument[1];
    params[argument[0]] = typeof value === 'number' ? value : String(value ?? '');
  }
  return params;
}

/** Returns the text of the first theme that has it, in its plural form if there is one, else the panel's text. */
export function themeText(
  themes: readonly Pick<ThemePackage, 'texts'>[],
  owner: string,
  locale: Locale,
  key: string,
  params: Record<string, string | number>,
): string {
  for (const { texts } of themes) {
    const own = texts[locale];
    const form = typeof params.n === 'number' ? own.get(`${key}.${plurals[locale].select(params.n)}`) : undefined;
    const text = form ?? own.get(key) ?? own.get(`${key}.other`);
    if (text !== undefined) return fillPlaceholders(text, params);
  }
  // A plugin's own page is rendered under its name and finds the plugin's texts.
  return translateFor(owner, locale, key, params);
}
