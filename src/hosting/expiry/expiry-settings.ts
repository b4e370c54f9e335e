import type { SiteSettings } from '../../site/index.js';
import type { ExpiryRules } from '../expiry-plan.js';

/** Maximum number of reminders, and maximum days of the earliest one. */
export const MAX_REMINDERS = 8;
export const EARLIEST_REMINDER = 90;

/** Reads the expiry rules from the settings. */
export function expiryRules(site: SiteSettings['current']): ExpiryRules {
  return { reminders: remindersOf(site.expiryReminders) ?? [], keepDays: site.expiryKeepDays };
}

/** Parses a list of days such as `7,3,1,0`, in descending order without duplicates; null if it is invalid. */
export function remindersOf(text: string): number[] | null {
  const parts = text
    .split(/[\s,，、]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!parts.every((part) => /^\d{1,2}$/.test(part) && Number(part) <= EARLIEST_REMINDER)) return null;
  const days = [...new Set(parts.map(Number))].sort((a, b) => b - a);
  return days.length <= MAX_REMINDERS ? days : null;
}

/** Returns the current values of the `dqsz` fields, as the settings page shows them. Source: docs/panel-api.md "The end of hosts". */
export const expiryForm = (site: SiteSettings['current']) => ({
  txts: site.expiryReminders,
  kxts: site.expiryGraceDays,
  scts: site.expiryKeepDays,
});
