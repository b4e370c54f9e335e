import { translate, type Locale } from '../../common/index.js';

/** Formatters of a locale. */
interface Formats {
  readonly numbers: Intl.NumberFormat;
  readonly days: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
}

const MONEY = new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' });
const cache = new Map<Locale, Formats>();

function of(locale: Locale): Formats {
  let formats = cache.get(locale);
  if (!formats) {
    formats = {
      numbers: new Intl.NumberFormat(locale),
      days: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
      clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
    };
    cache.set(locale, formats);
  }
  return formats;
}

/** Formats a price in yuan. */
export const priceText = (locale: Locale, yuan: number): string =>
  yuan === 0 ? translate(locale, 'storePages.price.free') : MONEY.format(yuan);

/** Formats a day such as 2026-01-31. */
export const dayText = (locale: Locale, day: string): string => of(locale).days.format(new Date(`${day}T00:00:00Z`));

export const numberText = (locale: Locale, n: number): string => of(locale).numbers.format(n);

/** Formats the time of day in the server's time zone; browsers replace it with their own. */
export const clockText = (locale: Locale, at: Date): string => of(locale).clock.format(at);

/** Formats a size in its largest unit. */
export function sizeText(locale: Locale, bytes: number): string {
  const [value, unit] = bytes < 1024 ? [bytes, 'byte'] : bytes < 1024 ** 2 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 ** 2, 'megabyte'];
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(value as number);
}

/** Formats a duration in its largest unit. */
export function durationText(locale: Locale, seconds: number): string {
  const [value, unit] =
    seconds < 3600
      ? [Math.max(1, Math.round(seconds / 60)), 'minute']
      : seconds < 86_400
        ? [Math.round(seconds / 3600), 'hour']
        : [Math.round(seconds / 86_400), 'day'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(value as number);
}

/** Translates a suggested category; other categories are shown as entered by their authors. */
export function categoryText(locale: Locale, name: string): string {
  const key = `storePages.category.${name}`;
  const text = translate(locale, key);
  return text === key ? name : text;
}
