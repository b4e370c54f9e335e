import type { SiteSettings } from '../../site/index.js';
import type { ExpiryRules } from '../expiry-plan.js';

/** Reminders there may be, and how early the first one may come, in days. */
export const MOST_REMINDERS = 8;
export const EARLIEST_REMINDER = 90;

/** The settings as this feature reads them. */
export function expiryRules(site: SiteSettings['current']): ExpiryRules {
  return { reminders: remindersOf(site.expiryReminders) ?? [], keepDays: site.expiryKeepDays };
}

/** Days in a list such as `7,3,1,0`, the most first and each once; null where it is no such list. */
export function remindersOf(text: string): number[] | null {
  const parts = text
    .split(/[\s,，、]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!parts.every((part) => /^\d{1,2}$/.test(part) && Number(part) <= EARLIEST_REMINDER)) return null;
  const days = [...new Set(parts.map(Number))].sort((a, b) => b - a);
  return days.length <= MOST_REMINDERS ? days : null;
}

/** What `dqsz` sets, by the names of its fields, as the settings page shows it. Source: docs/panel-api.md "The end of hosts". */
export const expiryForm = (site: SiteSettings['current']) => ({
  txts: site.expiryReminders,
  kxts: site.expiryGraceDays,
  scts: site.expiryKeepDays,
});
