// @ts-check
import { make } from './dom.js';
import { locale, t } from './i18n.js';

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
/** To the second, with the time zone. */
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const dateOnly = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const numbers = new Intl.NumberFormat(locale);
const money = new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' });

/** @param {number} n */
export const formatNumber = (n) => numbers.format(n);

/** @param {number} yuan */
export const formatPrice = (yuan) => (yuan === 0 ? t('price.free') : money.format(yuan));

/** A day of the form 2026-01-31. @param {string} day */
export const formatDay = (day) => dateOnly.format(new Date(`${day}T00:00:00`));

/** The time of day some seconds from now. @param {number} seconds */
export const timeAfter = (seconds) => clockTime.format(new Date(Date.now() + seconds * 1000));

/** The reader's time zone, which moments are shown in. */
export const timeZoneName = () => new Intl.DateTimeFormat(locale, { timeZoneName: 'longGeneric' }).formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** A moment in the reader's time zone. @param {string} iso @param {boolean} [withTime] */
export function moment(iso, withTime = true) {
  const date = new Date(iso);
  return make('time', { datetime: iso, title: exact.format(date) }, (withTime ? dateTime : dateOnly).format(date));
}

/** @param {number} bytes */
export function formatSize(bytes) {
  const [value, unit] = bytes < 1024 ? [bytes, 'byte'] : bytes < 1024 ** 2 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 ** 2, 'megabyte'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumFractionDigits: 1 }).format(value);
}

/** How long something takes or has taken, in its largest unit. @param {number} seconds */
export function formatDuration(seconds) {
  const [value, unit] = seconds < 3600 ? [Math.max(1, Math.round(seconds / 60)), 'minute'] : seconds < 86_400 ? [Math.round(seconds / 3600), 'hour'] : [Math.round(seconds / 86_400), 'day'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Seconds since a moment. @param {string} iso */
export const secondsSince = (iso) => Math.max(0, (Date.now() - Date.parse(iso)) / 1000);

/** Tags of an item as texts. @param {string} json */
export function tagsOf(json) {
  try {
    /** @type {unknown} */
    const tags = JSON.parse(json);
    return Array.isArray(tags) ? tags.map(String) : [];
  } catch {
    return [];
  }
}

const COLOURS = /** @type {const} */ ({ pending: 'yellow', approved: 'green', rejected: 'red', suspended: 'orange', superseded: 'secondary', open: 'yellow', closed: 'secondary', active: 'green', banned: 'red' });

/** A state in words and colour. @param {keyof typeof COLOURS} status */
export const statusBadge = (status) => make('span', { class: `badge bg-${COLOURS[status]}-lt` }, t(`status.${status}`));

/** @param {'plugin' | 'theme'} type */
export const typeBadge = (type) => make('span', { class: `badge bg-${type === 'plugin' ? 'blue' : 'purple'}-lt` }, t(`type.${type}`));
